import type { Message, ToolResultPart } from '../message.ts'

/** What somebody wants back. Exactly one of `handle`, `id`, `tool` or `query` says of what; the rest says how much. */
export interface RecallRequest {
  /** The handle that stands in a cut, a digest or a summary. */
  readonly handle?: string
  /** The id of a message or of a tool call. */
  readonly id?: string
  /** The name of a tool; with `about`, the call whose arguments contain this text. The latest such call is meant. */
  readonly tool?: string
  readonly about?: string
  /** Words to search the session's past for. */
  readonly query?: string
  /** First and last line, counted from 1. */
  readonly lines?: readonly [first: number, last: number]
  /** First and last character of the text, or of the lines asked for, counted from 1: for lines too long to be read whole. */
  readonly characters?: readonly [first: number, last: number]
  /** A regular expression: only lines that match, with their numbers. */
  readonly pattern?: string
  /** The most tokens the answer may have. Default for the model's tool: 4,000. */
  readonly budget?: number
}

/** Where originals come from. */
export interface RecallSource {
  /** Every message of the session, whatever the branch, oldest first, as the log holds them. */
  readonly messages: () => Iterable<Message>
  /** The complete content of a result whose part holds only an extract, or why it cannot be had. */
  readonly whole: (part: ToolResultPart) => { readonly part: ToolResultPart } | { readonly trouble: string }
  /** The lines, counted from 0, that match a pattern; or why the pattern cannot be used. */
  readonly findLines: (
    pattern: string,
    lines: readonly string[],
  ) => { readonly found: readonly number[] } | { readonly trouble: string }
  /** Every fold ever made in the session: the messages it stood for when it was made, and what was shown in their place. */
  readonly folds: () => Iterable<RecallFold>
}

/** Messages that were folded. `messages` may be read only when it is asked for. */
export interface RecallFold {
  readonly messages: readonly Message[]
  readonly into?: Message | null
}

/** What came back. */
export type RecallAnswer =
  | {
      readonly kind: 'found'
      readonly text: string
      readonly original: Original
      readonly lines: number
      readonly shown: readonly (readonly [first: number, last: number])[]
    }
  | { readonly kind: 'spans'; readonly text: string; readonly spans: readonly Span[] }
  | { readonly kind: 'missing'; readonly text: string }

/** A text that can be had back, and where it stands. */
export interface Original {
  readonly handle: string
  readonly message: string
  readonly role: Message['role']
  readonly tool: string | null
  /** The paths, commands or patterns of its call, joined. */
  readonly about: string
  readonly text: string
}

/** A piece of an original that a search found. */
export interface Span {
  readonly original: Original
  readonly lines: readonly [first: number, last: number]
  readonly score: number
}
