import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { type RunnerTestCase, TestRunner } from 'vitest'
import { type MutatedCore, readMutatedCore } from './mutated-core.ts'
import { type Outcome, outcomeFile } from './outcome.ts'
import type { Switchboard } from './switchboard.ts'

/** A test with more steps takes too long for what it shows about one mutant. */
const maxSteps = 400_000
const folder = process.env['MUTATION_FOLDER'] ?? ''

/** Runs each test once unchanged, and then once for every mutant it reaches that no earlier test has killed. */
class MutationRunner extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    const run = TestRunner.getTestFn(test) as () => unknown
    const { board, outcome, core } = current()
    const name = test.fullTestName
    learnStatic(current())
    board.begin(null, Number.POSITIVE_INFINITY)
    await run()
    const { mutants, files, steps } = board.end()
    if (steps > maxSteps) return void outcome.slow.push(name)
    // Failing properties need not be minimised here.
    fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })

    const reached = mutants.filter((id) => !current().isStatic.has(id))
    await tryAll(reached, null)
    const entered = new Set([...files, ...mutants.map((id) => core.fileOf[id] as number)])
    for (const file of nearby(entered, core)) {
      const ids = current().staticIn.get(file)
      if (ids !== undefined) await tryAll(ids, core.usersOf[file] ?? new Set())
    }

    async function tryAll(ids: readonly number[], again: ReadonlySet<number> | null): Promise<void> {
      for (const id of ids) outcome.reached.add(id)
      const alive = ids.filter((id) => !outcome.killed.has(id))
      if (alive.length === 0 || (again !== null && !(await passes(null, again)))) return
      const killed: number[] = []
      for (const id of alive) if (!(await passes(id, again))) killed.push(id)
      if ((killed.length > 0 || again !== null) && !(await passes(null, again))) return void outcome.unrepeatable.push(name)
      for (const id of killed) outcome.killed.set(id, name)
    }

    async function passes(mutant: number | null, again: ReadonlySet<number> | null): Promise<boolean> {
      board.begin(mutant, steps * 4 + 20_000)
      try {
        if (again !== null) board.makeAgain(again)
        await run()
        return true
      } catch {
        return false
      } finally {
        board.end()
      }
    }
  }

  override onAfterRunFiles(files: Parameters<TestRunner['onAfterRunFiles']>[0]): void {
    super.onAfterRunFiles(files)
    const { killed, reached, slow, unrepeatable } = current().outcome
    const outcome: Outcome = { killed: Object.fromEntries(killed), reached: [...reached], slow, unrepeatable }
    writeFileSync(join(folder, outcomeFile), JSON.stringify(outcome))
  }
}

// oxlint-disable-next-line import/no-default-export -- Vitest takes a runner by this name only
export { MutationRunner as default }

/** The state of this process for all test files. */
interface Current {
  readonly board: Switchboard
  readonly core: Connected
  readonly outcome: { killed: Map<number, string>; reached: Set<number>; slow: string[]; unrepeatable: string[] }
  /** The mutants that affect module-level values, and the same by file. */
  isStatic: ReadonlySet<number>
  staticIn: ReadonlyMap<number, readonly number[]>
  made: number
}

interface Connected {
  readonly files: MutatedCore['files']
  /** The file number of each mutant. */
  readonly fileOf: readonly number[]
  /** For each file, itself and all files that import it, directly or not. */
  readonly usersOf: readonly ReadonlySet<number>[]
}

let known: Current | null = null

function current(): Current {
  if (known !== null) return known
  const board = globalThis.mutationSwitches
  if (board === undefined) throw new Error('The files under test are not mutated: load-mutants.ts comes first.')
  const outcome = { killed: new Map(), reached: new Set<number>(), slow: [], unrepeatable: [] }
  known = { board, core: connect(readMutatedCore(folder)), outcome, isStatic: new Set(), staticIn: new Map(), made: 0 }
  return known
}

function connect({ files, mutants }: MutatedCore): Connected {
  const numbers = new Map(files.map(({ file }, number) => [file, number]))
  const usersOf = files.map((_, number) => {
    const users = new Set([number])
    // Iterating a Set includes elements added meanwhile.
    for (const user of users) for (const [other, { imports }] of files.entries()) if (imports.includes(user)) users.add(other)
    return users
  })
  return { files, fileOf: mutants.map(({ file }) => numbers.get(file) ?? 0), usersOf }
}

/** The files a test executed, and their imports, because reading a constant leaves no trace. */
function nearby(entered: ReadonlySet<number>, { files }: Connected): ReadonlySet<number> {
  return new Set([...entered].flatMap((number) => [number, ...(files[number]?.imports ?? [])]))
}

function learnStatic(state: Current): void {
  const { board, core } = state
  if (board.made() === state.made) return
  state.made = board.made()
  board.begin(null, Number.POSITIVE_INFINITY)
  board.makeAgain()
  const ids = board.end().mutants
  state.isStatic = new Set(ids)
  state.staticIn = Map.groupBy(ids, (id) => core.fileOf[id] as number)
}
