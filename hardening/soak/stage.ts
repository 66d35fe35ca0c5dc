import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'

/** Where a soak happens, and for how long. */
export interface Stage {
  /** Everything lies below it, and it goes away in the end. */
  readonly folder: string
  readonly random: Random
  readonly journal: Journal
  /** Whether it is time to end: checked between rounds, so that nothing is left half done. */
  readonly isOver: (roundsDone: number) => boolean
  /** Whether there is time to wait until everything that is kept for a while has been let go of. */
  readonly isPatient: boolean
  /** Whether a few processes are enough, as for trying out the soak itself. */
  readonly isSmall: boolean
  /** Waits, but not past the end. */
  readonly rest: (milliseconds: number) => Promise<void>
  /** A value that must never be seen again, in whatever is written. */
  readonly plant: (name: string) => string
  readonly secrets: () => readonly string[]
  /** Makes a folder below that of the soak. */
  readonly makeFolder: (...names: readonly string[]) => string
  /** Done in the end, the last first, whatever happened. */
  readonly atEnd: (work: () => unknown) => void
  readonly clear: () => Promise<void>
  readonly say: (line: string) => void
}

/** What a stage is made of. */
export interface StageOptions {
  readonly random: Random
  readonly journal: Journal
  readonly milliseconds: number
  /** How many rounds each client does at most. */
  readonly rounds: number
  readonly isPatient: boolean
  readonly isSmall: boolean
  /** Ends it early. */
  readonly stop: AbortSignal
  readonly say: (line: string) => void
}

/** Makes a stage in a temporary folder of its own. */
export function createStage({ random, journal, milliseconds, rounds, isPatient, isSmall, stop, say }: StageOptions): Stage {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-soak-')))
  const end = performance.now() + milliseconds
  const secrets: string[] = []
  const endings: (() => unknown)[] = []
  return {
    folder,
    random,
    journal,
    isPatient,
    isSmall,
    say,
    isOver: (done) => done >= rounds || stop.aborted || performance.now() >= end,
    rest: (wanted) =>
      sleep(Math.max(0, Math.min(wanted, end - performance.now())), undefined, { signal: stop }).catch(() => undefined),
    plant(name) {
      const secret = `sk-planted-${name}-${random.below(2 ** 31).toString(36)}-${secrets.length}`
      secrets.push(secret)
      return secret
    },
    secrets: () => secrets,
    makeFolder(...names) {
      const path = join(folder, ...names)
      mkdirSync(path, { recursive: true })
      return path
    },
    atEnd: (work) => void endings.push(work),
    async clear() {
      for (const work of endings.toReversed()) await (async () => work())().catch((error: unknown) => say(String(error)))
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
