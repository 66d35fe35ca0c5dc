import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Price } from '@plimsoll/core/bill'
import { handleOf } from '@plimsoll/core/text'
import { readMemory, writeMemory } from '../../files/memory-file.ts'
import { type OwnPrices, priceDay, priceOfModel } from '../../model/price-of-model.ts'
import { type LogFacts, noFacts, withLines } from './log-facts.ts'

/** Enough for the last requests of a long session, and fast to read. */
const tailBytes = 2_000_000

/** What a status line remembers of a log, so that the next one reads only what was added. */
interface LogMemory {
  /** Of the complete lines that were read. */
  readonly bytes: number
  readonly inode: number
  /** The last bytes of them: a log that was written again has others there. */
  readonly end: string
  /** Whether they are the log from its start. */
  readonly isWhole: boolean
  readonly facts: LogFacts
  readonly prices: Readonly<Record<string, Price | null>>
  readonly trimmable: Trimmable | null
}

interface Trimmable {
  readonly tokens: number | null
  readonly bytes: number
  readonly at: number
}

interface FollowOptions {
  readonly path: string
  /** Where to remember; null remembers nothing. */
  readonly folder: string | null
  /** Of everything that the facts depend on besides the log. */
  readonly version: string
  readonly prices: OwnPrices
  readonly now: number
  /** Counts the tokens that could be trimmed, from the last lines of the log. */
  readonly trimmableIn: (lines: readonly string[]) => Promise<number | null>
}

/** Reads what was added to a log since the last time, and what could be trimmed from it; null if it cannot be read. */
export async function followLog({ path, folder, version, prices, now, trimmableIn }: FollowOptions) {
  const file = folder === null ? null : join(folder, 'statusline', handleOf(path))
  const remembered = file === null ? null : (readMemory(file, version) as LogMemory | null)
  const read = readFrom(path, remembered)
  if (read === null) return null
  const { bytes, inode, start, memory, complete, rest } = read
  const known: Record<string, Price | null> = { ...memory?.prices }
  const priceOf = (model: string, at: number | null) => {
    const key = `${priceDay(at) ?? ''} ${model}`
    if (!Object.hasOwn(known, key)) known[key] = priceOfModel(model, priceDay(at), prices)
    return known[key] ?? null
  }
  const added = complete.toString('utf8').split('\n')
  const facts = withLines(memory?.facts ?? noFacts, memory === null && start > 0 ? added.slice(1) : added, priceOf)
  const trimmable = await currentTrimmable(memory, added, bytes, now, async () => trimmableIn(tailLines(path)))
  const next: LogMemory = {
    bytes: start + complete.length,
    inode,
    end: complete.length === 0 ? (memory?.end ?? '') : complete.subarray(-endLength).toString('base64'),
    isWhole: memory?.isWhole ?? start === 0,
    facts,
    prices: lastPrices(known),
    trimmable,
  }
  if (file !== null && (complete.length > 0 || memory?.trimmable !== trimmable)) writeMemory(file, version, next)
  return {
    bytes,
    isWhole: next.isWhole && bytes <= tailBytes,
    // The last line may lack its end, and counts all the same.
    facts: rest === '' ? facts : withLines(facts, [rest], priceOf),
    trimmable: trimmable.tokens,
  }
}

const endLength = 80

function readFrom(path: string, remembered: LogMemory | null) {
  try {
    const handle = openSync(path, 'r')
    try {
      const { size: bytes, ino: inode } = fstatSync(handle)
      if (
        remembered !== null &&
        remembered.inode === inode &&
        remembered.bytes <= bytes &&
        bytes - remembered.bytes <= tailBytes
      ) {
        const end = Buffer.from(remembered.end, 'base64')
        const read = bytesOf(handle, remembered.bytes - end.length, bytes)
        if (read.subarray(0, end.length).equals(end))
          return { bytes, inode, start: remembered.bytes, memory: remembered, ...linesIn(read.subarray(end.length)) }
      }
      const start = Math.max(0, bytes - tailBytes)
      return { bytes, inode, start, memory: null, ...linesIn(bytesOf(handle, start, bytes)) }
    } finally {
      closeSync(handle)
    }
  } catch {
    return null
  }
}

function bytesOf(handle: number, start: number, end: number): Buffer {
  const buffer = Buffer.alloc(end - start)
  return buffer.subarray(0, readSync(handle, buffer, 0, buffer.length, start))
}

function linesIn(read: Buffer) {
  const end = read.lastIndexOf(newline) + 1
  return { complete: read.subarray(0, end), rest: read.toString('utf8', end) }
}

const newline = 10

function tailLines(path: string): readonly string[] {
  const read = readFrom(path, null)
  if (read === null) return []
  const lines = `${read.complete.toString('utf8')}${read.rest}`.split('\n')
  // The first line is cut.
  return (read.start === 0 ? lines : lines.slice(1)).filter((line) => line !== '')
}

/** A log that has grown by less still has about the same to trim. */
const maxGrowth = 64_000
/** In milliseconds: policies count the minutes since a result. */
const maxAge = 300_000

async function currentTrimmable(
  memory: LogMemory | null,
  added: readonly string[],
  bytes: number,
  now: number,
  count: () => Promise<number | null>,
): Promise<Trimmable> {
  const last = memory?.trimmable ?? null
  const isNear = last !== null && bytes - last.bytes < maxGrowth && now >= last.at && now - last.at < maxAge
  if (isNear && !added.some((line) => line.includes('"isCompactSummary"'))) return last
  return { tokens: await count().catch(() => null), bytes, at: now }
}

/** Prices of another day are not needed again. */
function lastPrices(prices: Readonly<Record<string, Price | null>>): Readonly<Record<string, Price | null>> {
  return Object.fromEntries(Object.entries(prices).slice(-8))
}
