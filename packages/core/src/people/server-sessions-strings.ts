/** Why the server did not do what was asked of a session: what happened, and what to do about it. */
export type SessionRefusalStrings = Readonly<
  Record<SessionRefusalCode, { readonly message: string; readonly suggestion: string | null }>
>

/** The refusals about sessions, by their stable names. */
export type SessionRefusalCode =
  | 'BUSY'
  | 'NO_QUESTION'
  | 'NOTHING_TO_RESUME'
  | 'NOTHING_TO_FOLD'
  | 'NOTHING_SAID'
  | 'NO_SUCH_COMMAND'
  | 'NO_SUCH_EDIT'
  | 'NO_SUCH_MESSAGE'
  | 'NO_SUCH_RESULT'
  | 'NO_SUCH_BLOB'
  | 'NO_SUCH_FORMAT'
  | 'BAD_REQUEST'
  | 'TOO_LONG_TO_EXPORT'
