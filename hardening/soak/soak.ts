import { type Kills, soakCrashes } from './crashes/soak-crashes.ts'
import { createJournal, type Journal } from './journal.ts'
import { endProcessesIn } from './laws/check-leftovers.ts'
import { checkFolder } from './laws/check-secrets.ts'
import type { WatchedMemory } from './laws/watch-process.ts'
import { createRandom } from './random.ts'
import { createStage } from './stage.ts'
import { soakAgent } from './workloads/agent.ts'
import { soakGateway } from './workloads/gateway.ts'
import { soakServer } from './workloads/server.ts'

/** The workloads. */
export const workloadNames = ['agent', 'server', 'gateway', 'crashes'] as const
export type WorkloadName = (typeof workloadNames)[number]

/** Duration, size and seed of a soak. */
export interface SoakOptions {
  readonly workloads: readonly WorkloadName[]
  readonly seed: number
  readonly minutes: number
  /** Maximum number of rounds of each client. */
  readonly rounds: number
  /** How often the workload `crashes` kills each kind of process. */
  readonly kills: Kills
  /** Whether to wait at the end for resources that are released with a delay. */
  readonly isPatient: boolean
  /** Whether to use only a few processes, to test the soak itself. Default: no. */
  readonly isSmall?: boolean
  /** A shared PostgreSQL server, which must not be paused. Default: a separate one. */
  readonly database?: string
  /** Ends it early; everything created is still checked and removed. */
  readonly stop?: AbortSignal
  readonly say?: (line: string) => void
}

/** The result of a soak. */
export interface Soaked {
  readonly journal: Journal
  readonly memory: readonly WatchedMemory[]
}

/** Runs workloads in parallel until the time is over, checks every law, and removes everything it created. */
export async function runSoak(options: SoakOptions): Promise<Soaked> {
  const { workloads, seed, minutes, rounds, kills, isPatient, isSmall = false, database, say = () => undefined } = options
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
      if (name === 'crashes') return soakCrashes(stage, kills).then(() => [])
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
