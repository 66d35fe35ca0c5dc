import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Journal } from '../journal.ts'
import { usageOf } from '../processes.ts'

/** What is watched. */
export interface WatchOptions {
  readonly name: string
  readonly pid: number
  /** The home of its user, where it writes down what it holds. */
  readonly home: string
  /** An address that answers while the event loop turns. */
  readonly alive: string
  readonly journal: Journal
}

/** A process under watch. */
export interface Watch {
  /** Ends the watch and looks at memory and descriptors. Those have so long to come back; with 0, nobody looks whether they do. */
  readonly end: (milliseconds: number) => Promise<WatchedMemory>
}

/** Memory in megabytes. */
export interface WatchedMemory {
  readonly name: string
  readonly samples: number
  /** All of it: the median of the second third, after the warm-up, and of the last third, and the most. */
  readonly warm: number
  readonly end: number
  readonly peak: number
  /** What the main thread could not let go of, in the same two thirds. */
  readonly held: readonly [warm: number, end: number]
  readonly descriptors: readonly [before: number, after: number]
}

/** What may be added between the middle and the end of a run. All memory has the room in it that a collector leaves itself. */
const mostGrowth = { held: { share: 1.1, megabytes: 32 }, all: { share: 1.25, megabytes: 128 } }
/** Whoever has more is never right, however short the run. */
const mostMegabytes = 1500
/** Fewer samples say nothing about growth. */
const fewestSamples = 60
/** So many samples of all memory are taken for one of what is held. */
const collectEvery = 10
/** Descriptors that come and go by themselves, such as those of a pool of connections to a database. */
const spareDescriptors = 12
/** How long an event loop may be busy on a machine that others use too. */
const longestSilence = 20_000

/** What a process has to load to be watched. */
export const memoryReport = fileURLToPath(new URL('./memory-report.ts', import.meta.url))

/** Watches the memory, the descriptors and the event loop of a process that lives through the whole run. */
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
      const answered = await fetch(alive, { signal: AbortSignal.timeout(longestSilence) }).then(
        async (answer) => {
          await answer.arrayBuffer()
          return answer.status < 500
        },
        () => false,
      )
      if (!over.signal.aborted) journal.check('the event loop answers', answered, () => `${name} did not answer`)
      await sleep(1000)
    }
  })()
  return {
    async end(milliseconds) {
      over.abort()
      await watching
      const after = await quietCount(pid, milliseconds, before + spareDescriptors)
      const isBack = milliseconds === 0 || after <= before + spareDescriptors
      journal.check('descriptors come back', isBack, () => {
        const links = usageOf(pid)?.descriptors.map((link) => link.replace(/\d+/g, 'N')) ?? []
        return `${name}: ${before} became ${after}: ${[...new Set(links)].map((link) => `${links.filter((one) => one === link).length} ${link}`).join(', ')}`
      })
      const [all, kept] = [growthOf(samples), growthOf(held)]
      const peak = Math.max(0, ...samples)
      const isFlat = samples.length < fewestSamples || (isWithin(all, mostGrowth.all) && isWithin(kept, mostGrowth.held))
      journal.check('memory stays flat', isFlat && peak <= mostMegabytes, () => {
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

/** Megabytes; null where nothing was written down yet. */
function reportIn(home: string): number | null {
  try {
    return Number(readFileSync(join(home, 'memory.json'), 'utf8')) / 2 ** 20
  } catch {
    return null
  }
}

/** How many descriptors there are once connections that nobody uses are gone: the fewest that were seen. */
async function quietCount(pid: number, milliseconds: number, enough = 0): Promise<number> {
  let fewest = countOf(pid)
  for (const end = performance.now() + milliseconds; performance.now() < end && fewest > enough; ) {
    await sleep(500)
    fewest = Math.min(fewest, countOf(pid))
  }
  return fewest
}

/** Sessions that were just left keep their logs open for a while; what they hold is not lost. */
function countOf(pid: number): number {
  return usageOf(pid)?.descriptors.filter((link) => !link.endsWith('/log.jsonl')).length ?? 0
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
