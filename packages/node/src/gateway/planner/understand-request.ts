import { hash } from 'node:crypto'
import { type Codec, codecs } from '@plimsoll/core'
import { estimator, isRecord } from '@plimsoll/core/text'
import { canonicalValue, chainOfMessages, historyElsewhere, identifyMessages, ReadError, type Reading } from '@plimsoll/core/wire'
import type { Finding, OfferedTool, WireDialect } from '../../store/gateway-record.ts'
import type { RelayedRequest } from '../planner.ts'
import { type BodyReader, type ReadBody, TooManyError } from './read-body.ts'

export type UnderstoodRequest = Exclude<ReturnType<typeof understandRequest>, Finding>

/** Reads a request by what earlier ones have in common with it. A finding says why it could not be read. */
export function understandRequest(
  request: Pick<RelayedRequest, 'dialect' | 'model' | 'body'>,
  tenant: string,
  reader: BodyReader,
) {
  const { dialect } = request
  const body = readOf(request.body, listNames[dialect], `${dialect} ${tenant}`, reader)
  if ('code' in body) return body
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
  // Requests with tools and without are never one conversation: agents ask for titles and summaries on the side.
  const seed = `${dialect} ${Array.isArray(tools) && tools.length > 0 ? 'tools' : ''}`
  return {
    body,
    reading,
    /** The messages of the reading, one for one, with ids that are hashes of their content. */
    messages,
    /** The number of system prompts before the conversation. */
    leading,
    /** Hashes of the conversation's prefixes; the first is of the message after the leading ones. */
    chains: chainOfMessages(messages.slice(leading), hashText, seed),
    model,
    /** A hash of everything before the conversation. */
    prefix: hashText(`${model ?? ''} ${system.join(' ')} ${sizeOf(tools).name}`),
    overhead: sizeOf(tools).tokens,
    /** The tools among `overhead`, one by one. */
    offered: () => offeredTools(tools),
    isKeptForHour: dialect === 'anthropic' && isKeptForHour(body.value),
    /** Why nothing in it may be changed, or null. */
    doubt: historyElsewhere(body.value) ? found('history-elsewhere') : body.hasTwins ? found('unsupported') : null,
  }
}

function readOf(body: Uint8Array, list: string, owner: string, reader: BodyReader): ReadBody | Finding {
  try {
    return reader.read(body, list, owner) ?? found('unreadable')
  } catch (error) {
    if (error instanceof TooManyError) return found('too-large')
    throw error
  }
}

export function hashText(text: string): string {
  return hash('sha256', text, 'hex').slice(0, 32)
}

const listNames: Readonly<Record<WireDialect, string>> = {
  anthropic: 'messages',
  'openai-chat': 'messages',
  'openai-responses': 'input',
  gemini: 'contents',
}

/** Clients mark the system prompt, the tools and the last few messages. */
function isKeptForHour(request: Readonly<Record<string, unknown>>): boolean {
  // A mark on the whole request is one on its last block.
  if (hasHourMark(request)) return true
  const { system, tools, messages } = request
  const last = Array.isArray(messages) ? (messages.slice(-maxMarked) as readonly unknown[]) : []
  const contents = last.map((message) => (isRecord(message) ? message['content'] : null))
  return [system, tools, ...contents].some((blocks) => Array.isArray(blocks) && blocks.slice(-maxMarked).some(hasHourMark))
}

const maxMarked = 6

function hasHourMark(block: unknown): boolean {
  const mark = isRecord(block) ? block['cache_control'] : null
  return isRecord(mark) && mark['ttl'] === '1h'
}

// The same definitions are the same object while a conversation continues.
const sizes = new WeakMap<object, typeof noTools>()
const noTools = { name: '', tokens: 0 }

function sizeOf(tools: unknown): typeof noTools {
  if (typeof tools !== 'object' || tools === null) return noTools
  let size = sizes.get(tools)
  if (size === undefined) {
    const isEmpty = Array.isArray(tools) && tools.length === 0
    size = { name: hashText(canonicalValue(tools)), tokens: isEmpty ? 0 : estimator.count(JSON.stringify(tools)) }
    sizes.set(tools, size)
  }
  return size
}

/** Without tools that the provider loads on demand: their definitions are not in the prompt. */
function offeredTools(tools: unknown): readonly OfferedTool[] {
  const listed: readonly unknown[] = Array.isArray(tools) ? tools : []
  const single = listed.flatMap((tool): readonly unknown[] => {
    const declared = isRecord(tool) ? (tool['functionDeclarations'] ?? tool['function_declarations']) : null
    return Array.isArray(declared) ? declared : [tool]
  })
  return single.slice(0, maxOffered).flatMap((tool) => {
    if (!isRecord(tool) || tool['defer_loading'] === true) return []
    const named = isRecord(tool['function']) ? tool['function'] : tool
    const name = named['name'] ?? tool['type']
    return typeof name === 'string' ? [{ name: name.slice(0, 100), tokens: estimator.count(JSON.stringify(tool)) }] : []
  })
}

const maxOffered = 300

function found(code: Finding['code']): Finding {
  return { code, count: 1 }
}
