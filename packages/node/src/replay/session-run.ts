import type { GateName } from './gates.ts'

/** What one policy set did with one session. */
export interface SessionRun {
  /** The session, by name. */
  readonly session: string
  readonly requests: number
  /** Whether it is known that the simulated cache does what the provider's did. */
  readonly isCalibrated: boolean
  readonly hasTimes: boolean
  /** One for each price row, in the order of the rows. */
  readonly bills: readonly Bill[]
  /** What it took to decide, in milliseconds, one for each request. */
  readonly latencies: readonly number[]
  /** Tokens of each request, a list for each price row in order; only where they are wanted. */
  readonly prompts?: readonly (readonly number[])[]
  /** Which gates its views did not pass, each once. With any, what it saved does not count. Default: none. */
  readonly brokenGates?: readonly GateName[]
}

/** What one session cost with one policy set at one price row. */
export interface Bill {
  /** Dollars by what they were paid for. */
  readonly read: number
  readonly write: number
  readonly fresh: number
  readonly output: number
  /** Calls that write summaries, and requests that only keep the cache alive. */
  readonly summaries: number
  readonly keepAlive: number
  /** What getting back everything needed and not in view costs. */
  readonly recalls: number
  /** Tokens over all requests. */
  readonly readTokens: number
  readonly promptTokens: number
  /** Tokens that were cached and had to be written again because the view changed. */
  readonly rewrittenTokens: number
  /** Tokens of the largest request, and of the one that 95 of 100 stay below. */
  readonly peak: number
  readonly peak95: number
  /** Requests above 100k, 200k and 272k tokens. */
  readonly above: readonly [number, number, number]
  readonly retention: Retention
  /** Tokens of tool results as they came, and as they were shown, each counted when it was last shown. */
  readonly resultTokens: number
  readonly resultTokensShown: number
}

/**
 * What became of what was needed later: counts. What people said and which files were changed has to be there always; it is counted
 * among the classes only, as it would make the rest look better.
 */
export interface Retention {
  readonly needs: number
  readonly inView: number
  readonly byHandle: number
  readonly byQuery: number
  readonly lost: number
  /** Edits with anchors, and those of them with every anchor in view. */
  readonly edits: number
  readonly editsWhole: number
  /** Requests that would have been needed to get things back. */
  readonly recalls: number
  /** Results that were had back, and those of them that were had back more than once. */
  readonly recalled: number
  readonly recalledAgain: number
  /** The same counts for each class of needs. */
  readonly classes: Readonly<Record<string, { readonly needs: number; readonly inView: number }>>
}
