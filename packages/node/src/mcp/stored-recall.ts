import { answerRecall, type Config, isRecord, type Message, type RecallSource } from '@plimsoll/core'
import { findLines } from '../session/find-lines.ts'
import type { GatewayStore, StoredOriginal } from '../store/gateway-store.ts'

/** What is asked for originals. */
export interface StoredRecallOptions {
  readonly store: Pick<GatewayStore, 'originals' | 'originalsOf' | 'conversations'>
  /** Whose originals may be read. */
  readonly tenants: () => Promise<readonly string[]>
  readonly config: Config
}

/**
 * Answers a model that asks for what a gateway hid from it, with the words and limits of the agent's own tool. What is not kept is
 * answered in a way that leaves nothing to try again.
 */
export async function answerStoredRecall(input: unknown, options: StoredRecallOptions): Promise<string> {
  const handle = isRecord(input) ? handleIn(input['handle']) : null
  const kept = await storedOriginals(handle, options)
  if (handle !== null && kept.length === 0) return notKept(handle, options)
  if (handle === null && kept.length === 0) return nothingKept
  const facts = { config: options.config }
  const answer = answerRecall(input, storedSource(kept), facts)
  const [only] = kept
  // The store knows a message by a handle that its text alone does not have: a part of it that is no text was hidden.
  const isUnknown = handle !== null && only !== undefined && kept.length === 1 && answer.startsWith('No text of this session')
  return isUnknown ? answerRecall({ ...(input as object), handle: '', id: only.message.id }, storedSource(kept), facts) : answer
}

/** What is kept under a handle, or without one everything hidden in the latest conversations, oldest first. */
export function storedOriginals(handle: string | null, options: Lookup): Promise<readonly StoredOriginal[]> {
  return handle === null ? latestOriginals(options) : originalsOf(handle, options)
}

const nothingKept =
  'Nothing has been hidden from this conversation that could be had back. This answer is final: asking again does not change it.'

function notKept(handle: string, { config }: StoredRecallOptions): string {
  return (
    `Nothing is kept under the handle ${handle}. Originals are kept for ${config.gateway.keep_days} days after they were last used; ` +
    'this one is gone or never was. This answer is final: asking again does not change it. If the content is needed, get it anew by the tool it came from.'
  )
}

type Lookup = Omit<StoredRecallOptions, 'config'>

/** A handle as the store knows it; null where none is asked for, or where it is for the tool itself to say what is wrong with it. */
export function handleIn(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const text = given.slice(0, 200).trim().toLowerCase()
  return /^(?:\[?recall[ :]{1,3})?([0-9a-f]{6,12})\]?$/.exec(text)?.[1] ?? null
}

async function originalsOf(handle: string, { store, tenants }: Lookup): Promise<readonly StoredOriginal[]> {
  const found = await Promise.all((await tenants()).map((tenant) => store.originals(tenant, handle)))
  return found.flat()
}

/** How many conversations are searched, and how much of them, for a question without a handle. */
const mostConversations = 40
const mostCharacters = 64_000_000

/** Everything hidden in the latest conversations, oldest first. */
async function latestOriginals({ store, tenants }: Lookup): Promise<readonly StoredOriginal[]> {
  const all = await Promise.all(
    (await tenants()).map(async (tenant) =>
      (await store.conversations(tenant, { limit: mostConversations })).map(({ id, last }) => ({ tenant, id, last })),
    ),
  )
  const latest = all
    .flat()
    .toSorted((one, other) => other.last - one.last)
    .slice(0, mostConversations)
  const found: StoredOriginal[] = []
  let characters = 0
  for (const { tenant, id } of latest) {
    for (const original of await store.originalsOf(tenant, id)) {
      characters += sizeOf(original.message)
      if (characters > mostCharacters) return inOrder(found)
      found.push(original)
    }
  }
  return inOrder(found)
}

function inOrder(originals: readonly StoredOriginal[]): readonly StoredOriginal[] {
  return originals.toSorted((one, other) => one.at - other.at)
}

function sizeOf({ parts }: Message): number {
  let size = 0
  for (const part of parts) {
    if (part.type === 'tool-result' && part.content.type === 'text') size += part.content.text.length
    else size += 1000
  }
  return size
}

/** Originals as a session that recall can look through: each result behind its call. */
export function storedSource(originals: readonly StoredOriginal[]): RecallSource {
  const messages = new Map<string, Message>()
  for (const { call, message, conversation } of originals) {
    if (call !== null) messages.set(`${conversation} ${call.id}`, call)
    messages.set(`${conversation} ${message.id}`, message)
  }
  return {
    messages: () => messages.values(),
    whole: () => ({ trouble: 'The rest of this result was never sent through the gateway.' }),
    findLines: (pattern, lines) => findLines(pattern, lines),
    folds: () => [],
  }
}
