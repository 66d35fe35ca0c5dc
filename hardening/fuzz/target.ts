/** What a target is tried on. */
export interface FuzzInput {
  readonly text: string
  /** Whole numbers from 0 to 65535 that decide what is done with the text: a limit, a place to cut at. */
  readonly choices: readonly number[]
}

/** Some part of the program with the laws it has to keep. */
export interface Target {
  readonly name: string
  /** What the text mostly is, which says how it is changed: one JSON value, JSON lines, or any text. */
  readonly form: 'json' | 'lines' | 'text'
  /** How many choices an input has. */
  readonly choices: number
  /** The most characters of a text. */
  readonly longest: number
  /** Where the files stand whose branches count, from the repository's root. */
  readonly covers: readonly string[]
  readonly seeds: () => readonly string[]
  /** Seeds out of what was recorded beside the repository; none where nothing was. */
  readonly recorded?: () => readonly string[]
  /** Words of the format besides those that stand in the covered files. */
  readonly words?: readonly string[]
  /** Throws where a law is broken, and `holds` says which one. */
  readonly check: (input: FuzzInput) => void | Promise<void>
  /** The most branches that may be taken for each character, where time has to grow with the length alone. */
  readonly mostSteps?: number
  /** How many times as long as others one execution takes: of a given number, so many times fewer are made. Default: 1. */
  readonly slowness?: number
  /** The length of what a text stands for, where it is not the text itself. */
  readonly lengthOf?: (text: string) => number
}

/** A law that did not hold. */
export class BrokenLaw extends Error {
  override readonly name = 'BrokenLaw'
}

/** Holds a law; the same words for the same law, since they tell one find from another. */
export function holds(isTrue: boolean, law: string): void {
  if (!isTrue) throw new BrokenLaw(law)
}
