import type { JsonSchemaValidator, jsonSchemaValidator, McpServer } from '@modelcontextprotocol/server'
import { type Message, recallTool } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { answerRecall, type RecallSource } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { findLines } from '../session/recall-source.ts'
import { type GatewayStore, type StoredOriginal, StoreError } from '../store/gateway-store.ts'

interface StoredOriginals {
  readonly store: Pick<GatewayStore, 'originals' | 'originalsOf' | 'conversations'>
  readonly tenants: () => Promise<readonly string[]>
  /** Searches only conversations with a request since then; a handle finds its text in all. Default: all of them. */
  readonly since?: number
}

export interface RecallServerOptions extends StoredOriginals {
  readonly version: string
  readonly config: Config
}

/** An MCP server with one read-only tool, which returns what a gateway trimmed. */
export async function createRecallServer({ version, ...options }: RecallServerOptions): Promise<McpServer> {
  // Loaded here, because `plimsoll recall` uses the rest of this file without the protocol.
  const { fromJsonSchema, McpServer } = await import('@modelcontextprotocol/server')
  const server = new McpServer({ name: 'plimsoll', version }, { capabilities: { tools: {} } })
  const { name, description, inputSchema } = recallTool
  server.registerTool(
    name,
    {
      title: 'Recall trimmed content',
      description,
      inputSchema: fromJsonSchema<Readonly<Record<string, unknown>>>(inputSchema, lenient),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    async (input) => {
      const text = await answerStoredRecall(input, options).catch((error: unknown) => {
        if (!(error instanceof StoreError)) throw error
        return error.kind === 'damaged' ? damagedText : 'The originals cannot be read at the moment. Continue without this one.'
      })
      return { content: [{ type: 'text', text }] }
    },
  )
  return server
}

/** Accepts any object: the tool’s own answer helps a model more than a validator’s message. */
const lenient: jsonSchemaValidator = {
  getValidator<Value>(): JsonSchemaValidator<Value> {
    return (input) => ({ valid: true, data: input as Value, errorMessage: undefined })
  },
}

/** Answers like the agent’s own tool. If nothing is kept, it says that asking again does not help. */
export async function answerStoredRecall(input: unknown, options: Omit<RecallServerOptions, 'version'>): Promise<string> {
  const handle = isRecord(input) ? handleIn(input['handle']) : null
  const kept = await storedOriginals(handle, options)
  if (kept.length === 0) return handle === null ? nothingKept : notKept(handle, options.config)
  const facts = { config: options.config }
  const forged = handle === null ? null : severalTexts(handle, kept)
  if (forged !== null) return forged
  const answer = answerRecall(input, storedSource(kept), facts)
  const [only] = kept
  // The store also knows handles of parts other than text.
  const isUnknown = handle !== null && only !== undefined && kept.length === 1 && answer.startsWith('No text of this session')
  return isUnknown ? answerRecall({ ...(input as object), handle: '', id: only.message.id }, storedSource(kept), facts) : answer
}

/** Whether one handle names texts that differ, in whichever conversations they were hidden. */
function isForged(kept: readonly StoredOriginal[]): boolean {
  const texts = new Map<string, string>()
  return kept.some(({ handle, sha256 }) => {
    const known = texts.get(handle)
    if (sha256 !== undefined && known === undefined) texts.set(handle, sha256)
    return sha256 !== undefined && known !== undefined && known !== sha256
  })
}

/** What to answer if different texts have this handle; null if there is only one. */
export function severalTexts(handle: string, kept: readonly StoredOriginal[]): string | null {
  if (!isForged(kept)) return null
  const ids = kept.slice(0, 4).map(({ message }) => JSON.stringify(message.id))
  return (
    `Different texts have the handle ${handle}, which only happens if someone constructed one of them. So the handle recalls neither. ` +
    `Ask by tool and about (the path or the command), or by id (${ids.join(' or ')}).`
  )
}

export const damagedText =
  'The text stored under this handle is damaged, so it cannot be recalled. Asking again does not change that. If you need the content, call the tool that returned it again.'

const nothingKept =
  'Nothing has been hidden from this conversation, so there is nothing to recall. This answer is final: asking again does not change it.'

function notKept(handle: string, { gateway }: Config): string {
  return (
    `Nothing is kept under the handle ${handle}. Originals are kept for ${gateway.keep_days} days after they were last used; ` +
    'this one is gone or never was. This answer is final: asking again does not change it. If you need the content, call the tool that returned it again.'
  )
}

/** Null if none is given, or if the tool itself has to reject it. */
export function handleIn(given: unknown): string | null {
  if (typeof given !== 'string') return null
  const text = given.slice(0, 200).trim().toLowerCase()
  return /^(?:\[?recall[ :]{1,3})?([0-9a-f]{6,12})\]?$/.exec(text)?.[1] ?? null
}

/** Without a handle, everything hidden in the latest conversations, oldest first. */
export async function storedOriginals(handle: string | null, places: StoredOriginals): Promise<readonly StoredOriginal[]> {
  const { store, tenants } = places
  if (handle === null) return (await latestOriginals(places)).toSorted((one, other) => one.at - other.at)
  const found = await Promise.all((await tenants()).map((tenant) => store.originals(tenant, handle)))
  return found.flat()
}

const maxConversations = 40
const maxCharacters = 64_000_000

async function latestOriginals({ store, tenants, since = 0 }: StoredOriginals): Promise<readonly StoredOriginal[]> {
  const all = await Promise.all(
    (await tenants()).map(async (tenant) =>
      (await store.conversations(tenant, { limit: maxConversations })).map(({ id, last }) => ({ tenant, id, last })),
    ),
  )
  const latest = all
    .flat()
    .filter(({ last }) => last >= since)
    .toSorted((one, other) => other.last - one.last)
  const found: StoredOriginal[] = []
  let characters = 0
  for (const { tenant, id } of latest.slice(0, maxConversations)) {
    for (const original of await store.originalsOf(tenant, id)) {
      for (const part of original.message.parts)
        characters += part.type === 'tool-result' && part.content.type === 'text' ? part.content.text.length : 1000
      if (characters > maxCharacters) return found
      found.push(original)
    }
  }
  return found
}

/** Each result after its call. */
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
