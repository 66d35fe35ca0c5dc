/** The kinds of strings that actions use: classes N1 to N7. */
export type NeedClass = 'edit-anchor' | 'path' | 'symbol' | 'opaque-id' | 'error-line' | 'answer-fact' | 'user-rule'

/** A string that an action of the agent used and could only know from an earlier tool result or call. */
export interface Need {
  readonly class: NeedClass
  readonly text: string
  readonly step: number
  /** For an anchor, the id of the call that edits. */
  readonly edit: string | null
  /** Whether the string could also be written without having read it. Such needs are charged too, and left out of the checked list. */
  readonly isDoubtful?: true
  /** The parts of the same segment, before the answer, whose originals contain it, newest first. */
  readonly suppliers: readonly Supplier[]
}

export interface Supplier {
  readonly message: string
  readonly part: number
  /** Calls and reasoning are the model's own text: as long as they are shown, nothing in them was needed from a tool. */
  readonly from: 'result' | 'call' | 'reasoning' | 'user'
}

/** Whether a supplier is the model's own text, which a policy may hide too. */
export function isOwnText({ from }: Pick<Supplier, 'from'>): boolean {
  return from === 'call' || from === 'reasoning'
}

/** In view; recallable by a handle in view; found by a search with words in view; lost. */
export type NeedState = 'view' | 'handle' | 'query' | 'lost'

export interface NeedOutcome {
  readonly need: Need
  readonly state: NeedState
  /** The supplier that would have to be recalled; null if the need is in view. */
  readonly supplier: Supplier | null
  /** The text that recall would return, or the full result if the tool must run again; empty if the need is in view. */
  readonly recalled: string
  /** A piece that was recalled first and did not have the need. Default: none. */
  readonly tried?: string
}
