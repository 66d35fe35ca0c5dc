import type { Message } from '@plimsoll/core'
import { type Cost, promptTotal, type Usage, type WindowCategory, type WindowFill } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { isSha256 } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { Role } from '@plimsoll/core/wire'

/** Everything that the inspector shows of one session, without the texts: those are asked for as they come into sight. */
export interface Inspection {
  readonly session: InspectedSession
  readonly messages: MessageTable
  /** In the order they were sent. */
  readonly requests: readonly InspectedRequest[]
  /** How many they are, where they themselves are only worked out once somebody looks at them. Default: as many as there are. */
  readonly requestCount?: number
  /** Every edit that ever took effect on this branch, in the order they did. */
  readonly edits: readonly InspectedEdit[]
  /** What fills the window of the last request; of the whole conversation where none was sent. */
  readonly fill: WindowFill
  /** What of the session could not be read, each in one sentence for people. */
  readonly troubles: readonly string[]
  /** What whoever looks at it should know, in one sentence for people. Default: nothing. */
  readonly note?: string
}

/** What is known of the session as a whole. */
export interface InspectedSession {
  /** What names it in the server's addresses. */
  readonly id: string
  readonly title: string | null
  /** Ours, or the reader that read the log of another agent. */
  readonly format: string
  /** Whether it can be changed here: restored, pinned, talked to. */
  readonly isOwn: boolean
  readonly root: string | null
  /** The model that answered last. */
  readonly model: string | null
  readonly first: number | null
  readonly last: number | null
  readonly bytes: number | null
  readonly cost: InspectedCost
  readonly pins: readonly string[]
  /** The policy set under which it is shown as if that had been in force: requests, edits and money are simulated then. Default: none. */
  readonly under?: InspectedUnder
}

/** A policy set and a price row of `plimsoll replay`, by name. */
export interface InspectedUnder {
  readonly policies: string
  readonly price: string
}

/** Money of a session or a request. */
export interface InspectedCost {
  readonly dollars: number
  /** Requests whose price nobody knows. */
  readonly unpriced: number
}

/**
 * The messages of the branch, as columns: a session may have a hundred thousand. All columns have the same length; a message's number
 * is its place in them, from 0.
 */
export interface MessageTable {
  readonly ids: readonly string[]
  readonly roles: readonly Role[]
  /** As they are stored, before any edit. */
  readonly tokens: readonly number[]
  /** As the last request showed them; 0 for those it left out. */
  readonly shown: readonly number[]
  readonly categories: readonly WindowCategory[]
  /** The place of the tool in `toolNames`, for calls and results; -1 for others. */
  readonly tools: readonly number[]
  readonly toolNames: readonly string[]
  /** When it was written, in milliseconds; 0 where nobody knows. */
  readonly times: readonly number[]
}

/** One request that was sent, or would have been. */
export interface InspectedRequest {
  /** What names it; ask for its view with it. */
  readonly id: string
  readonly at: number | null
  readonly model: string | null
  readonly fill: WindowFill
  /** The number of the last message that stood in it. */
  readonly last: number
  /** What the provider reported; null where it did not. */
  readonly usage: Usage | null
  /** Null where nobody knows the price, or nothing was reported. */
  readonly cost: Cost | null
  /** How many edits took effect with it, and the tokens they took away. */
  readonly edits: number
  readonly saved: number
  /** Tokens of edits that wait. */
  readonly waiting: number
  /** Whether older messages were folded since the request before it. */
  readonly isCompacted: boolean
  /** Where it stops being what the request before it was; null where it only goes on. */
  readonly broken: CacheBreak | null
}

/** Where a request stopped being what the one before it was, so that the provider could not use its cache from there on. */
export interface CacheBreak {
  /** The number of the first message that changed; null for what stands before the conversation. */
  readonly message: number | null
  /** The rule that changed it; null where none did. */
  readonly policy: string | null
  /** In place of a rule: a fold, another model, other tools or instructions, a rewind, a long pause, or nobody knows. */
  readonly reason: 'edit' | 'fold' | 'model' | 'layers' | 'rewind' | 'idle' | 'unknown'
  /** Tokens behind that place, which had to be paid for again. */
  readonly tokens: number
}

