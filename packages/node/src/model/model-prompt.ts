import type { Message } from '@plimsoll/core'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { type DialectName, type ProviderOptions, type WriteRequestOptions, writeRequest } from '@plimsoll/core/wire'
import type { ModelMessage } from 'ai'
import type { CallableModel } from './providers.ts'

export type CallOptions = Parameters<CallableModel['doStream']>[0]

type Prompt = CallOptions['prompt']

interface PromptOptions {
  /** Whose rules hold for ids, names and pictures. */
  readonly behind: DialectName
  readonly marks: ReadonlyMap<string, ProviderOptions>
  readonly systemMark: ProviderOptions | null
}

/** Messages as a model takes them straight, without the AI SDK's own loop around it, which takes twice as long. */
export function modelPrompt(messages: readonly Message[], { behind, marks, systemMark }: PromptOptions): Prompt {
  const { instructions, messages: written } = modelMessages(messages, { behind, options: marks, isShared: true })
  const prompt: unknown[] = []
  const mark = systemMark === null ? {} : { providerOptions: systemMark }
  if (instructions !== undefined) prompt.push({ role: 'system', content: instructions, ...mark })
  const known = remembered.get(behind) ?? new WeakMap<RawMessage, unknown>()
  remembered.set(behind, known)
  for (const message of written) {
    const shown = known.get(message) ?? promptMessage(message, behind)
    known.set(message, shown)
    prompt.push(shown)
  }
  return (behind === 'anthropic' ? withAnswersJoined(prompt) : prompt) as Prompt
}

/** Gemini refuses a call that follows what the model said before, as it does where an answer was broken off; others join them too. */
function withAnswersJoined(prompt: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = []
  let content: unknown[] | null = null
  for (const message of prompt) {
    const last = joined.at(-1)
    if (isPlainAnswer(last) && isPlainAnswer(message)) {
      if (content === null) {
        content = [...last.content]
        joined[joined.length - 1] = { ...last, content }
      }
      for (const block of message.content) content.push(block)
    } else {
      content = null
      joined.push(message)
    }
  }
  return joined
}

/** One about which nothing more is said, such as that what precedes its end should be cached. */
function isPlainAnswer(message: unknown): message is { readonly content: readonly unknown[] } {
  return (
    isRecord(message) &&
    message['role'] === 'assistant' &&
    message['providerOptions'] === undefined &&
    Array.isArray(message['content'])
  )
}

type RawMessage = Readonly<Record<string, unknown>>

// The same messages are written the same way at every request, by the rules of whoever is asked.
const remembered = new Map<DialectName, WeakMap<RawMessage, unknown>>()

function promptMessage(message: RawMessage, behind: DialectName): unknown {
  const { role, content } = message
  if (role === 'system') return message
  const blocks: unknown = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks)) return message
  const convert = role === 'tool' ? (block: unknown) => promptResult(block, behind) : promptFile
  const converted = { ...message, content: blocks.map(convert) }
  return behind === 'openai-chat' && role !== 'assistant' ? withOptionsInside(converted) : converted
}

/** There what is said about a message is only heard with its last block. */
function withOptionsInside({ providerOptions, ...message }: RawMessage & { readonly content: readonly unknown[] }): unknown {
  const last = message.content.at(-1)
  if (providerOptions === undefined || !isRecord(last)) return message
  return { ...message, content: [...message.content.slice(0, -1), { ...last, providerOptions }] }
}

function promptResult(block: unknown, behind: DialectName): unknown {
  if (!isRecord(block) || !isRecord(block['output'])) return block
  const { output } = block
  const { type, value } = output
  if (type !== 'content' || !Array.isArray(value)) return block
  const items = value.map(promptFileInResult)
  // There a list would be written as JSON into the text.
  if (behind === 'openai-chat') {
    const texts = items.map((item) => (isRecord(item) && typeof item['text'] === 'string' ? item['text'] : ''))
    return { ...block, output: { type: 'text', value: texts.join('\n') } }
  }
  return { ...block, output: { ...output, value: items } }
}

/** An answer without what the model thought first, which some local servers send as the beginning of what it says. */
export function withoutThoughts(text: string): string {
  if (!/^\s*<think>/.test(text)) return text
  const end = text.indexOf(endOfThoughts)
  return end < 0 ? '' : text.slice(end + endOfThoughts.length).trimStart()
}

const endOfThoughts = '</think>'

/** A picture or file in somebody's message, in the one form that models take; other blocks stay as they are. */
export function promptFile(block: unknown): unknown {
  if (!isRecord(block) || (block['type'] !== 'file' && block['type'] !== 'image')) return block
  const data = dataOf(block['type'] === 'image' ? block['image'] : block['data'])
  const mediaType = typeof block['mediaType'] === 'string' ? block['mediaType'] : 'image'
  if (data === null) return { type: 'text', text: `[${mediaType}]` }
  return { ...fieldsOf(block), type: 'file', mediaType, data }
}

