import type { Facts } from '../facts.ts'
import type { Message, ToolResultPart } from '../message.ts'
import type { Room } from './cut-to-room.ts'
import { findCall, findHandle, findId } from './find-original.ts'
import { heldText, maxUnits, narrow } from './narrow.ts'
import type { LargeOriginal } from './placed-parts.ts'
import { searchSession } from './search.ts'

/** A text too large for memory. Positions are UTF-16 units. Reading throws an `Error` if the text is gone or changed. */
export interface LargeText {
  readonly length: number
  /** A trailing newline does not start a line. */
  readonly lines: number
  /** Start of a line, counted from 1; the length of the text for a line after the last. */
  readonly startOf: (line: number) => number
  /** The caller keeps `start` and `end` close together. */
  readonly slice: (start: number, end: number) => string
}

/** Exactly one of `handle`, `id`, `tool` or `query` selects the original; the rest selects how much of it. */
export interface RecallRequest {
  /** The handle in a cut, digest or summary. Its first six or more digits are enough if unique. */
  readonly handle?: string
  readonly id?: string
  /** Name or kind of a tool; with `about`, a text in the call's arguments. The latest such call is used. */
  readonly tool?: string
  readonly about?: string
  readonly query?: string
  /** First and last, counted from 1. */
  readonly lines?: readonly [first: number, last: number]
  /** First and last, counted from 1, within the text or the requested lines: for very long lines. */
  readonly characters?: readonly [first: number, last: number]
  /** A regular expression. Returns only matching lines, with their numbers; of a JSON list its matching records. */
  readonly pattern?: string
  /** Maximum tokens of the answer. Default for the model's tool: 4,000. */
  readonly budget?: number
}

/** Where `recall` finds the originals: a log, a store, or messages in memory. */
export interface RecallSource {
  /** Every message of the session on any branch, oldest first, as logged. */
  readonly messages: () => Iterable<Message>
  /** The complete content of an extract, or why it is unavailable. */
  readonly whole: (part: ToolResultPart) => { readonly part: ToolResultPart } | { readonly trouble: string }
  /** The same for content that should be read piece by piece; null for any other. Default: none. */
  readonly large?: (part: ToolResultPart) => { readonly text: LargeText } | { readonly trouble: string } | null
  /** The matching lines, counted from 0, or why the pattern is invalid. */
  readonly findLines: (
    pattern: string,
    lines: readonly string[],
  ) => { readonly found: readonly number[] } | { readonly trouble: string }
  /** Every fold of the session: the messages it replaced, and the replacement. */
  readonly folds: () => Iterable<RecallFold>
}

/** `messages` may be a lazy getter. */
export interface RecallFold {
  readonly messages: readonly Message[]
  readonly into?: Message | null
}

export interface RecallOptions {
  /** Tool table, strings and token counter used for the views. Default: the built-in ones. */
  readonly facts?: Facts
  /** Default: `budget` tokens, or unlimited. */
  readonly room?: Room
}

export type RecallAnswer =
  | {
      readonly kind: 'found'
      /** The original bit for bit, or the requested piece that fits. */
      readonly text: string
      readonly original: Original
      readonly lines: number
      /** Line ranges shown, in full or in part. */
      readonly shown: readonly (readonly [first: number, last: number])[]
      /** Older originals that match the request, newest first, at most 20. */
      readonly others: readonly Origin[]
      readonly otherCount: number
      /** Why the text is only an extract. */
      readonly trouble?: string
    }
  | { readonly kind: 'spans'; readonly text: string; readonly spans: readonly Span[] }
  | { readonly kind: 'missing'; readonly reason: MissingReason; readonly text: string }

export type MissingReason =
  | 'bad-request'
  | 'bad-handle'
  | 'unknown-handle'
  | 'ambiguous-handle'
  | 'lost-blob'
  | 'too-large'
  | 'unknown-id'
  | 'no-call'
  | 'no-match'
  | 'outside'
  | 'bad-pattern'

export interface Origin {
  readonly handle: string
  readonly message: string
  readonly role: Message['role']
  readonly tool: string | null
  readonly about: string
  readonly media: readonly string[]
}

export interface Original extends Origin {
  /** Empty if it is too large for memory. */
  readonly text: string
}

export interface Span {
  readonly original: Origin
  readonly lines: readonly [first: number, last: number]
  /** The characters shown if the single line is too long. */
  readonly characters?: readonly [first: number, last: number]
  readonly text: string
  readonly score: number
}

export type Lookup = FoundOriginal | Missing

/** `large` is set if the text is too large to keep in memory. */
export type FoundOriginal = Omit<Found, 'kind' | 'text' | 'lines' | 'shown'> & { readonly large?: LargeOriginal }

type Found = Extract<RecallAnswer, { kind: 'found' }>

export type Missing = Extract<RecallAnswer, { kind: 'missing' }>

/** Returns trimmed content bit for bit, or the requested lines. Never throws and marks every cut. */
export function recall(request: RecallRequest, source: RecallSource, options: RecallOptions = {}): RecallAnswer {
  const { facts = noFacts } = options
  const room = options.room ?? (request.budget === undefined ? undefined : { tokens: request.budget })
  const { handle, id, tool, about, query } = request
  const call = tool === undefined && about === undefined ? undefined : { tool: tool ?? null, about: about ?? '' }
  const asked = [handle, id, call, query].filter((value) => value !== undefined)
  if (asked.length !== 1) {
    const text = `Say what to recall by exactly one of handle, id, tool (with about) or query; got ${asked.length}.`
    return { kind: 'missing', reason: 'bad-request', text }
  }
  if (query !== undefined) return searchSession(query, source, facts, room)
  const found =
    handle !== undefined
      ? findHandle(handle, source, facts)
      : id !== undefined
        ? findId(id, source, facts)
        : findCall(call ?? { tool: null, about: '' }, source, facts)
  if ('kind' in found) return found
  const { large, ...original } = found
  if (large === undefined) return narrow(original, heldText(original.original.text), request, source, { facts, room })
  let answer: RecallAnswer
  try {
    answer = narrow(original, large.text, request, source, { facts, room, max: maxUnits })
  } catch (error) {
    return { kind: 'missing', reason: 'lost-blob', text: error instanceof Error ? error.message : String(error) }
  }
  const isTooLarge = answer.kind === 'missing' && answer.reason === 'too-large'
  // Without a limit, return everything.
  const text = isTooLarge && room === undefined ? large.whole() : null
  if (text === null) return answer
  return narrow({ ...original, original: { ...original.original, text } }, heldText(text), request, source, { facts })
}

const noFacts: Facts = {}
