/** Something about a request that its owner should know, in codes: findings hold no text of a conversation. */
export interface Finding {
  readonly code: FindingCode
  /** How often it was found in this request. */
  readonly count: number
}

/**
 * What may be found: what Plimsoll would not touch (`unreadable`, `unsupported`, `history-elsewhere`, `too-large`, `too-late`,
 * `not-applied`), what the provider may refuse (`orphan-result`, `unanswered-call`, `over-window`), what it was asked to do and left
 * to others (`context-management`), what stays because the model signed its thoughts together with it (`bound-thinking`), and results that
 * were shown trimmed before and are not any more because the store has lost what was decided (`decisions-lost`).
 */
export type FindingCode =
  | 'unreadable'
  | 'unsupported'
  | 'history-elsewhere'
  | 'too-large'
  | 'too-late'
  | 'not-applied'
  | 'store-unavailable'
  | 'orphan-result'
  | 'unanswered-call'
  | 'over-window'
  | 'context-management'
  | 'bound-thinking'
  | 'decisions-lost'
