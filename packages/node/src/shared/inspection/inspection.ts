import type { Message } from '@plimsoll/core'
import { type Cost, promptTotal, type Usage, type WindowCategory, type WindowFill } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { isSha256 } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { Role } from '@plimsoll/core/wire'

/** Everything that the inspector shows of one session except the texts, which are loaded when they come into view. */
export interface Inspection {
  readonly session: InspectedSession
  readonly messages: MessageTable
  readonly requests: readonly InspectedRequest[]
  /** Set if the requests themselves are only computed when they are looked at. Default: their number. */
  readonly requestCount?: number
  /** Every edit that ever took effect on this branch, in that order. */
  readonly edits: readonly InspectedEdit[]
  /** The window of the last request, or of the whole conversation if none was sent. */
  readonly fill: WindowFill
  /** Parts of the session that could not be read, each in one sentence. */
  readonly troubles: readonly string[]
  /** A sentence for the user about the whole session. Default: nothing. */
  readonly note?: string
  /** If the session is simulated: the same as recorded. */
  readonly recorded?: RecordedSide
  /** What cost most, the most expensive first. Default: unknown. */
  readonly findings?: readonly SessionFinding[]
}

/** A file that was read again unchanged, a lost cache with its cause, a large result, or tools that were never used, and its cost. */
export type SessionFinding = FindingPlace & { readonly tokens: number; readonly dollars: number } & (
    | { readonly kind: 'reads'; readonly about: string; readonly count: number; readonly times: number }
    | { readonly kind: 'pause' | 'model' | 'change'; readonly pauseSeconds: number | null; readonly at: number | null }
    | { readonly kind: 'result'; readonly tool: string | null; readonly about: string }
    | { readonly kind: 'mcp'; readonly about: string; readonly requests: number }
    /** Single tools that were never called, of `of`; `about` names the most expensive ones. */
    | { readonly kind: 'tools'; readonly about: string; readonly count: number; readonly of: number; readonly requests: number }
  )

/** Where it is: the number of a message, or the place of a request. Default: unknown. */
interface FindingPlace {
  readonly message?: number
  readonly request?: number
}

/** A session as recorded, in the same tokens and at the same prices as its simulation. */
export interface RecordedSide {
  readonly cost: InspectedCost
  /** The window of the last request. */
  readonly fill: WindowFill
  /** Of each request; estimated if the provider did not report it. */
  readonly usages: readonly Usage[]
  readonly costs: readonly (Cost | null)[]
}

export interface InspectedSession {
  readonly id: string
  readonly title: string | null
  /** Ours, or the reader that read the log of another agent. */
  readonly format: string
  /** Whether it can be changed here: restored, pinned, talked to. */
  readonly isOwn: boolean
  readonly root: string | null
  readonly model: string | null
  readonly first: number | null
  readonly last: number | null
  readonly bytes: number | null
  readonly cost: InspectedCost
  readonly pins: readonly string[]
  /** Messages whose results are hidden from the next request on. Default: none. */
  readonly hides?: readonly string[]
  /** If results of a gateway's conversation can be hidden here; a gateway that only observes sends them all the same. Default: they cannot, unless it is our own. */
  readonly hiding?: { readonly isObserved: boolean }
  /** The policy set that it is shown under: requests, edits and cost are simulated then. Default: none. */
  readonly under?: InspectedUnder
}

/** A policy set and a price row of `plimsoll replay`, by name. The price `session` is that of each request's model and day. */
export interface InspectedUnder {
  readonly policies: string
  readonly price: string
}

export interface InspectedCost {
  readonly dollars: number
  /** Requests whose cost is unknown: those without a known price, and those without usage. */
  readonly unpriced: number
  /** Those of them without usage. Default: none. */
  readonly unreported?: number
  /** What sub-agents and abandoned branches of a log cost; their requests are not among the others. Default: nothing. */
  readonly elsewhere?: number
}

/**
 * The messages of the branch as columns of the same length, because there may be a hundred thousand. A message's number is its
 * place, from 0.
 */
export interface MessageTable {
  readonly ids: readonly string[]
  readonly roles: readonly Role[]
  /** As stored, before any edit. */
  readonly tokens: readonly number[]
  /** As the last request showed them; 0 for omitted ones. */
  readonly shown: readonly number[]
  readonly categories: readonly WindowCategory[]
  /** The place of the tool in `toolNames`, for calls and results; -1 for others. */
  readonly tools: readonly number[]
  readonly toolNames: readonly string[]
  /** In milliseconds; 0 if unknown. */
  readonly times: readonly number[]
}

/** One request that was sent, or would have been. */
export interface InspectedRequest {
  /** Its view is loaded by this name. */
  readonly id: string
  readonly at: number | null
  readonly model: string | null
  readonly fill: WindowFill
  readonly last: number
  /** Null if the provider did not report it. */
  readonly usage: Usage | null
  /** Null if the price is unknown, or nothing was reported. */
  readonly cost: Cost | null
  /** The number of edits that took effect with it, and the tokens they removed. */
  readonly edits: number
  readonly saved: number
  readonly waiting: number
  readonly isCompacted: boolean
  /** Null if it only continues the request before it. */
  readonly broken: CacheBreak | null
}

