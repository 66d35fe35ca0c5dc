/** Plimsoll for the OpenAI Agents SDK. @packageDocumentation */
import { codecs, economyPolicies, handleOf, type Policy, type Report, recallTool } from '@plimsoll/core'
import { conversations, trimResults } from '@plimsoll/core/hosts'

export interface TrimContextOptions {
  /** Default: `economyPolicies`. */
  readonly policies?: readonly Policy[]
  /** Called with what each request shows, and why. */
  readonly onReport?: (report: Report) => void
}

// The SDK's own types, as far as they are needed.
type Fields = Readonly<Record<string, unknown>>
interface Request {
  readonly systemInstructions?: string
  readonly input: string | readonly object[]
  readonly previousResponseId?: string
  readonly conversationId?: string
}
interface Model {
  getResponse(request: never): Promise<object>
  getStreamedResponse(request: never): AsyncIterable<object>
}
interface Provider {
  getModel(name?: string): Promise<Model> | Model
}

/**
 * Trims the results of tools in every request of a provider's models, and gives the tool with which a model recalls them, for `tool()`. Sessions keep
 * the full history. If the provider keeps the conversation, nothing changes.
 *
 * @example
 * const { provider, recall } = trimContext(new OpenAIProvider())
 * const runner = new Runner({ modelProvider: provider })
 * const agent = new Agent({ name: 'Coder', tools: [tool(recall), …yours] })
 */
export function trimContext<Given extends Provider>(
  given: Given,
  { policies = economyPolicies, onReport }: TrimContextOptions = {},
) {
  const all = conversations({ codec: codecs.anthropic, policies, rules: ['results-only'] })

  /** If anything fails, the request goes out as it is. */
  function prepare(request: Request, model: string | undefined) {
    const { input, systemInstructions = '', previousResponseId, conversationId } = request
    const unchanged = { request, accepted: () => undefined }
    if (typeof input === 'string' || previousResponseId !== undefined || conversationId !== undefined) return unchanged
    try {
      const conversation = all.of(handleOf(`${model ?? ''} ${systemInstructions} ${JSON.stringify(input[0] ?? null)}`))
      const items = [{ role: 'system', text: systemInstructions } as const, ...input.flatMap((item) => itemsOf(item as Fields))]
      const facts = { now: Date.now(), ...(model === undefined ? {} : { model }) }
      const { results, report, sent } = trimResults(conversation, items, facts)
      onReport?.(report)
      const shown = input.map((item) => withResult(item as Fields, results))
      return { request: { ...request, input: shown }, accepted: (usage: unknown) => conversation.accepted(usage, sent) }
    } catch {
      return unchanged
    }
  }

  function wrap(model: Model, name: string | undefined): Model {
    return Object.assign(Object.create(model) as Model, {
      async getResponse(request: Request) {
        const prepared = prepare(request, name)
        const response = await model.getResponse(prepared.request as never)
        prepared.accepted((response as Fields)['usage'])
        return response
      },
      async *getStreamedResponse(request: Request) {
        const prepared = prepare(request, name)
        for await (const event of model.getStreamedResponse(prepared.request as never)) {
          const { type, response } = event as Fields
          if (type === 'response_done') prepared.accepted((response as Fields)['usage'])
          yield event
        }
      },
    })
  }

  const provider = Object.assign(Object.create(given) as Given, {
    getModel: async (name?: string) => wrap(await given.getModel(name), name),
  })
  const { name, description, inputSchema: parameters } = recallTool
  const recall = { name, description, parameters, strict: false as const, execute: (input: unknown) => all.recall(input) }
  return { provider, recall }
}

type Item = Parameters<typeof trimResults>[1][number]

function itemsOf(item: Fields): readonly Item[] {
  const { type, role, callId, name, output, status } = item
  if (type === 'function_call') return [{ call: String(callId), tool: String(name), input: parsed(item['arguments']) }]
  if (type === 'function_call_result')
    return [{ result: String(callId), text: textOf(output) ?? '', isError: status === 'incomplete' }]
  const text = textOf(item['content']) ?? ''
  if (role !== 'system' && role !== 'user' && role !== 'assistant') return []
  return [{ role, text }]
}

/** Only results that are text are replaced. */
function withResult(item: Fields, results: ReadonlyMap<string, string>): object {
  const { type, callId, output } = item
  const text = type === 'function_call_result' && textOf(output) !== null ? results.get(String(callId)) : undefined
  if (text === undefined) return item
  return { ...item, output: typeof output === 'string' ? text : { type: 'text', text } }
}

/** Null if there is anything but text. */
function textOf(content: unknown): string | null {
  if (typeof content === 'string') return content
  const parts = (Array.isArray(content) ? content : [content]) as readonly unknown[]
  const texts = parts.map((part) => (typeof part === 'object' && part !== null && 'text' in part ? part.text : null))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n') : null
}

function parsed(text: unknown): unknown {
  try {
    return JSON.parse(String(text)) as unknown
  } catch {
    return text
  }
}
