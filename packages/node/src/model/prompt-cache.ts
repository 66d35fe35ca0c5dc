import type { Message } from '@plimsoll/core'
import { believedLifetime, type CacheTerms, cacheTermsOf, hasNoCache, type Price, usualTerms } from '@plimsoll/core/bill'
import type { Ledger } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { isLayer } from '../layers/assemble-layers.ts'
import type { FoundModel } from './choose-model.ts'
import type { ModelClient } from './model-client.ts'
import { isOwnMachine, localProvider } from './server-access.ts'

/**
 * The messages of a view up to which a provider should keep the prompt, oldest first, at most three. One is the last message that
 * this view has in common with the one sent before it: what was kept then ends there, and is found again only if this request says
 * so. One is the last message that the next view will begin with as well: the recap and the announcement behind it are written anew
 * each time. One stands right before the first message that waits to be shown differently: once it is, everything before it should be
 * found. The system prompt is marked by itself and is never among them. `previous` is null for a first request; `waiting` names the
 * messages that wait.
 */
export function stableBreakpoints(
  view: readonly Message[],
  previous: readonly Message[] | null,
  waiting: readonly string[] = [],
): readonly string[] {
  let end = view.length
  while (end > 0 && isLayer(view[end - 1] as Message)) end -= 1
  const common = previous === null ? 0 : Math.min(end, commonStart(view, previous))
  // What is said before anybody spoke becomes the system prompt.
  const start = view.findIndex((message) => message.role !== 'system' || message.summary === true)
  if (start < 0) return []
  const waits = new Set(waiting)
  const boundary = waits.size === 0 ? -1 : view.findIndex(({ id }) => waits.has(id))
  const places = [boundary - 1, common - 1, end - 1].filter((place) => place >= start && place < end)
  return [...new Set(places)].sort((one, other) => one - other).map((place) => (view[place] as Message).id)
}

/** Milliseconds that providers keep a prompt which nobody asks for again; the shortest of the usual times. */
export const cacheLifetime = 5 * 60_000

export function commonStart(view: readonly Message[], previous: readonly Message[]): number {
  let common = 0
  while (common < view.length && isSame(view[common] as Message, previous[common])) common += 1
  return common
}

/** A message that is shown differently is made anew for each view, of the same parts as long as nothing changes. */
function isSame(message: Message, other: Message | undefined): boolean {
  if (message === other) return true
  if (other === undefined || message.id !== other.id || message.role !== other.role) return false
  const { parts } = message
  return parts.length === other.parts.length && parts.every((part, index) => part === other.parts[index])
}

/**
 * A request of the chat completions whose marks for the cache stand where servers look for them: with the last text of a message,
 * not with the message. The very same where nothing is marked.
 */
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

/** What caching costs with a model: by its price, the usual where nobody knows that, and nothing gained where it has no cache. */
export function knownTerms(
  { provider, server }: Pick<FoundModel, 'provider' | 'server'>,
  hasPromptCache: boolean | null,
  price: Price | null,
): CacheTerms {
  if (hasPromptCache === false || price?.input === 0) return noCache
  if (price !== null) return cacheTermsOf(price)
  return isPlainServer(provider, server) ? noCache : usualTerms
}

/** What caching costs with a model of which reports have taught something: how long it really keeps a prompt, or that it keeps none. */
export function termsInForce({ cacheTerms = usualTerms }: Pick<ModelClient, 'cacheTerms'>, { learned }: Ledger): CacheTerms {
  if (learned === undefined) return cacheTerms
  return hasNoCache(learned) ? noCache : { ...cacheTerms, lifetimeSeconds: believedLifetime(cacheTerms, learned) }
}

/** Where the same tokens cost the same however often they are sent, there is nothing to spare. */
export const noCache: CacheTerms = { read: 1, write: 1, lifetimeSeconds: null }

/** Whether nobody is paid by the token: a server that somebody runs for themselves. */
function isPlainServer(provider: string, server: FoundModel['server']): boolean {
  if (provider === 'ollama' || provider === 'llamacpp') return true
  return provider === localProvider && server !== null && isOwnMachine(server.url)
}
