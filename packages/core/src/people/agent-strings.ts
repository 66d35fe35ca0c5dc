/** What `plimsoll chat` and `plimsoll -p` say about how they are called, and how a task ended. */
export interface AgentStrings {
  readonly help: {
    readonly chat: string
    readonly print: string
    readonly model: string
    readonly baseUrl: string
    readonly mode: string
    readonly maxCost: string
    readonly maxSteps: string
    readonly reasoning: string
    readonly resume: string
    readonly root: string
    readonly json: string
  }
  readonly badMode: (given: string, modes: string) => string
  readonly badReasoning: (given: string, levels: string) => string
  readonly badNumber: (flag: string, given: string) => string
  readonly noFolder: (path: string) => string
  readonly emptyTask: string
  readonly jsonNeedsTask: string
  readonly taskTooLong: (most: string) => string
  /** A limit of money needs a price. */
  readonly noPrice: (model: string) => string
  /** Which model answers, and why it. */
  readonly modelChosen: (model: string, why: string) => string
  /** How much room a server gives a model, what the model could have where that is known, and how to raise it. */
  readonly smallWindow: (tokens: string, most: string | null, how: 'ollama' | 'other') => string
  readonly offline: string
  readonly cancelled: string
  readonly summariesOfProject: string
  /** Something had to be asked, and nobody was there. */
  readonly notAllowed: string
  /** What to do where the session could not be written, and where nobody knows what happened. */
  readonly sessionFailed: string
  readonly unexpected: string
  readonly stopped: { readonly 'max-steps': string; readonly 'max-cost': string }
  /** Behind the last line of a task: requests, tokens and dollars, formatted. */
  readonly account: (account: {
    readonly requests: string
    readonly tokens: string
    readonly cost: string | null
    readonly session: string
  }) => string
}
