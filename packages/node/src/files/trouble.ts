import type { JsonExpectation } from '../strings/english/command.ts'

/** Why a file could not be viewed. Told apart by `kind`; put into words where it is shown. */
export type Trouble =
  | { readonly kind: 'not-found' | 'is-folder' | 'no-permission' | 'empty' | 'not-utf8' | 'utf16' }
  | { readonly kind: 'unreadable'; readonly code: string }
  /** More bytes, values in the whole file, or messages and parts in one conversation than there is memory for. */
  | { readonly kind: 'too-large' | 'too-many-values' | 'too-many-parts'; readonly limit: number }
  | { readonly kind: 'not-json'; readonly fault: JsonFault }
  | { readonly kind: 'too-deep'; readonly place: string; readonly limit: number }
  /** A log that is recognised and not read by this version. */
  | { readonly kind: 'other-format'; readonly format: string }
  /** A conversation that its dialect does not allow; the message names the place. */
  | { readonly kind: 'not-readable'; readonly dialect: string; readonly message: string }
  | { readonly kind: 'no-messages'; readonly came: string }
  | { readonly kind: 'line-without-message'; readonly line: number }
  | { readonly kind: 'no-such-conversation'; readonly wanted: number; readonly count: number }

/** Where a text stops being JSON. Line and column count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: JsonExpectation
  /** The character that stands there, or null at the end of the text. */
  readonly came: string | null
}

/** A value, or why there is none. */
export type Outcome<Value, Kind = Trouble> =
  | { readonly value: Value; readonly trouble?: never }
  | { readonly trouble: Kind; readonly value?: never }

/** What something that was thrown says, whatever it is. */
export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The system's name for what went wrong, such as `ENOSPC`; null for an error of another kind. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** The value, or `otherwise` if the system refuses it. An error of another kind is thrown again. */
export async function ifPossible<Value, Other>(value: Promise<Value>, otherwise: Other): Promise<Value | Other> {
  try {
    return await value
  } catch (error) {
    if (codeOf(error) === null) throw error
    return otherwise
  }
}
