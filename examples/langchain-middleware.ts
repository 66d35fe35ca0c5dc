// A middleware for LangChain's agents, to copy: it trims each request and adds the tool with which the model recalls trimmed
// content. `langchain.ts` uses it.
import { type BaseMessageLike, coerceMessageLikeToMessage } from '@langchain/core/messages'
import { codecs, createConversation, economyPolicies, type Report, recallTool } from '@plimsoll/core'
import { AIMessage, type BaseMessage, createMiddleware, ToolMessage, tool } from 'langchain'

/** Trims the requests of one conversation; create a new one for each. The agent's state keeps the full history. */
export function trimContext(model: string, onReport: (report: Report) => void) {
  const conversation = createConversation({ codec: codecs['openai-chat'], policies: economyPolicies, model })
  return createMiddleware({
    name: 'trimContext',
    tools: [
      tool((input) => conversation.recall(input), {
        name: recallTool.name,
        description: recallTool.description,
        schema: recallTool.inputSchema,
      }),
    ],
    async wrapModelCall(request, handler) {
      const originals = new Map([request.systemMessage, ...request.messages].map((message) => [chatMessage(message), message]))
      const { request: trimmed, report } = conversation.next([...originals.keys()], { now: Date.now() })
      onReport(report)
      // An untrimmed message comes back as the same object, which identifies the LangChain message it was made from.
      const messages = trimmed.map((message) => originals.get(message) ?? coerceMessageLikeToMessage(message as BaseMessageLike))
      const answer = await handler({ ...request, messages: messages.filter((message) => message !== request.systemMessage) })
      conversation.accepted(answer.usage_metadata)
      return answer
    },
  })
}

/** A LangChain message in the format of OpenAI's chat completions. */
export function chatMessage(message: BaseMessage): Readonly<Record<string, unknown>> {
  const { content } = message
  if (ToolMessage.isInstance(message)) return { role: 'tool', content, tool_call_id: message.tool_call_id }
  if (!AIMessage.isInstance(message)) return { role: message.type === 'human' ? 'user' : message.type, content }
  const calls = (message.tool_calls ?? []).map(({ id = '', name, args }) => ({
    id,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
  }))
  return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) }
}
