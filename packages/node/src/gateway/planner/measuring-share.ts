import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { binaryFields, type Config } from '@plimsoll/core/policies'
import type { WireDialect } from '../../store/gateway-record.ts'

export interface MeasuringShare {
  /** Counts a request; returns whether to measure it. */
  readonly isMeasured: () => boolean
}

interface MeasuringShareOptions {
  readonly now?: () => number
  /** How busy all threads together were since it was last asked, from 0 to 1 for each. */
  readonly busy: () => number
  /** How many requests wait for a plan. Default: none. */
  readonly waiting?: () => number
}

export type Thread = Pick<typeof performance, 'eventLoopUtilization'>

/**
 * Measures everything, unless more than a hundred requests a second kept most of a core busy for a while, or too many wait for a plan: then one
 * of 32, because measuring costs several times as much as forwarding.
 */
export function createMeasuringShare({
  now = () => performance.now(),
  busy,
  waiting = () => 0,
}: MeasuringShareOptions): MeasuringShare {
  let count = 0
  let startedAt = now()
  let pressed = 0
  return {
    isMeasured() {
      count += 1
      const elapsed = now() - startedAt
      // With few requests, the load is looked at again after a second.
      if (count >= requests || elapsed > milliseconds) {
        const threshold = pressed < pressedTimes ? busyShare : restingShare
        pressed = busy() > threshold && elapsed <= milliseconds ? pressed + 1 : 0
        count = 0
        startedAt += elapsed
      }
      return count % everySo === 0 || (pressed < pressedTimes && waiting() < maxWaiting)
    },
  }
}

/** This many requests within these milliseconds, twice in a row. */
const requests = 128
const milliseconds = 1000
const pressedTimes = 2
const busyShare = 0.7
/** Measuring less makes threads less busy: that alone is not a reason to measure everything again. */
const restingShare = 0.2
const everySo = 32
/** No one sends as many small requests at once by hand; a slow machine that falls behind never reaches many a second. */
const maxWaiting = 16

/** How busy a thread was since it was last asked, from 0 to 1. */
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

/**
 * Whether a body is so small that the rules of `safe` have nothing to cut in it, by its bytes alone: no result can be longer than all of
 * the body, or have more lines than the body has characters that may begin one.
 */
export function createSmallBodyCheck({
  tool_output_limits: { default: common, tools },
}: Config): (dialect: WireDialect, body: Uint8Array) => boolean {
  const rows = Object.entries(tools)
  return (dialect, given) => {
    // Its results are values, and a number may be longer than it was written.
    if (dialect === 'gemini') return false
    const body = Buffer.from(given.buffer, given.byteOffset, given.byteLength)
    if (exceeds(body.length, common.max_chars)) return false
    const lines = maxLines(body)
    if (exceeds(lines, common.max_lines) || telling.some((name) => body.includes(name))) return false
    return !rows.some(
      ([tool, limits]) => (exceeds(body.length, limits.max_chars) || exceeds(lines, limits.max_lines)) && body.includes(tool),
    )
  }
}

function exceeds(size: number, limit: number | undefined): boolean {
  return limit !== undefined && size > limit
}

/** A line begins after an escaped character, or with another part of a result. */
function maxLines(body: Uint8Array): number {
  let lines = 1
  for (let index = 0; index < body.length; index += 1) {
    const byte = body[index]
    if (byte === backslash || byte === openBrace) lines += 1
  }
  return lines
}

const backslash = 0x5c
const openBrace = 0x7b

/** A field that is data by its name, or content that the client asks to be cleared. An escape may write any name in another way. */
const telling: readonly string[] = [...binaryFields, 'context_management', String.raw`\u`]
