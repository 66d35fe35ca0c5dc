import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Journal } from '../journal.ts'
import { usageOf } from '../processes.ts'

/** The process to watch. */
export interface WatchOptions {
  readonly name: string
  readonly pid: number
  /** The home folder of its user, where it writes its heap size. */
  readonly home: string
  /** A URL that responds while the event loop is running. */
  readonly alive: string
  readonly journal: Journal
}

/** A watched process. */
export interface Watch {
  /** Ends the watch and checks memory and descriptors. Descriptors may take this long to be released; with 0 they are not checked. */
  readonly end: (milliseconds: number) => Promise<WatchedMemory>
}

/** Memory in megabytes. */
export interface WatchedMemory {
  readonly name: string
  readonly samples: number
  /** All memory: the median of the second third, after the warm-up, and of the last third, and the peak. */
  readonly warm: number
  readonly end: number
  readonly peak: number
  /** The heap of the main thread after garbage collection, in the same two thirds. */
  readonly held: readonly [warm: number, end: number]
  readonly descriptors: readonly [before: number, after: number]
}

/** Allowed growth between the middle and the end of a run. All memory includes the reserve of the garbage collector. */
const maxGrowth = { held: { share: 1.1, megabytes: 32 }, all: { share: 1.25, megabytes: 128 } }
/** A limit for any run, even a short one. */
const maxMegabytes = 1500
/** Growth is checked only from this number of samples. */
const minSamples = 60
/** Samples of all memory per sample of the heap. */
const collectEvery = 10
/** Descriptors that come and go on their own, such as those of a database connection pool, or of a planner's thread that starts with the first large plan. */
const spareDescriptors = 24
/** How long an event loop may be busy on a shared machine, in milliseconds. */
const maxSilence = 20_000

/** The module that a watched process must preload. */
export const memoryReport = fileURLToPath(new URL('./memory-report.ts', import.meta.url))

/** Watches the memory, the descriptors and the event loop of a process during the whole run. */
export function watchProcess({ name, pid, home, alive, journal }: WatchOptions): Watch {
  const samples: number[] = []
  const held: number[] = []
  const over = new AbortController()
  const before = countOf(pid)
  const watching = (async () => {
    while (!over.signal.aborted) {
      const usage = usageOf(pid)
      if (usage !== null) samples.push(usage.memory / 2 ** 20)
      if (samples.length % collectEvery === 0) {
        const report = reportIn(home)
        if (report !== null) held.push(report)
        askForReport(pid)
      }
      const answered = await fetch(alive, { signal: AbortSignal.timeout(maxSilence) }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status < 500
        },
        () => false,
      )
      if (!over.signal.aborted) journal.check('the event loop responds', answered, () => `${name} did not answer`)
      await sleep(1000)
    }
  })()
  return {
    async end(milliseconds) {
      over.abort()
      await watching
      const after = await quietCount(pid, milliseconds, before + spareDescriptors)
      const isBack = milliseconds === 0 || after <= before + spareDescriptors
      journal.check('descriptors are released', isBack, () => {
        const links = usageOf(pid)?.descriptors.map((link) => link.replace(/\d+/g, 'N')) ?? []
        return `${name}: ${before} became ${after}: ${[...new Set(links)].map((link) => `${links.filter((one) => one === link).length} ${link}`).join(', ')}`
      })
      const [all, kept] = [growthOf(samples), growthOf(held)]
      const peak = Math.max(0, ...samples)
      const isFlat = samples.length < minSamples || (isWithin(all, maxGrowth.all) && isWithin(kept, maxGrowth.held))
      journal.check('memory stays flat', isFlat && peak <= maxMegabytes, () => {
        const shown = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(' → ')
        return `${name}: all ${shown(all)} MB, held ${shown(kept)} MB, peak ${peak.toFixed(0)} MB`
      })
      return { name, samples: samples.length, warm: all[0], end: all[1], peak, held: kept, descriptors: [before, after] }
    },
  }
}

/** The medians of the second and of the last third. */
function growthOf(samples: readonly number[]): readonly [warm: number, end: number] {
  const third = Math.ceil(samples.length / 3)
  return [median(samples.slice(third, 2 * third)), median(samples.slice(-third))]
}

function isWithin(
  [warm, end]: readonly [number, number],
  { share, megabytes }: { readonly share: number; readonly megabytes: number },
) {
  return end <= warm * share + megabytes
}

function askForReport(pid: number): void {
  try {
    process.kill(pid, 'SIGUSR2')
  } catch {
    // It has ended.
  }
}

/** Megabytes; null if nothing was written yet. */
function reportIn(home: string): number | null {
  try {
    return Number(readFileSync(join(home, 'memory.json'), 'utf8')) / 2 ** 20
  } catch {
    return null
  }
}

/** The lowest number of descriptors seen, once idle connections are closed. */
async function quietCount(pid: number, milliseconds: number, enough = 0): Promise<number> {
  let lowest = countOf(pid)
  for (const end = performance.now() + milliseconds; performance.now() < end && lowest > enough; ) {
    await sleep(500)
    lowest = Math.min(lowest, countOf(pid))
  }
  return lowest
}

/** Recently closed sessions keep their logs open for a while, which is not a leak. */
function countOf(pid: number): number {
  return usageOf(pid)?.descriptors.filter((link) => !link.endsWith('/log.jsonl')).length ?? 0
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
