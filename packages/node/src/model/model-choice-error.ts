/** Why no model can be called by a name. No key and no address is part of it: there may be a password in either. */
export type ModelChoiceProblem =
  /** The name tells no provider, and no address is set. */
  | { readonly kind: 'no-server' }
  /** The provider wants a key, and none of its variables is set. */
  | { readonly kind: 'no-key'; readonly variables: readonly string[] }
  /** What the variable holds cannot be sent as a key. */
  | { readonly kind: 'bad-key'; readonly variable: string }
  /** What was given as an address is none that can be used; `source` is a variable, or null for an address given by hand. */
  | { readonly kind: 'bad-address'; readonly source: string | null }

/** A model that cannot be called, with what is missing. */
export class ModelChoiceError extends Error {
  override readonly name = 'ModelChoiceError'
  readonly problem: ModelChoiceProblem

  constructor(problem: ModelChoiceProblem, message: string) {
    super(message)
    this.problem = problem
  }
}