/** The same in the answer of a tool, where pictures and files have more names. */
export function promptFileInResult(block: unknown): unknown {
  if (!isRecord(block) || typeof block['type'] !== 'string') return { type: 'text', text: '' }
  const { type } = block
  if (type === 'text' || type === 'custom') return block
  if (type === 'file') return promptFile(block)
  const mediaType = typeof block['mediaType'] === 'string' ? block['mediaType'] : type.startsWith('image') ? 'image' : type
  const data = dataOf(type.endsWith('-url') ? urlOf(block['url']) : type.endsWith('-data') ? block['data'] : null)
  return data === null ? { type: 'text', text: `[${mediaType}]` } : { ...fieldsOf(block), type: 'file', mediaType, data }
}

function fieldsOf({ filename, providerOptions }: Readonly<Record<string, unknown>>) {
  return {
    ...(typeof filename === 'string' ? { filename } : {}),
    ...(isRecord(providerOptions) ? { providerOptions } : {}),
  }
}

/** Bytes, base64, an address or what already says which of them it is; null for anything else. */
function dataOf(data: unknown): unknown {
  if (data instanceof URL) return { type: 'url', url: data }
  const bytes = bytesOf(data)
  if (bytes !== null || !isRecord(data)) return bytes
  const { type } = data
  if (type === 'data') return bytesOf(data['data'])
  if (type === 'url') return urlOf(data['url'])
  return (type === 'text' && typeof data['text'] === 'string') || (type === 'reference' && isRecord(data['reference']))
    ? data
    : null
}

function bytesOf(data: unknown): unknown {
  if (data instanceof Uint8Array) return { type: 'data', data }
  if (data instanceof ArrayBuffer) return { type: 'data', data: new Uint8Array(data) }
  return typeof data === 'string' ? textData(data) : null
}

function textData(data: string): unknown {
  const inline = /^data:[^,]{0,200};base64,/i.exec(data.slice(0, 300))
  if (inline !== null) return { type: 'data', data: data.slice(inline[0].length) }
  return /^https?:\/\//i.test(data) ? urlOf(data) : { type: 'data', data }
}

function urlOf(url: unknown): unknown {
  if (url instanceof URL) return { type: 'url', url }
  if (isRecord(url) && url['type'] === 'url') return url
  if (typeof url !== 'string') return null
  if (/^data:/i.test(url.slice(0, 5))) return textData(url)
  const parsed = URL.parse(url)
  return parsed === null ? null : { type: 'url', url: parsed }
}

/**
 * Turns messages into what the AI SDK sends. The instructions are the system messages at the very beginning, summaries excepted; a
 * summary is shown as a reminder at its place. The same messages always give the same request.
 */
export function modelMessages(
  messages: readonly Message[],
  options: Pick<WriteRequestOptions, 'behind' | 'options' | 'isShared'> = {},
): { readonly instructions?: string; readonly messages: ModelMessage[] } {
  const { instructions, messages: written } = writeRequest('ai-sdk', messages, { model: '', ...options })
  return { ...(typeof instructions === 'string' ? { instructions } : {}), messages: written as ModelMessage[] }
}

/**
 * How a model is told how much to think, within what it may write in all; `null` says nothing to it. The library knows the words of
 * every provider. Where a model is given a number of tokens in place of a word, the number is ours: the library's is a share of what
 * the model could ever write, more than an answer has room for.
 */
export function thinking(
  level: ReasoningLevel | null,
  { provider, modelId }: Pick<CallableModel, 'provider' | 'modelId'>,
  maxOutputTokens: number,
): Pick<CallOptions, 'maxOutputTokens' | 'reasoning' | 'providerOptions'> {
  if (level === null) return { maxOutputTokens }
  if (level === 'none') return { maxOutputTokens, reasoning: level }
  const budget = Math.min(budgets[level], Math.floor(maxOutputTokens / 2))
  if (provider.startsWith('anthropic') && countsThoughts.anthropic.test(modelId)) {
    if (budget < leastBudget) return { maxOutputTokens }
    const options = { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } }
    // The library puts the budget on top of what it is told.
    return { maxOutputTokens: maxOutputTokens - budget, providerOptions: options }
  }
  if (provider.startsWith('google') && countsThoughts.google.test(modelId))
    return { maxOutputTokens, providerOptions: { google: { thinkingConfig: { thinkingBudget: budget } } } }
  return { maxOutputTokens, reasoning: level }
}

/** The same at every request, as far as there is room: another budget would make the provider forget what it has cached. */
const budgets: Readonly<Record<Exclude<ReasoningLevel, 'none'>, number>> = { low: 2048, medium: 8192, high: 16_000 }

/** Anthropic takes no less. */
const leastBudget = 1024

const countsThoughts = {
  anthropic: /claude-(?:3-7|(?:opus|sonnet)-4-(?:[015](?:-|$)|20\d{6})|(?:opus|sonnet)-4(?:@|$)|haiku-4)/,
  google: /gemini-2\.5/,
}
