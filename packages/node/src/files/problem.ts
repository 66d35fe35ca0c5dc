import type { JsonExpectation } from '../strings/english/command.ts'

export type ReadProblem =
  | { readonly kind: 'not-found' | 'is-folder' | 'no-permission' | 'empty' | 'not-utf8' | 'utf16' }
  | { readonly kind: 'unreadable'; readonly code: string }
  /** More bytes, values or parts than fit into memory. */
  | { readonly kind: 'too-large' | 'too-many-values' | 'too-many-parts'; readonly limit: number }
  | { readonly kind: 'not-json'; readonly fault: JsonFault }
  | { readonly kind: 'too-deep'; readonly place: string; readonly limit: number }
  /** A log that is recognized but not read by this version. */
  | { readonly kind: 'other-format'; readonly format: string }
  | { readonly kind: 'not-readable'; readonly dialect: string; readonly message: string }
  | { readonly kind: 'no-messages'; readonly came: string }
  | { readonly kind: 'line-without-message'; readonly line: number }
  | { readonly kind: 'no-such-conversation'; readonly wanted: number; readonly count: number }

/** Line and column count from 1. */
export interface JsonFault {
  readonly line: number
  readonly column: number
  readonly expected: JsonExpectation
  /** Null at the end of the text. */
  readonly came: string | null
}

export type Outcome<Value, Kind = ReadProblem> =
  | { readonly value: Value; readonly problem?: never }
  | { readonly problem: Kind; readonly value?: never }

export function thrownText(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The system's code, such as `ENOSPC`; null for another error. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Returns `otherwise` for a system error; throws other errors again. */
export async function ifPossible<Value, Other>(value: Promise<Value>, otherwise: Other): Promise<Value | Other> {
  try {
    return await value
  } catch (error) {
    if (codeOf(error) === null) throw error
    return otherwise
  }
}
