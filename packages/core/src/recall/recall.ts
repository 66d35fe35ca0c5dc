import type { Facts } from '../facts.ts'
import type { Message, ToolResultPart } from '../message.ts'
import type { Room } from './cut-to-room.ts'
import { findCall, findHandle, findId } from './find-original.ts'
import { heldText, maxUnits, narrow } from './narrow.ts'
import type { LargeOriginal } from './placed-parts.ts'
import { searchSession } from './search.ts'

/**
 * A text that is too large to be held as one, read piece by piece from where it lies. Places are counted in UTF-16 units. What
 * reads it throws an `Error` when it is not there any more, or not as it was.
 */
export interface LargeText {
  readonly length: number
  /** A newline at the very end begins no further line. */
  readonly lines: number
  /** Where a line begins, counted from 1; the length of the text behind the last one. */
  readonly startOf: (line: number) => number
  /** The text between two places, which whoever asks has to keep near to each other. */
  readonly slice: (start: number, end: number) => string
}

/** What somebody wants back. Exactly one of `handle`, `id`, `tool` or `query` says of what; the rest says how much. */
export interface RecallRequest {
  /** The handle that stands in a cut, a digest or a summary. Its first six or more digits do where they are unique. */
  readonly handle?: string
  readonly id?: string
  /** The name of a tool or the kind of one; with `about`, the call whose arguments contain this text. The latest such call is meant. */
  readonly tool?: string
  readonly about?: string
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
  /** The same for content that is better read piece by piece; null for all other. Default: none is. */
  readonly large?: (part: ToolResultPart) => { readonly text: LargeText } | { readonly trouble: string } | null
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

/** What is not in the request itself. */
export interface RecallOptions {
  /** Tool table, strings and token counter, as the views were built with. Default: the built-in ones. */
  readonly facts?: Facts
  /** What the answer may take up. Default: `budget` tokens, or all it needs. */
  readonly room?: Room
}

/** What came back. */
export type RecallAnswer =
  | {
      readonly kind: 'found'
      /** The original bit for bit, or the piece of it that was asked for and has room. */
      readonly text: string
      readonly original: Original
      readonly lines: number
      /** Which of them the text shows, whole or in part. */
      readonly shown: readonly (readonly [first: number, last: number])[]
      /** Older originals that the request names as well, newest first, at most 20. */
      readonly others: readonly Origin[]
      readonly otherCount: number
      /** Why the text is only an extract, where the complete one cannot be had. */
      readonly trouble?: string
    }
  | { readonly kind: 'spans'; readonly text: string; readonly spans: readonly Span[] }
  | { readonly kind: 'missing'; readonly reason: MissingReason; readonly text: string }

/** Why nothing came back: a stable name for machines. */
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

/** Where a text that can be had back stands. */
export interface Origin {
  readonly handle: string
  /** The id of its message; for a fold that of the first message folded. */
  readonly message: string
  readonly role: Message['role']
  readonly tool: string | null
  /** The paths, commands or patterns of its call, joined. */
  readonly about: string
  /** Kinds of the pictures and files that belong to it and are no text. */
  readonly media: readonly string[]
}

/** A text that can be had back, and where it stands. */
export interface Original extends Origin {
  /** Empty where it is too large to be held. */
  readonly text: string
}

/** A piece of an original that a search found. */
export interface Span {
  readonly original: Origin
  readonly lines: readonly [first: number, last: number]
  /** Which characters of the one line it shows, if the line is too long. */
  readonly characters?: readonly [first: number, last: number]
  readonly text: string
  readonly score: number
}

/** What a look-up gives: an original with the others it could have been, or why there is none. */
export type Lookup = FoundOriginal | Missing

/** An original that was found; `large` is its text if that is too large to be held lightly. */
export type FoundOriginal = Omit<Found, 'kind' | 'text' | 'lines' | 'shown'> & { readonly large?: LargeOriginal }

type Found = Extract<RecallAnswer, { kind: 'found' }>

/** Why nothing was found. */
export type Missing = Extract<RecallAnswer, { kind: 'missing' }>

/** Gives back what a view left out: whole and bit for bit, or the lines asked for. Never throws, never cuts in silence. */
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
    answer = narrow(original, large.text, request, source, { facts, room, most: maxUnits })
  } catch (error) {
    return { kind: 'missing', reason: 'lost-blob', text: error instanceof Error ? error.message : String(error) }
  }
  const isTooLarge = answer.kind === 'missing' && answer.reason === 'too-large'
  // Whoever sets no limit wants all there is.
  const text = isTooLarge && room === undefined ? large.whole() : null
  if (text === null) return answer
  return narrow({ ...original, original: { ...original.original, text } }, heldText(text), request, source, { facts })
}

const noFacts: Facts = {}
