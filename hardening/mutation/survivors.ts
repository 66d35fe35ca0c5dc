import { readFileSync } from 'node:fs'
import type { Mutant } from './mutate-source.ts'

/** Mutants of one line that no test can notice, because they change nothing that anybody could see. */
export interface Explained {
  /** The path from core's source folder. */
  readonly file: string
  /** The source line, without its indentation. */
  readonly code: string
  /** What is changed into what, as `changeOf` writes it. */
  readonly changes: readonly string[]
  readonly why: string
}

/** What a comparison of survivors and explanations found wrong. */
export interface Comparison {
  readonly unexplained: readonly Mutant[]
  /** Explanations of what does not survive, or does not exist: each its file, line and change. */
  readonly outdated: readonly string[]
  readonly explained: readonly Mutant[]
}

/** The explanations that are kept beside this file. */
export function readExplained(): readonly Explained[] {
  return JSON.parse(readFileSync(new URL('survivors.json', import.meta.url), 'utf8')) as readonly Explained[]
}

/** How a mutant is written in explanations and on screen. */
export function changeOf({ from, to }: Pick<Mutant, 'from' | 'to'>): string {
  return `${oneLine(from)} → ${to === '' ? '(left out)' : oneLine(to)}`
}

/** Holds the survivors of some files against the explanations of these files. */
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

/** By what an explanation and a mutant know each other. */
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
