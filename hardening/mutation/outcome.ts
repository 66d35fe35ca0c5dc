/** The outcome for all mutants. */
export interface Outcome {
  /** The test that killed a mutant, by the mutant's number. */
  readonly killed: Readonly<Record<string, string>>
  /** The numbers of the mutants that any test reached. */
  readonly reached: readonly number[]
  /** Tests that were not run on mutants because they take too many steps. */
  readonly slow: readonly string[]
  /** Tests that fail on a second run without a mutant, so their results do not count. */
  readonly unrepeatable: readonly string[]
}

/** The name of the outcome file in the folder of mutated files. */
export const outcomeFile = 'outcome.json'
