/** What was done to a log to make it whole. `line` is the line of the original, or in a JSON document the position of the message, from 1. */
export interface Mend {
  readonly kind: MendKind
  readonly line: number
  /** The tool of the call it is about. */
  readonly tool?: string
  /** Where the entry hangs now: a line of the original, or null where it became a beginning. */
  readonly to?: number | null
  /** The file that a picture went into, by its name alone. */
  readonly file?: string
}

/** The ways in which logs are mended, by stable names. */
export type MendKind =
  /** A byte order mark before the first line was taken away. */
  | 'byte-order-mark'
  /** NUL bytes were taken away. */
  | 'nul-bytes'
  /** Control characters in a text were written as JSON wants them. */
  | 'control-characters'
  /** Bytes that are no UTF-8 became the character that stands for such bytes. */
  | 'not-utf8'
  /** Halves of characters became the character that stands for such halves. */
  | 'lone-surrogates'
  /** Entries that stood on one line stand on lines of their own. */
  | 'split-line'
  /** The piece of an entry beside a whole one on the same line was left out. */
  | 'cut-piece'
  /** A line that is no JSON object was left out. */
  | 'cut-line'
  /** A last line that was never finished was left out. */
  | 'cut-end'
  /** A JSON document that ends too early, or is garbled from some place on, was closed behind its last whole item. */
  | 'closed-document'
  /** An entry that holds nothing an agent can read was left out. */
  | 'dropped-entry'
  /** A further copy of an entry was left out. */
  | 'repeated-entry'
  /** An entry that had the id of another one has one of its own. */
  | 'new-id'
  /** A log without its first entry has one again. */
  | 'new-head'
  /** The first entry of a log, which stood elsewhere, stands first. */
  | 'moved-head'
  /** An entry that stood before the one it hangs on stands behind it. */
  | 'moved-entry'
  /** An entry whose parent is not there, or that is its own ancestor, hangs on the one before it. */
  | 'relinked'
  /** A call without a result got one that says so. */
  | 'answered-call'
  /** A result that stood elsewhere stands behind its call. */
  | 'moved-result'
  /** A result without a call was left out. */
  | 'dropped-result'
  /** A second result of a call was left out. */
  | 'doubled-result'
  /** A very large picture went into a file of its own. */
  | 'lifted-image'
