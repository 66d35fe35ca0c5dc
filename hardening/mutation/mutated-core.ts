import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Mutant, mutateSource } from './mutate-source.ts'

/** The facts about mutated files that a test process needs. */
export interface MutatedCore {
  /** The folder of the original files; the mutated ones are in the folder of this description. */
  readonly sources: string
  /** All files, by number: their names, and the numbers of the files they import. */
  readonly files: readonly { readonly file: string; readonly imports: readonly number[] }[]
  readonly mutants: readonly Mutant[]
}

/** Writes mutated copies of files into a folder, with mutants in some of them, and describes them in `mutated.json`. */
export function writeMutatedCore(
  sources: string,
  files: readonly string[],
  covered: readonly string[],
  folder: string,
): MutatedCore {
  const mutants: Mutant[] = []
  const described = files.map((file, fileNumber) => {
    const source = readFileSync(join(sources, file), 'utf8')
    const mutated = mutateSource(source, { file, fileNumber, firstId: covered.includes(file) ? mutants.length : null })
    for (const mutant of mutated.mutants) mutants.push(mutant)
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), mutated.code)
    const imported = [...source.matchAll(/from '(\.[^']+)'/g)].map((match) => files.indexOf(join(dirname(file), match[1] ?? '')))
    return { file, imports: imported.filter((number) => number >= 0) }
  })
  const core = { sources, files: described, mutants }
  writeFileSync(join(folder, 'mutated.json'), JSON.stringify(core))
  return core
}

/** Reads what `writeMutatedCore` wrote. */
export function readMutatedCore(folder: string): MutatedCore {
  return JSON.parse(readFileSync(join(folder, 'mutated.json'), 'utf8')) as MutatedCore
}
