import { type DialectName, handleOf, isLayer, type Message, type ProviderOptions, type ReasoningLevel } from '@plimsoll/core'
import type { FoundModel } from './choose-model.ts'
import type { ModelRequest, ToolOffer } from './model-client.ts'
import { type CallOptions, modelPrompt } from './model-prompt.ts'
import { ownParts } from './own-parts.ts'
import { thinking } from './thinking.ts'

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
  return {
    type: 'function',
    name,
    description,
    inputSchema,
    ...(mark === null ? {} : { providerOptions: mark }),
  } as OfferedTool
}
