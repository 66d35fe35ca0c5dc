import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { binaryFields, type Config } from '@plimsoll/core/policies'
import type { WireDialect } from '../../store/gateway-record.ts'

/** Says which requests are measured by a gateway that has more to relay than it can. */
export interface MeasuringShare {
  /** Takes note of a request; whether it is to be measured. */
  readonly isMeasured: () => boolean
}

/** What a gateway's load is told by. */
export interface MeasuringShareOptions {
  /** Milliseconds. Default: those of the process. */
  readonly now?: () => number
  /** The time in which its threads had something to do, all together, of the time since it was last asked. */
  readonly busy: () => number
}

/** What knows how busy a thread is: the process itself for this one, a worker for its own. */
export type Thread = Pick<typeof performance, 'eventLoopUtilization'>

/**
 * Measures everything, unless there were hundreds of requests a second for a while, which kept most of a core busy: then one of some, so
 * that those who measure do not take from those who relay.
 */
export function createMeasuringShare({ now = () => performance.now(), busy }: MeasuringShareOptions): MeasuringShare {
  let count = 0
  let startedAt = now()
  let pressed = 0
  return {
    isMeasured() {
      count += 1
      if (count % everySo === 0 || pressed === 0) {
        // Where few come, nobody waits for many before the load is looked at again.
        const elapsed = now() - startedAt
        if (count >= requests || elapsed > milliseconds) {
          const least = pressed < pressedTimes ? busyShare : restingShare
          pressed = busy() > least && elapsed <= milliseconds ? pressed + 1 : 0
          count = 0
          startedAt += elapsed
        }
      }
      return pressed < pressedTimes || count % everySo === 0
    },
  }
}

/** So many requests in so short a time, and this twice in a row. */
const requests = 512
const milliseconds = 1000
const pressedTimes = 2
const busyShare = 0.7
/** Who measures little has less to do: that alone is no reason to measure everything again. */
const restingShare = 0.2
/** One of so many is measured all the same. */
const everySo = 8

/** How busy a thread was since it was last asked about, from 0 to 1; another thread begins anew. */
export function createBusyShare(thread: () => Thread | null = () => performance): () => number {
  let known: Thread | null = null
  let last: EventLoopUtilization | undefined
  return () => {
    const asked = thread()
    if (asked !== known) last = undefined
    known = asked
    if (asked === null) return 0
    const next = asked.eventLoopUtilization()
    const { utilization } = last === undefined ? next : asked.eventLoopUtilization(next, last)
    last = next
    return utilization
  }
}

/** Whether a body is so small that the rules of `safe` have nothing to cut in it, whoever's results it holds. */
type SmallBodyCheck = (dialect: WireDialect, body: Uint8Array) => boolean

/**
 * Tells small bodies by their bytes alone, without reading them: no result can be longer than all of the body, or have more lines than
 * the body has signs that may begin one. What is not clearly small is not.
 */
export function createSmallBodyCheck({ tool_output_limits: { default: common, tools } }: Config): SmallBodyCheck {
  const rows = Object.entries(tools)
  return (dialect, given) => {
    // Results there are values, and a number may be longer than it was written.
    if (dialect === 'gemini') return false
    const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    if (exceeds(body.length, common.max_chars)) return false
    const lines = mostLines(body)
    if (exceeds(lines, common.max_lines) || telling.some((name) => body.includes(name))) return false
    return !rows.some(
      ([tool, limits]) => (exceeds(body.length, limits.max_chars) || exceeds(lines, limits.max_lines)) && body.includes(tool),
    )
  }
}

/** A configuration may hold anything: what is no number sets no limit. */
function exceeds(size: number, limit: number | undefined): boolean {
  return limit !== undefined && size > limit
}

/** Lines begin behind an escaped character, or with another part of a result. */
function mostLines(body: Uint8Array): number {
  let lines = 1
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (byte === backslash || byte === openBrace) lines += 1
  }
  return lines
}

const backslash = 0x5c
const openBrace = 0x7b

/**
 * What may be a field that is data by its name, or something that the client asks to be cleared. An escape may write any name in another
 * way.
 */
const telling: readonly string[] = [...binaryFields, 'context_management', String.raw`\u`]
