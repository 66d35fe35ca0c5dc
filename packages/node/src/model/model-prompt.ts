import type { Message } from '@plimsoll/core'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import { type DialectName, type ProviderOptions, type WriteRequestOptions, writeRequest } from '@plimsoll/core/wire'
import type { ModelMessage } from 'ai'
import { getOrMake } from '../shared/get-or-make.ts'
import type { CallableModel } from './providers.ts'

export type CallOptions = Parameters<CallableModel['doStream']>[0]

interface PromptOptions {
  readonly behind: DialectName
  readonly marks: ReadonlyMap<string, ProviderOptions>
  readonly systemMark: ProviderOptions | null
}

/** Bypasses the AI SDK’s own loop, which takes twice as long. */
export function modelPrompt(messages: readonly Message[], { behind, marks, systemMark }: PromptOptions): CallOptions['prompt'] {
  const { instructions, messages: written } = modelMessages(messages, { behind, options: marks, isShared: true })
  const prompt: unknown[] = []
  const mark = systemMark === null ? {} : { providerOptions: systemMark }
  if (instructions !== undefined) prompt.push({ role: 'system', content: instructions, ...mark })
  const known = remembered.get(behind) ?? new WeakMap<RawMessage, unknown>()
  remembered.set(behind, known)
  for (const message of written) {
    prompt.push(getOrMake(known, message, () => promptMessage(message, behind)))
  }
  return (behind === 'anthropic' ? withAnswersJoined(prompt) : prompt) as CallOptions['prompt']
}

/** Gemini rejects a call that follows another answer, as after an interrupted one; other providers join them too. */
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

/** An answer without options, such as a mark for the cache. */
function isPlainAnswer(message: unknown): message is { readonly content: readonly unknown[] } {
  const { role, providerOptions, content } = isRecord(message) ? message : {}
  return role === 'assistant' && providerOptions === undefined && Array.isArray(content)
}

type RawMessage = Readonly<Record<string, unknown>>

// Messages are written the same way at every request.
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

/** OpenAI-compatible servers see the options of a message only on its last block. */
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
  // OpenAI-compatible servers would get a list as JSON in the text.
  if (behind === 'openai-chat') {
    const texts = items.map((item) => (isRecord(item) && typeof item['text'] === 'string' ? item['text'] : ''))
    return { ...block, output: { type: 'text', value: texts.join('\n') } }
  }
  return { ...block, output: { ...output, value: items } }
}

/** Removes the reasoning that some local servers send at the start of the text. */
export function withoutThoughts(text: string): string {
  if (!/^\s*<think>/.test(text)) return text
  const end = text.indexOf('</think>')
  return end < 0 ? '' : text.slice(end + '</think>'.length).trimStart()
}

/** A file or image in a message, in the one form that models take; other blocks stay unchanged. */
export function promptFile(block: unknown): unknown {
  if (!isRecord(block) || (block['type'] !== 'file' && block['type'] !== 'image')) return block
  const data = dataOf(block['type'] === 'image' ? block['image'] : block['data'])
  const mediaType = typeof block['mediaType'] === 'string' ? block['mediaType'] : 'image'
  if (data === null) return { type: 'text', text: `[${mediaType}]` }
  return { ...fieldsOf(block), type: 'file', mediaType, data }
}

/** The same in the result of a tool, where files and images have more names. */
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

/** Bytes, base64, an address, or an object that names its type; null for other values. */
function dataOf(data: unknown): unknown {
  if (data instanceof URL) return { type: 'url', url: data }
  const bytes = bytesOf(data)
  if (bytes !== null || !isRecord(data)) return bytes
  const { type } = data
  if (type === 'data') return bytesOf(data['data'])
  if (type === 'url') return urlOf(data['url'])
  const isSound = type === 'text' ? typeof data['text'] === 'string' : type === 'reference' && isRecord(data['reference'])
  return isSound ? data : null
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

/** The system messages at the start are the instructions; a summary is a reminder at its place. */
export function modelMessages(
  messages: readonly Message[],
  options: Pick<WriteRequestOptions, 'behind' | 'options' | 'isShared'> = {},
): { readonly instructions?: string; readonly messages: ModelMessage[] } {
  const { instructions, messages: written } = writeRequest('ai-sdk', messages, { model: '', ...options })
  return { ...(typeof instructions === 'string' ? { instructions } : {}), messages: written as ModelMessage[] }
}

/**
 * Tells a model how much to reason, within its output limit; null leaves that to the provider. Models that take a budget get one
 * of ours, because the library's is a share of the model's own maximum, more than an answer has room for.
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
    // Anthropic takes no less.
    if (budget < 1024) return { maxOutputTokens }
    const options = { anthropic: { thinking: { type: 'enabled', budgetTokens: budget } } }
    // The library adds the budget to the limit.
    return { maxOutputTokens: maxOutputTokens - budget, providerOptions: options }
  }
  if (provider.startsWith('google') && countsThoughts.google.test(modelId))
    return { maxOutputTokens, providerOptions: { google: { thinkingConfig: { thinkingBudget: budget } } } }
  return { maxOutputTokens, reasoning: level }
}

/** The same at every request, since another budget would invalidate the cache. */
const budgets: Readonly<Record<Exclude<ReasoningLevel, 'none'>, number>> = { low: 2048, medium: 8192, high: 16_000 }

const countsThoughts = {
  anthropic: /claude-(?:3-7|(?:opus|sonnet)-4-(?:[015](?:-|$)|20\d{6})|(?:opus|sonnet)-4(?:@|$)|haiku-4)/,
  google: /gemini-2\.5/,
}
