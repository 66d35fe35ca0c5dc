import { type DialectName, isRecord, type Message, type ProviderOptions } from '@plimsoll/core'
import type { CallableModel } from './local-model.ts'
import { modelMessages } from './model-messages.ts'
import { promptFile, promptFileInResult } from './prompt-file.ts'

/** What a model is asked with. */
export type CallOptions = Parameters<CallableModel['doStream']>[0]

type Prompt = CallOptions['prompt']

/** For whom a prompt is written. */
export interface PromptOptions {
  /** Whose rules hold for ids, names and pictures. */
  readonly behind: DialectName
  /** What is said about messages, by id. */
  readonly marks: ReadonlyMap<string, ProviderOptions>
  /** What is said about the system prompt. */
  readonly systemMark: ProviderOptions | null
}

/** Messages as a model takes them straight, without the AI SDK's own loop around it, which takes twice as long. */
export function modelPrompt(messages: readonly Message[], { behind, marks, systemMark }: PromptOptions): Prompt {
  const { instructions, messages: written } = modelMessages(messages, { behind, options: marks, isShared: true })
  const prompt: unknown[] = []
  if (instructions !== undefined)
    prompt.push({
      role: 'system',
      content: instructions,
      ...(systemMark === null ? {} : { providerOptions: systemMark }),
    })
  const known = knownBehind(behind)
  for (const message of written) {
    let shown = known.get(message)
    if (shown === undefined) {
      shown = promptMessage(message, behind)
      known.set(message, shown)
    }
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

function knownBehind(behind: DialectName): WeakMap<RawMessage, unknown> {
  let known = remembered.get(behind)
  if (known === undefined) {
    known = new WeakMap()
    remembered.set(behind, known)
  }
  return known
}

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
  if (behind === 'openai-chat') return { ...block, output: { type: 'text', value: items.map(textOf).join('\n') } }
  return { ...block, output: { ...output, value: items } }
}

function textOf(item: unknown): string {
  return isRecord(item) && typeof item['text'] === 'string' ? item['text'] : ''
}