/** An edit with its story. */
export interface InspectedEdit extends ReportedEdit {
  /** The number of the message it begins at, and of the last one it stands for. */
  readonly number: number
  readonly lastNumber: number
  /** When it took effect, and with which request (its place in `requests`); null where none was sent since. */
  readonly at: number | null
  readonly request: number | null
  readonly state: 'in-force' | 'withdrawn'
}

/** A message as it is shown in a list, with the edits that change it. */
export interface InspectedMessage {
  readonly number: number
  /** As it is stored. Results over 1 MB are extracts. */
  readonly message: Message
  readonly tokens: number
  readonly isPinned: boolean
  /** The ids of the edits in force that change it. */
  readonly edits: readonly string[]
}

/** A request exactly as it was sent, as far as the log can tell. */
export interface SentRequest {
  readonly id: string
  readonly model: string | null
  readonly messages: readonly Message[]
  /** Whether it is proven to be, byte for byte, what was sent. */
  readonly isProven: boolean
}

/** What an edit did to its part: the texts before and after. */
export interface EditTexts {
  readonly before: string
  readonly after: string
  /** Whether `before` is complete, or why not, in a sentence for people. */
  readonly trouble: string | null
}

/**
 * The `data` of a media part as pages get it: its bytes as a data URL, or the sha256 they are kept by, to be asked for. What is neither,
 * such as a picture that lies on some other server, cannot be shown.
 */
export type ShownMedia =
  | { readonly url: string }
  | { readonly blob: { readonly sha256: string; readonly bytes: number } }
  | { readonly none: true }

/** Reads the `data` of a media part that a page got. Never throws. */
export function shownMedia(data: unknown): ShownMedia {
  if (!isRecord(data)) return { none: true }
  const { url, blob } = data
  if (typeof url === 'string' && url.startsWith('data:')) return { url }
  if (!isRecord(blob) || !isSha256(blob['sha256'])) return { none: true }
  const { sha256, bytes } = blob
  return { blob: { sha256, bytes: typeof bytes === 'number' ? bytes : 0 } }
}

/** What is known of two requests that followed one another. */
interface BreakInput {
  readonly before: BreakRequest
  readonly now: BreakRequest
  /** Something that was said or shown differently between them; the first of it. */
  readonly change: Pick<CacheBreak, 'message' | 'policy' | 'reason'> | null
  /** Tokens of this request from a message on that stood in the one before, as the provider counts; for null, of all of it. */
  readonly tokensFrom: (message: number | null) => number
  /** The number of the message at which what the provider had cached of this request was over; null before the conversation. */
  readonly readUpTo: number | null
  /** How long the provider keeps a prompt. Default: 300. */
  readonly lifetimeSeconds?: number | null
}

/** One request, as far as a provider's cache is concerned. */
interface BreakRequest {
  readonly at: number | null
  readonly model: string | null
  /** Everything that stands before the conversation, by names that change with it. */
  readonly prefix: string
  readonly usage: Usage | null
}

/** Where a request stopped being what the one before it was, and why; null where it only went on. */
export function cacheBreak(input: BreakInput): CacheBreak | null {
  const { before, now, change, tokensFrom } = input
  if (before.model !== now.model) return { message: null, policy: null, reason: 'model', tokens: tokensFrom(null) }
  if (before.prefix !== now.prefix) return { message: null, policy: null, reason: 'layers', tokens: tokensFrom(null) }
  if (change !== null) return { ...change, tokens: change.reason === 'rewind' ? 0 : tokensFrom(change.message) }
  return missed(input)
}

/** What the provider should have had and did not. */
function missed({ before, now, readUpTo, lifetimeSeconds = null }: BreakInput): CacheBreak | null {
  if (before.usage === null || now.usage === null) return null
  const kept = before.usage.cacheRead + before.usage.cacheWrite
  const { cacheRead } = now.usage
  const lost = Math.min(kept, promptTotal(now.usage)) - cacheRead
  // Providers keep prompts in blocks, so that a little of the end is read again each time.
  if (kept === 0 || lost <= Math.max(leastLost, kept * leastShare)) return null
  const pause = before.at === null || now.at === null ? 0 : (now.at - before.at) / 1000
  const reason = pause > (lifetimeSeconds ?? usualLifetime) ? 'idle' : 'unknown'
  return { message: cacheRead === 0 ? null : readUpTo, policy: null, reason, tokens: lost }
}

const leastLost = 1024
const leastShare = 0.1
const usualLifetime = 300
