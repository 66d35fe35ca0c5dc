import { hash } from 'node:crypto'
import { type Codec, codecs, type Message } from '@plimsoll/core'
import { estimator, isRecord } from '@plimsoll/core/text'
import { canonicalValue, chainOfMessages, historyElsewhere, identifyMessages, ReadError, type Reading } from '@plimsoll/core/wire'
import type { Finding, WireDialect } from '../../store/gateway-record.ts'
import type { RelayedRequest } from '../planner.ts'
import type { BodyReader, ReadBody } from './read-body.ts'

/** A request that was read. */
export interface UnderstoodRequest {
  readonly body: ReadBody
  readonly reading: Reading
  /** The messages of the reading, one for one, under names that say what they hold. */
  readonly messages: readonly Message[]
  /** How many of them stand before the conversation: system prompts. */
  readonly leading: number
  /** Hashes of the beginnings of the conversation; the first one is of the message after the leading ones. */
  readonly chains: readonly string[]
  readonly model: string | null
  /** Names everything that stands before the conversation. */
  readonly prefix: string
  /** Tokens of the tool definitions. */
  readonly overhead: number
  /** Whether the client asked for its prompt to be kept for an hour. */
  readonly isKeptForHour: boolean
  /** Why nothing of it may be changed; null where something may. */
  readonly doubt: Finding | null
}

/** Reads a request with what is known of those before it. A finding says why it could not be read. */
export function understandRequest(
  request: Pick<RelayedRequest, 'dialect' | 'model' | 'body'>,
  tenant: string,
  reader: BodyReader,
): UnderstoodRequest | Finding {
  const { dialect } = request
  const body = reader.read(request.body, listNames[dialect], `${dialect} ${tenant}`)
  if (body === null) return found('unreadable')
  const codec: Codec | undefined = codecs[dialect]
  let reading: Reading
  try {
    reading = codec.read(body.value, { isFixed: true })
  } catch (error) {
    if (error instanceof ReadError) return found('unsupported')
    throw error
  }
  const messages = identifyMessages(reading.messages, hashText)
  const start = messages.findIndex(({ role }) => role !== 'system')
  const leading = start < 0 ? messages.length : start
  const tools = body.value['tools'] ?? body.value['functions']
  const model = typeof body.value['model'] === 'string' ? body.value['model'].slice(0, 200) : request.model
  const system = messages.slice(0, leading).map(({ id }) => id)
  // What has tools and what has none are never one conversation: agents ask for titles and summaries on the side.
  const seed = `${dialect} ${Array.isArray(tools) && tools.length > 0 ? 'tools' : ''}`
  return {
    body,
    reading,
    messages,
    leading,
    chains: chainOfMessages(messages.slice(leading), hashText, seed),
    model,
    prefix: hashText(`${model ?? ''} ${system.join(' ')} ${sizeOf(tools).name}`),
    overhead: sizeOf(tools).tokens,
    isKeptForHour: dialect === 'anthropic' && isKeptForHour(body.value),
    doubt: historyElsewhere(body.value) ? found('history-elsewhere') : body.hasTwins ? found('unsupported') : null,
  }
}

/** The names of texts: half of a SHA-256 is more than anybody finds two of. */
export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

const listNames: Readonly<Record<WireDialect, string>> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
}

/** Clients mark what stands before the messages and the last few of them. */
function isKeptForHour({ system, tools, messages }: Readonly<Record<string, unknown>>): boolean {
  const last = Array.isArray(messages) ? (messages.slice(-mostMarked) as readonly unknown[]) : []
  const contents = last.map((message) => (isRecord(message) ? message['content'] : null))
  return [system, tools, ...contents].some((blocks) => Array.isArray(blocks) && blocks.slice(-mostMarked).some(hasHourMark))
}

const mostMarked = 6

function hasHourMark(block: unknown): boolean {
  const mark = isRecord(block) ? block['cache_control'] : null
  return isRecord(mark) && mark['ttl'] === '1h'
}

interface ToolSize {
  readonly name: string
  readonly tokens: number
}

// The same definitions are the same object for as long as a conversation is read on.
const sizes = new WeakMap<object, ToolSize>()
const noTools: ToolSize = { name: '', tokens: 0 }

function sizeOf(tools: unknown): ToolSize {
  if (typeof tools !== 'object' || tools === null) return noTools
  let size = sizes.get(tools)
  if (size === undefined) {
    const text = canonicalValue(tools)
    size = {
      name: hashText(text),
      tokens: Array.isArray(tools) && tools.length === 0 ? 0 : estimator.count(JSON.stringify(tools)),
    }
    sizes.set(tools, size)
  }
  return size
}

function found(code: Finding['code']): Finding {
  return { code, count: 1 }
}
