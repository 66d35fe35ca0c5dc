import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from '../journal.ts'
import { usageOf } from '../processes.ts'

/** What is watched. */
export interface WatchOptions {
  readonly name: string
  readonly pid: number
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
  /** The median of the second third, after the warm-up, and of the last third. */
  readonly warm: number
  readonly end: number
  readonly peak: number
  readonly descriptors: readonly [before: number, after: number]
}

/** What memory may grow by between the middle and the end of a run: a tenth, and the room that a collector leaves itself. */
const mostGrowth = { share: 1.1, megabytes: 64 }
/** Whoever has more is never right, however short the run. */
const mostMegabytes = 1500
/** Fewer samples say nothing about growth. */
const fewestSamples = 60
/** Descriptors that come and go by themselves, such as those of a pool of connections to a database. */
const spareDescriptors = 12
/** How long an event loop may be busy on a machine that others use too. */
const longestSilence = 20_000

/** Watches the memory, the descriptors and the event loop of a process that lives through the whole run. */
export function watchProcess({ name, pid, alive, journal }: WatchOptions): Watch {
  const samples: number[] = []
  const over = new AbortController()
  const before = countOf(pid)
  const watching = (async () => {
    while (!over.signal.aborted) {
      const usage = usageOf(pid)
      if (usage !== null) samples.push(usage.memory / 2 ** 20)
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
      const third = Math.ceil(samples.length / 3)
      const [warm, end] = [median(samples.slice(third, 2 * third)), median(samples.slice(-third))]
      const peak = Math.max(0, ...samples)
      const isFlat = samples.length < fewestSamples || end <= warm * mostGrowth.share + mostGrowth.megabytes
      journal.check('memory stays flat', isFlat && peak <= mostMegabytes, () => {
        return `${name}: ${warm.toFixed(0)} MB became ${end.toFixed(0)} MB, peak ${peak.toFixed(0)} MB`
      })
      return { name, samples: samples.length, warm, end, peak, descriptors: [before, after] }
    },
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
