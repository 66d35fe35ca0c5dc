import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Journal } from './journal.ts'
import type { Random } from './random.ts'

/** The folder, time and shared services of a soak. */
export interface Stage {
  /** Contains everything, and is removed at the end. */
  readonly folder: string
  readonly random: Random
  readonly journal: Journal
  /** Whether it is time to end. Checked between rounds, so that every round is finished. */
  readonly isOver: (roundsDone: number) => boolean
  /** Whether to wait at the end for resources that are released with a delay. */
  readonly isPatient: boolean
  /** Whether to use only a few processes, to test the soak itself. */
  readonly isSmall: boolean
  /** Waits, but not past the end. */
  readonly rest: (milliseconds: number) => Promise<void>
  /** Creates a secret that must never appear in any output or file. */
  readonly plant: (name: string) => string
  readonly secrets: () => readonly string[]
  /** Creates a folder below that of the soak. */
  readonly makeFolder: (...names: readonly string[]) => string
  /** Always runs at the end, last registered first. */
  readonly atEnd: (work: () => unknown) => void
  readonly clear: () => Promise<void>
  readonly say: (line: string) => void
}

/** Options of a stage. */
export interface StageOptions {
  readonly random: Random
  readonly journal: Journal
  readonly milliseconds: number
  /** Maximum number of rounds of each client. */
  readonly rounds: number
  readonly isPatient: boolean
  readonly isSmall: boolean
  /** Ends it early. */
  readonly stop: AbortSignal
  readonly say: (line: string) => void
}

/** Creates a stage in its own temporary folder. */
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
