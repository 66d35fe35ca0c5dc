import { handleOf, type Message, type Part } from '@plimsoll/core'
import type { ReasoningLevel } from '@plimsoll/core/policies'
import type { DialectName, ProviderOptions } from '@plimsoll/core/wire'
import { isLayer } from '../layers/assemble-layers.ts'
import type { FoundModel } from './choose-model.ts'
import type { ModelRequest, ToolOffer } from './model-client.ts'
import { type CallOptions, modelPrompt, thinking } from './model-prompt.ts'

/** A request as a model takes it that can call tools. */
export function toolRequest(
  request: ModelRequest,
  { callable, provider, model }: FoundModel,
  reasoning: ReasoningLevel | null,
): Omit<CallOptions, 'abortSignal'> {
  const { messages, tools, maxOutputTokens, breakpoints } = request
  const behind = dialectOf(callable.provider)
  const mark = cacheMark(provider, model)
  const marks = new Map<string, ProviderOptions>()
  if (mark !== null) for (const id of breakpoints.slice(-mostBreakpoints)) marks.set(id, mark)
  // DeepSeek refuses calls without the thoughts before them.
  const own = ownParts(messages, provider, provider === 'deepseek')
  // The end of the system prompt covers the tools, which stand before it; theirs is marked as well where a mark is left.
  const toolMark = provider === 'anthropic' && marks.size < mostBreakpoints ? mark : null
  return {
    prompt: modelPrompt(own, { behind, marks, systemMark: mark }),
    ...thinking(reasoning, callable, maxOutputTokens),
    ...(tools.length === 0
      ? {}
      : { tools: tools.map((tool, index) => offered(tool, index === tools.length - 1 ? toolMark : null)) }),
  }
}

/** What ids of calls may be made from: the same for the same request, another one for the next. */
export function seedOf(messages: readonly Message[]): string {
  const last = messages.findLast((message) => !isLayer(message))
  return handleOf(`${messages.length} ${last?.id ?? ''}`)
}

/** Anthropic takes four marks in all; one of them is the system prompt's. */
const mostBreakpoints = 3

/** Whose rules hold for ids, names and pictures: those of Anthropic are the strictest of the providers with a dialect of their own. */
function dialectOf(spoken: string): DialectName {
  if (spoken === 'plimsoll') return 'ai-sdk'
  return /^(?:anthropic|google)\b|^openai\.responses/.test(spoken) ? 'anthropic' : 'openai-chat'
}

/** How the end of what should be cached is marked, for providers that want to be told. */
function cacheMark(provider: string, model: string): ProviderOptions | null {
  const type = { type: 'ephemeral' }
  if (provider === 'anthropic') return { anthropic: { cacheControl: type } }
  return provider === 'openrouter' && /^~?anthropic\//.test(model) ? { openaiCompatible: { cache_control: type } } : null
}

type OfferedTool = NonNullable<CallOptions['tools']>[number]

function offered({ name, description, inputSchema }: ToolOffer, mark: ProviderOptions | null): OfferedTool {
  const marked = mark === null ? {} : { providerOptions: mark }
  return { type: 'function', name, description, inputSchema, ...marked } as OfferedTool
}

/**
 * The messages as one provider may see them again: what another one wants back is left out, and so are the thoughts of another,
 * which most refuse. Thoughts whose origin is not known are shown where `takesUnknown` is set. An answer that neither says nor asks
 * for anything is left out, thoughts and all: no provider takes it. The same messages give the very same ones each time.
 */
export function ownParts(messages: readonly Message[], provider: string, takesUnknown: boolean): readonly Message[] {
  const key = `${provider} ${takesUnknown}`
  const known = remembered.get(key) ?? new WeakMap<Message, Message>()
  remembered.set(key, known)
  const changed = messages.map((message) => {
    const own = known.get(message) ?? ownMessage(message, provider, takesUnknown)
    known.set(message, own)
    return own
  })
  return changed.filter(({ role, parts }) => role !== 'assistant' || parts.some(isSaid))
}

const remembered = new Map<string, WeakMap<Message, Message>>()

function ownMessage(message: Message, provider: string, takesUnknown: boolean): Message {
  const parts = message.parts.flatMap((part) => ownPart(part, provider, takesUnknown))
  return parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts }
}

function isSaid(part: Part): boolean {
  return part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning'
}

function ownPart(part: Part, provider: string, takesUnknown: boolean): readonly Part[] {
  if (part.type !== 'text' && part.type !== 'reasoning' && part.type !== 'tool-call') return [part]
  const { providerOptions } = part
  if (providerOptions === undefined) return part.type === 'reasoning' && !takesUnknown ? [] : [part]
  const own = Object.hasOwn(providerOptions, provider) ? providerOptions[provider] : undefined
  if (own === undefined && part.type === 'reasoning') return []
  if (own !== undefined && Object.keys(providerOptions).length === 1) return [part]
  const { providerOptions: _others, ...rest } = part
  return [own === undefined ? rest : { ...rest, providerOptions: { [provider]: own } }]
}
