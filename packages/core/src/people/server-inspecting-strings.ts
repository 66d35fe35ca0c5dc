/** What the server says about what is looked at: sessions of ours and logs of other agents. */
export interface InspectingStrings {
  /** Where only the beginning of an original is shown. */
  readonly originalCut: (megabytes: string) => string
  /** In place of a message that went through a gateway and was not kept. */
  readonly notKept: string
  /** About a conversation of which no texts were kept. */
  readonly textNotKept: string
  readonly refusals: Readonly<Record<InspectRefusalCode, { readonly message: string; readonly suggestion: string | null }>>
}

/** The refusals about what is looked at, by their stable names. */
export type InspectRefusalCode =
  | 'NO_SUCH_LOG'
  | 'NO_SUCH_CONVERSATION'
  | 'NO_SUCH_REQUEST'
  | 'NO_SUCH_CHANGE'
  | 'NO_SUCH_CONTENT'
  | 'NOT_A_LOG'
  | 'EMPTY_FILE'
  | 'TOO_MANY_FILES'
  | 'NOTHING_TO_REPLAY'
