import { createJournal, type Journal } from './journal.ts'
import { endProcessesIn } from './laws/check-leftovers.ts'
import { checkFolder } from './laws/check-secrets.ts'
import type { WatchedMemory } from './laws/watch-process.ts'
import { createRandom } from './random.ts'
import { createStage } from './stage.ts'
import { soakAgent } from './workloads/agent.ts'
import { soakGateway } from './workloads/gateway.ts'
import { soakServer } from './workloads/server.ts'

/** What can be soaked. */
export const workloadNames = ['agent', 'server', 'gateway'] as const
export type WorkloadName = (typeof workloadNames)[number]

/** How long, how much, and with which chance. */
export interface SoakOptions {
  readonly workloads: readonly WorkloadName[]
  readonly seed: number
  readonly minutes: number
  /** How many rounds each client does at most. */
  readonly rounds: number
  /** Whether there is time to wait in the end for what is kept for a while. */
  readonly isPatient: boolean
  /** Whether a few processes are enough, as for trying out the soak itself. Default: no. */
  readonly isSmall?: boolean
  /** A PostgreSQL that others use too, and that must not be paused. Default: one of its own. */
  readonly database?: string
  /** Ends it early; whatever was made is looked at and removed all the same. */
  readonly stop?: AbortSignal
  readonly say?: (line: string) => void
}

/** What came of it. */
export interface Soaked {
  readonly journal: Journal
  readonly memory: readonly WatchedMemory[]
}

/** Runs workloads side by side until the time is over, looks at every law, and removes everything that was made. */
export async function runSoak(options: SoakOptions): Promise<Soaked> {
  const { workloads, seed, minutes, rounds, isPatient, isSmall = false, database, say = () => undefined } = options
  const { stop = new AbortController().signal } = options
  const journal = createJournal(say)
  const stage = createStage({
    random: createRandom(seed),
    journal,
    milliseconds: minutes * 60_000,
    rounds,
    isPatient,
    isSmall,
    stop,
    say,
  })
  try {
    const runs = workloads.map((name) => {
      if (name === 'agent') return soakAgent(stage).then(() => [])
      return name === 'server' ? soakServer(stage) : soakGateway(stage, database ?? null)
    })
    const ended = await Promise.allSettled(runs)
    for (const one of ended)
      journal.check('workloads run to their end', one.status === 'fulfilled', () =>
        one.status === 'rejected' ? textOf(one.reason) : '',
      )
    checkFolder(stage.folder, journal)
    return { journal, memory: ended.flatMap((one) => (one.status === 'fulfilled' ? one.value : [])) }
  } finally {
    endProcessesIn(stage.folder)
    await stage.clear()
  }
}

function textOf(reason: unknown): string {
  return reason instanceof Error ? (reason.stack ?? reason.message) : String(reason)
}
