import { AIMessage, HumanMessage, SystemMessage, ToolMessage } from '@langchain/core/messages'
import { argumentsOf, callIdOf, textOfResult, withParts, withResultText } from './peer-parts.mjs'

/** Converts messages of one session to LangChain's, one for each result, and back: matched by id, results by call id. */
export function createLangChainDialect() {
  const written = new WeakMap()
  const owners = new Map()
  const write = (message) => {
    let made = written.get(message)
    if (made === undefined) {
      made = writeMessage(message, owners)
      written.set(message, made)
    }
    return made
  }
  return { write: (messages) => messages.flatMap(write), read: (list) => readMessages(list, owners) }
}

function writeMessage(message, owners) {
  const { id, role, parts } = message
  const content = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
  if (role === 'tool') {
    return parts.flatMap((part, index) => {
      if (part.type !== 'tool-result') return []
      const tool_call_id = callIdOf(part, message)
      owners.set(callKey(tool_call_id), { message, index })
      return [new ToolMessage({ content: textOfResult(part), tool_call_id, name: part.tool ?? 'tool' })]
    })
  }
  owners.set(id, { message })
  if (role === 'system') return [new SystemMessage({ content, id })]
  if (role === 'user') return [new HumanMessage({ content, id })]
  const tool_calls = parts.flatMap((part) =>
    part.type === 'tool-call' ? [{ id: part.callId, name: part.tool, args: argumentsOf(part), type: 'tool_call' }] : [],
  )
  return [new AIMessage({ content, tool_calls, id })]
}

function callKey(id) {
  return `call ${id}`
}

/** Merges the results of one message again, at the place of the first one left. */
function readMessages(list, owners) {
  const results = new Map()
  const read = []
  for (const { id, content, tool_call_id } of list) {
    const { message, index } = owners.get(tool_call_id === undefined ? id : callKey(tool_call_id))
    if (index === undefined) {
      read.push(() => message)
      continue
    }
    let parts = results.get(message)
    if (parts === undefined) {
      const kept = message.parts.map((part) => (part.type === 'tool-result' ? null : part))
      parts = kept
      results.set(message, kept)
      read.push(() => withParts(message, kept))
    }
    parts[index] = withResultText(message.parts[index], content)
  }
  return read.map((make) => make())
}
