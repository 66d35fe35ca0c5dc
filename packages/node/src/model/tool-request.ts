import { handleOf, type Message, type Part } from '@plimsoll/core'
import type { CacheLifetime, ReasoningLevel } from '@plimsoll/core/policies'
import { isRecord, parseReact, reactText } from '@plimsoll/core/text'
import type { ProviderOptions } from '@plimsoll/core/wire'
import { isLayer } from '../layers/assemble-layers.ts'
import type { FoundModel } from './choose-model.ts'
import type { ModelAnswer, ModelRequest, ToolOffer } from './model-client.ts'
import { type CallOptions, modelPrompt, thinking } from './model-prompt.ts'
import { sayingSomething } from './stream-answer.ts'

export function toolRequest(
  request: ModelRequest,
  { callable, provider, model }: FoundModel,
  reasoning: ReasoningLevel | null,
): Omit<CallOptions, 'abortSignal'> {
  const { messages, tools, maxOutputTokens, breakpoints } = request
  // Anthropic has the strictest rules for ids, names and images among the providers with their own dialect.
  const isStrict = /^(?:anthropic|google)\b|^openai\.responses/.test(callable.provider)
  const behind = callable.provider === 'plimsoll' ? 'ai-sdk' : isStrict ? 'anthropic' : 'openai-chat'
  const mark = cacheMark(provider, model, request.cacheLifetime)
  const marks = new Map<string, ProviderOptions>()
  if (mark !== null) for (const id of breakpoints.slice(-maxBreakpoints)) marks.set(id, mark)
  // DeepSeek rejects calls without the reasoning before them.
  const own = ownParts(messages, provider, provider === 'deepseek')
  // The mark of the system prompt covers the tools before it; they get their own if one is left.
  const toolMark = provider === 'anthropic' && marks.size < maxBreakpoints ? mark : null
  const offered = tools.map(({ name, description, inputSchema }, index) => {
    const marked = toolMark === null || index < tools.length - 1 ? {} : { providerOptions: toolMark }
    return { type: 'function', name, description, inputSchema, ...marked } as NonNullable<CallOptions['tools']>[number]
  })
  return {
    prompt: modelPrompt(own, { behind, marks, systemMark: mark }),
    ...thinking(reasoning, callable, maxOutputTokens),
    ...(tools.length === 0 ? {} : { tools: offered }),
  }
}

/** Ids of calls are made of it: the same for the same request, another for the next. */
export function seedOf(messages: readonly Message[]): string {
  const last = messages.findLast((message) => !isLayer(message))
  return handleOf(`${messages.length} ${last?.id ?? ''}`)
}

/** Anthropic takes four marks in all; one of them is for the system prompt. */
const maxBreakpoints = 3

/** The mark for the end of the cached prompt, for providers that need one. */
function cacheMark(provider: string, model: string, lifetime: CacheLifetime | null = null): ProviderOptions | null {
  const type = { type: 'ephemeral' }
  if (provider === 'anthropic') return { anthropic: { cacheControl: lifetime === '1h' ? { ...type, ttl: lifetime } : type } }
  return provider === 'openrouter' && /^~?anthropic\//.test(model) ? { openaiCompatible: { cache_control: type } } : null
}

/**
 * The messages as one provider may see them again: without options and reasoning of other providers, which most reject. Reasoning
 * of unknown origin stays if `takesUnknown` is set. An answer without text or calls is omitted, since no provider takes it.
 * Returns the same messages each time.
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
  const isSaid = (part: Part) => (part.type === 'text' ? part.text.trim() !== '' : part.type !== 'reasoning')
  return changed.filter(({ role, parts }) => role !== 'assistant' || parts.some(isSaid))
}

const remembered = new Map<string, WeakMap<Message, Message>>()

function ownMessage(message: Message, provider: string, takesUnknown: boolean): Message {
  const parts = message.parts.flatMap((part) => ownPart(part, provider, takesUnknown))
  return parts.length === message.parts.length && parts.every((part, index) => part === message.parts[index])
    ? message
    : { ...message, parts }
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

/** A request for a model without tool calls: it gets descriptions of the tools, and the conversation as one text. */
export function textRequest({ messages, tools, maxOutputTokens }: ModelRequest): Omit<CallOptions, 'abortSignal'> {
  const start = messages.findIndex((message) => message.role !== 'system' || message.summary === true)
  const head = messages.slice(0, start < 0 ? messages.length : start)
  const system = [...head.map(textOf), protocolText(tools)].filter((text) => text !== '').join('\n\n')
  return {
    prompt: [
      { role: 'system', content: system },
      { role: 'user', content: [{ type: 'text', text: reactText(messages.slice(head.length)) }] },
    ],
    maxOutputTokens,
    // The model must not make up results.
    stopSequences: ['\n[tool]', '\nObservation:'],
  }
}

/** The answer to such a request as parts, with ids of calls made from `seed`. Omits results that the model made up. */
export function textAnswer({ parts: given, finish, usage }: ModelAnswer, seed: string): ModelAnswer {
  const written = given.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
  const thoughts = given.filter((part) => part.type === 'reasoning')
  const { thought, actions, finish: answer, malformed } = parseReact(written)
  // A call of a malformed action makes the model get an error.
  const attempts = malformed.map((line) => {
    const [, tool = 'Action', input = line] = /[:：]\*{0,2}\s*([\w.-]{1,64})\s*(.{0,200})/.exec(line) ?? []
    return { tool, input }
  })
  const calls = actions.length === 0 && answer === null ? attempts : actions
  const parts: Part[] = [...thoughts]
  const isThought = calls.length > 0 || answer !== null
  if (thought !== null)
    parts.push({ type: isThought && thoughtStart.test(written.slice(0, 200)) ? 'reasoning' : 'text', text: thought })
  if (answer !== null && answer !== '') parts.push({ type: 'text', text: answer })
  calls.forEach(({ tool, input }, index) => parts.push({ type: 'tool-call', callId: `call_${seed}_${index}`, tool, input }))
  if (finish === 'length' || finish === 'content-filter') return { parts, finish, usage }
  return sayingSomething({ parts, finish: calls.length > 0 ? 'tool-calls' : finish, usage })
}

const thoughtStart = /^\s*(?:\[assistant\]\s*)?\*{0,2}thought\*{0,2}\s{0,5}[:：]/i

function protocolText(tools: readonly ToolOffer[]): string {
  const listed = tools.map(({ name, description, inputSchema }) => {
    // The model needs only these fields to write arguments.
    const { properties, required, ...rest } = inputSchema
    const isNeeded = Array.isArray(required) && required.length > 0
    const schema = isRecord(properties) ? { properties, ...(isNeeded ? { required } : {}) } : { properties, required, ...rest }
    return `- ${name}: ${description.trim()}\n  Arguments, as JSON Schema: ${JSON.stringify(schema)}`
  })
  return [
    'You work step by step. The conversation is one text; each turn begins with its role in brackets: [user], [assistant], [tool], [system] or [summary]. Answer with your next step only, in this form:',
    'Thought: what you think and why',
    'Action: ToolName[{"argument": "value"}]',
    'The argument of a tool is one JSON object in square brackets. Several Action lines may follow one Thought when none needs the result of another. Stop after your actions: what the tools answer comes as [tool] turns, which you never write yourself. When the task is done, answer the user with:',
    'Thought: why nothing is left to do',
    'Action: Finish[your answer to the user]',
    tools.length === 0 ? 'There are no tools.' : `Tools:\n${listed.join('\n')}`,
  ].join('\n')
}

function textOf({ parts }: Message): string {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
