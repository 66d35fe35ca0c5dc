import { readFileSync } from 'node:fs'
import type { Mutant } from './mutate-source.ts'

/** Mutants of one line that no test can kill, because they have no visible effect. */
export interface Explained {
  /** The path from core's source folder. */
  readonly file: string
  /** The source line, without indentation. */
  readonly code: string
  /** The changes, as `changeOf` writes them. */
  readonly changes: readonly string[]
  readonly why: string
}

/** The mismatches between survivors and explanations. */
export interface Comparison {
  readonly unexplained: readonly Mutant[]
  /** Explanations of mutants that were killed or do not exist, as file, line and change. */
  readonly outdated: readonly string[]
  readonly explained: readonly Mutant[]
}

/** The explanations in survivors.json. */
export function readExplained(): readonly Explained[] {
  return JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Explained[]
}

/** A mutant as text, in explanations and on screen. */
export function changeOf({ from, to }: Pick<Mutant, 'from' | 'to'>): string {
  return `${oneLine(from)} → ${to === '' ? '(left out)' : oneLine(to)}`
}

/** Compares the survivors of some files with the explanations of these files. */
export function compareSurvivors(
  survivors: readonly Mutant[],
  explanations: readonly Explained[],
  files: readonly string[],
): Comparison {
  const covered = new Set(files)
  const wanted = new Set(explanations.filter(({ file }) => covered.has(file)).flatMap(keysOf))
  const found = new Set(survivors.map(keyOf))
  return {
    unexplained: survivors.filter((mutant) => !wanted.has(keyOf(mutant))),
    outdated: [...wanted].filter((key) => !found.has(key)),
    explained: survivors.filter((mutant) => wanted.has(keyOf(mutant))),
  }
}

/** The key by which explanations and mutants are matched. */
export function keyOf(mutant: Mutant): string {
  return `${mutant.file}: ${mutant.code}: ${changeOf(mutant)}`
}

/** The same for each change of an explanation. */
export function keysOf({ file, code, changes }: Explained): readonly string[] {
  return changes.map((change) => `${file}: ${code}: ${change}`)
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
