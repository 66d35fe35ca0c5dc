/** What became of the mutants. */
export interface Outcome {
  /** By the number of a mutant, the test that noticed it. */
  readonly killed: Readonly<Record<string, string>>
  /** The numbers of the mutants that some test reached. */
  readonly reached: readonly number[]
  /** Tests that were not tried on mutants because they take too many steps. */
  readonly slow: readonly string[]
  /** Tests that fail when they are run again after a mutant: what they noticed does not count. */
  readonly unrepeatable: readonly string[]
}

/** The file, in the folder of mutated files, that says what became of them. */
export const outcomeFile = 'outcome.json'
