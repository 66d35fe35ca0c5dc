/** An input for a target. */
export interface FuzzInput {
  readonly text: string
  /** Whole numbers from 0 to 65535 that parameterise the run, such as a limit or a place to cut at. */
  readonly choices: readonly number[]
}

/** A part of the program with its laws. */
export interface Target {
  readonly name: string
  /** The usual form of the text, which decides how it is mutated: one JSON value, JSON lines, or any text. */
  readonly form: 'json' | 'lines' | 'text'
  /** The number of choices of an input. */
  readonly choices: number
  /** Maximum length of a text, in characters. */
  readonly longest: number
  /** Path prefixes, from the repository's root, of the files whose branches count. */
  readonly covers: readonly string[]
  readonly seeds: () => readonly string[]
  /** Seeds from recordings next to the repository; none if there are none. */
  readonly recorded?: () => readonly string[]
  /** Strings of the format in addition to those in the covered files. */
  readonly words?: readonly string[]
  /** Throws if a law is broken; `holds` names the law. */
  readonly check: (input: FuzzInput) => void | Promise<void>
  /** Maximum number of branches per character, for targets that must run in linear time. */
  readonly maxSteps?: number
  /** How many times slower one execution is than usual; divides the number of executions. Default: 1. */
  readonly slowness?: number
  /** The length of the expanded text, if the text is an abbreviation. */
  readonly lengthOf?: (text: string) => number
}

/** A broken law. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw'
}

/** Checks a law. Its text identifies a find, so the same law must always use the same text. */
export function holds(isTrue: boolean, law: string): void {
  if (!isTrue) throw new BrokenLaw(law)
}