/** The place where a request differs from the one before it, so that the provider could not use its cache from there on. */
export interface CacheBreak {
  /** The number of the first message that changed; null for the part before the conversation. */
  readonly message: number | null
  /** The rule that changed it, if any. */
  readonly policy: string | null
  /** The reason if no rule changed it. */
  readonly reason: 'edit' | 'fold' | 'model' | 'layers' | 'rewind' | 'idle' | 'unknown'
  /** Tokens after that place, which had to be paid for again. */
  readonly tokens: number
}

/** An edit with its history. */
export interface InspectedEdit extends ReportedEdit {
  /** The numbers of the first and last message it replaces. */
  readonly number: number
  readonly lastNumber: number
  /** The time and the request (its place in `requests`) at which it took effect; null if none was sent since. */
  readonly at: number | null
  readonly request: number | null
  readonly state: 'in-force' | 'withdrawn'
}

/** A message in a list, with the edits that change it. */
export interface InspectedMessage {
  readonly number: number
  /** As stored. Results over 1 MB are extracts. */
  readonly message: Message
  readonly tokens: number
  readonly isPinned: boolean
  readonly edits: readonly string[]
}

/** A request exactly as it was sent, as far as the log shows. */
export interface SentRequest {
  readonly id: string
  readonly model: string | null
  readonly messages: readonly Message[]
  /** Whether it is proven to be, byte for byte, what was sent. */
  readonly isProven: boolean
}

/** The text of a part before and after an edit. */
export interface EditTexts {
  readonly before: string
  readonly after: string
  /** Why `before` is not complete, in a sentence; null if it is. */
  readonly trouble: string | null
}

/**
 * The `data` of a media part in a page: its bytes as a data URL, or the sha256 to load them by. Anything else, such as an image on
 * another server, cannot be shown.
 */
export type ShownMedia =
  | { readonly url: string }
  | { readonly blob: { readonly sha256: string; readonly bytes: number } }
  | { readonly none: true }

/** Reads the `data` of a media part in a page. Never throws. */
export function shownMedia(data: unknown): ShownMedia {
  if (!isRecord(data)) return { none: true }
  const { url, blob } = data
  if (typeof url === 'string' && url.startsWith('data:')) return { url }
  if (!isRecord(blob) || !isSha256(blob['sha256'])) return { none: true }
  const { sha256, bytes } = blob
  return { blob: { sha256, bytes: typeof bytes === 'number' ? bytes : 0 } }
}

/** Facts about two requests in a row. */
interface BreakInput {
  readonly before: BreakRequest
  readonly now: BreakRequest
  /** The first difference between them. */
  readonly change: Pick<CacheBreak, 'message' | 'policy' | 'reason'> | null
  /** Tokens of this request from a message of the one before on, as the provider counts; for null, of all of it. */
  readonly tokensFrom: (message: number | null) => number
  /** The number of the message at which the cached part of this request ended; null before the conversation. */
  readonly readUpTo: number | null
  /** How long the provider keeps a prompt. Default: 300. */
  readonly lifetimeSeconds?: number | null
}

interface BreakRequest {
  readonly at: number | null
  readonly model: string | null
  /** Everything before the conversation, as names that change with it. */
  readonly prefix: string
  readonly usage: Usage | null
}

/** Finds where and why a request differs from the one before it; null if it only continues it. */
export function cacheBreak(input: BreakInput): CacheBreak | null {
  const { before, now, change, tokensFrom } = input
  if (before.model !== now.model) return { message: null, policy: null, reason: 'model', tokens: tokensFrom(null) }
  if (before.prefix !== now.prefix) return { message: null, policy: null, reason: 'layers', tokens: tokensFrom(null) }
  if (change !== null) return { ...change, tokens: change.reason === 'rewind' ? 0 : tokensFrom(change.message) }
  return missed(input)
}

function missed({ before, now, readUpTo, lifetimeSeconds = null }: BreakInput): CacheBreak | null {
  if (before.usage === null || now.usage === null) return null
  const kept = before.usage.cacheRead + before.usage.cacheWrite
  const { cacheRead } = now.usage
  const lost = Math.min(kept, promptTotal(now.usage)) - cacheRead
  // Providers keep prompts in blocks, so a little of the end is read again each time.
  if (kept === 0 || lost <= Math.max(minLost, kept * minShare)) return null
  const pause = before.at === null || now.at === null ? 0 : (now.at - before.at) / 1000
  const reason = pause > (lifetimeSeconds ?? usualLifetime) ? 'idle' : 'unknown'
  return { message: cacheRead === 0 ? null : readUpTo, policy: null, reason, tokens: lost }
}

const minLost = 1024
const minShare = 0.1
const usualLifetime = 300
