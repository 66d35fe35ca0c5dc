import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'

/** The conversation as an OpenAI chat request, with the specification's timestamps. */
export function toOpenAi(messages) {
  return messages.map(({ role, parts, at }) => {
    if (role === 'tool') {
      const [result] = parts
      const status = result.isError === true ? { messageStatus: 'error' } : {}
      return { role, tool_call_id: result.callId, name: result.tool, content: result.content.text, timestamp: at, ...status }
    }
    const calls = callsOf(parts).map(({ callId, tool, input }) => ({
      id: callId,
      type: 'function',
      function: { name: tool, arguments: input },
    }))
    return { role, content: textOf(parts), timestamp: at, ...(calls.length === 0 ? {} : { tool_calls: calls }) }
  })
}

/** The conversation as the AI SDK's list of `ModelMessage`. */
export function toModelMessages(messages) {
  return messages.map(({ role, parts }) => {
    if (role === 'system' || role === 'user') return { role, content: textOf(parts) }
    return { role, content: parts.map(toModelPart) }
  })
}

/** The conversation as LangChain's message objects. */
export function toLangChain(messages) {
  return messages.map(({ role, parts }) => {
    if (role === 'system') return new SystemMessage(textOf(parts))
    if (role === 'user') return new HumanMessage(textOf(parts))
    if (role === 'tool') {
      const [result] = parts
      return new ToolMessage({ content: result.content.text, tool_call_id: result.callId, name: result.tool })
    }
    const tool_calls = callsOf(parts).map(({ callId, tool, input }) => ({
      id: callId,
      name: tool,
      args: JSON.parse(input),
      type: 'tool_call',
    }))
    return new AIMessage({ content: textOf(parts), tool_calls })
  })
}

function toModelPart(part) {
  switch (part.type) {
    case 'tool-call':
      return { type: 'tool-call', toolCallId: part.callId, toolName: part.tool, input: JSON.parse(part.input) }
    case 'tool-result': {
      const output = { type: part.isError === true ? 'error-text' : 'text', value: part.content.text }
      return { type: 'tool-result', toolCallId: part.callId, toolName: part.tool, output }
    }
    default:
      return { type: part.type, text: part.text }
  }
}

function textOf(parts) {
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
}

function callsOf(parts) {
  return parts.filter((part) => part.type === 'tool-call')
}
