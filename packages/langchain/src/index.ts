/** Plimsoll for LangChain. @packageDocumentation */
import { codecs, economyPolicies, handleOf, type Policy, type Report, recallTool } from '@plimsoll/core'
import { conversations, trimResults } from '@plimsoll/core/hosts'
import { AIMessage, type BaseMessage, createMiddleware, ToolMessage, tool } from 'langchain'

export interface TrimContextOptions {
  /** Default: `economyPolicies`. */
  readonly policies?: readonly Policy[]
  /** The model's name, by which its window and prices are looked up. */
  readonly model?: string
  /** Called with what each request shows, and why. */
  readonly onReport?: (report: Report) => void
}

/**
 * Trims the results of tools in every request of an agent, and adds the tool with which the model recalls them. One middleware serves any number of
 * threads, told apart by `thread_id`, or else by their first message. The agent's state keeps the full history.
 *
 * @example
 * const agent = createAgent({ model, tools, middleware: [trimContext()] })
 */
export function trimContext({ policies = economyPolicies, model, onReport }: TrimContextOptions = {}) {
  const all = conversations({ codec: codecs.anthropic, policies, rules: ['results-only'] })

  /** If anything fails, the request goes out as it is. */
  function prepare(messages: readonly BaseMessage[], system: string, thread: unknown) {
    try {
      const conversation = all.of(typeof thread === 'string' ? thread : handleOf(`${system} ${messages[0]?.text ?? ''}`))
      const items = [{ role: 'system', text: system } as const, ...messages.flatMap(itemsOf)]
      const { results, report, sent } = trimResults(conversation, items, {
        now: Date.now(),
        ...(model === undefined ? {} : { model }),
      })
      onReport?.(report)
      return {
        messages: messages.map((message) => shown(message, results)),
        accepted: (usage: unknown) => conversation.accepted(usage, sent),
      }
    } catch {
      return { messages: [...messages], accepted: () => undefined }
    }
  }

  return createMiddleware({
    name: 'plimsoll',
    tools: [
      tool((input) => all.recall(input), {
        name: recallTool.name,
        description: recallTool.description,
        schema: recallTool.inputSchema,
      }),
    ],
    async wrapModelCall(request, handler) {
      const prepared = prepare(request.messages, request.systemMessage.text, request.runtime.configurable?.['thread_id'])
      const answer = await handler({ ...request, messages: prepared.messages })
      prepared.accepted(AIMessage.isInstance(answer) ? answer.usage_metadata : undefined)
      return answer
    },
  })
}

type Item = Parameters<typeof trimResults>[1][number]

function itemsOf(message: BaseMessage): readonly Item[] {
  const { text } = message
  if (ToolMessage.isInstance(message)) return [{ result: message.tool_call_id, text, isError: message.status === 'error' }]
  if (!AIMessage.isInstance(message)) return [{ role: message.type === 'system' ? 'system' : 'user', text }]
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({ call: id, tool: name, input: args }))
  return [...(text === '' ? [] : [{ role: 'assistant' as const, text }]), ...calls]
}

/** Only results that are text are replaced: an image would be lost. */
function shown(message: BaseMessage, results: ReadonlyMap<string, string>): BaseMessage {
  const text =
    ToolMessage.isInstance(message) && typeof message.content === 'string' ? results.get(message.tool_call_id) : undefined
  if (text === undefined || !ToolMessage.isInstance(message)) return message
  const { id, name, tool_call_id, status, additional_kwargs, artifact } = message
  return new ToolMessage({
    content: text,
    tool_call_id,
    additional_kwargs,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(status === undefined ? {} : { status }),
    ...(artifact === undefined ? {} : { artifact: artifact as unknown }),
  })
}
