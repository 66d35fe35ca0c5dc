import type { Message } from '@plimsoll/core'
import { type CacheTerms, cacheTermsOf, learnedTerms, ownServerTerms, type Price, usualTerms } from '@plimsoll/core/bill'
import type { Ledger } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { isLayer } from '../layers/assemble-layers.ts'
import type { FoundModel } from './choose-model.ts'
import { isOwnMachine, localProvider } from './server-access.ts'

/**
 * The ids of at most three messages up to which a provider should cache the prompt, oldest first: the last message in common with
 * the previous view, where the cached prompt ends; the last message that the next view will start with as well, since the recap
 * and announcement after it are written again each time; and the message before the first pending edit. The system prompt has its
 * own mark. `previous` is null for a first request; `waiting` holds the messages with pending edits.
 */
export function stableBreakpoints(
  view: readonly Message[],
  previous: readonly Message[] | null,
  waiting: readonly string[] = [],
): readonly string[] {
  let end = view.length
  while (end > 0 && isLayer(view[end - 1] as Message)) end -= 1
  const common = previous === null ? 0 : Math.min(end, commonStart(view, previous))
  // System messages at the start become the system prompt.
  const start = view.findIndex((message) => message.role !== 'system' || message.summary === true)
  if (start < 0) return []
  const waits = new Set(waiting)
  const boundary = waits.size === 0 ? -1 : view.findIndex(({ id }) => waits.has(id))
  const places = [boundary - 1, common - 1, end - 1].filter((place) => place >= start && place < end)
  return [...new Set(places)].sort((one, other) => one - other).map((place) => (view[place] as Message).id)
}

/** The shortest of the usual times that providers keep a prompt, in milliseconds. */
export const cacheLifetime = 5 * 60_000

export function commonStart(view: readonly Message[], previous: readonly Message[]): number {
  let common = 0
  while (common < view.length && isSame(view[common] as Message, previous[common])) common += 1
  return common
}

/** An edited message is a new object for each view, with the same parts as long as nothing changes. */
function isSame(message: Message, other: Message | undefined): boolean {
  if (message === other) return true
  if (other === undefined || message.id !== other.id || message.role !== other.role) return false
  const { parts } = message
  return parts.length === other.parts.length && parts.every((part, index) => part === other.parts[index])
}

/** Moves cache marks of chat completions to the last text of a message, where servers expect them. */
export function withCacheMarks(body: Record<string, unknown>): Record<string, unknown> {
  const { messages } = body
  if (!Array.isArray(messages) || !messages.some(isMarked)) return body
  return { ...body, messages: messages.map((message: unknown) => (isMarked(message) ? withMarkInside(message) : message)) }
}

type Marked = Readonly<Record<string, unknown>> & { readonly cache_control: unknown }

function isMarked(message: unknown): message is Marked {
  return isRecord(message) && message['cache_control'] !== undefined
}

function withMarkInside({ cache_control, ...message }: Marked): Record<string, unknown> {
  const { content } = message
  if (typeof content === 'string' && content !== '')
    return { ...message, content: [{ type: 'text', text: content, cache_control }] }
  if (!Array.isArray(content)) return message
  const last = content.findLastIndex((block: unknown) => isRecord(block) && block['type'] === 'text')
  const marked = content.map((block: unknown, index) => (index === last && isRecord(block) ? { ...block, cache_control } : block))
  return { ...message, content: marked }
}

/** Cache terms by the price, those of the user's own server or the usual ones if that is unknown, and none if the model has no cache. */
export function knownTerms(
  { provider, server }: Pick<FoundModel, 'provider' | 'server'>,
  hasPromptCache: boolean | null,
  price: Price | null,
): CacheTerms {
  if (hasPromptCache === false) return noCache
  if (price !== null) return cacheTermsOf(price)
  const isOwn = provider === localProvider && server !== null && isOwnMachine(server.url)
  return isOwn || provider === 'ollama' || provider === 'llamacpp' ? ownServerTerms : { ...usualTerms, isAssumed: true }
}

/** Cache terms with what reports have shown: how long the provider really keeps a prompt, or that it keeps none. */
export function termsInForce(
  { cacheTerms = usualTerms }: { readonly cacheTerms?: CacheTerms | undefined },
  { learned }: Ledger,
): CacheTerms {
  return learnedTerms(cacheTerms, learned ?? null)
}

/** Repeated tokens cost as much as new ones. */
export const noCache: CacheTerms = { read: 1, write: 1, lifetimeSeconds: null }
