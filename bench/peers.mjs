import { trimMessages } from '@langchain/core/messages'
import { pruneMessages } from 'ai'
import { ClearToolUsesEdit } from 'langchain'
import { toLangChain, toModelMessages } from './dialects.mjs'

/**
 * The counterparts of a view in other libraries. Each takes messages in its own format, converted beforehand, and keeps no state
 * between calls. None of them reads results, looks for binary data, or reports what it did.
 */
export const peers = [
  {
    name: 'AI SDK pruneMessages',
    convert: toModelMessages,
    run: (messages) =>
      pruneMessages({ messages, reasoning: 'all', toolCalls: 'before-last-6-messages', emptyMessages: 'remove' }),
  },
  {
    name: 'LangChain trimMessages',
    convert: toLangChain,
    run: (messages) =>
      trimMessages(messages, {
        maxTokens: countTokens(messages) >> 1,
        strategy: 'last',
        includeSystem: true,
        tokenCounter: countTokens,
      }),
  },
  {
    name: 'LangChain ClearToolUsesEdit',
    convert: toLangChain,
    // It edits its list in place, so it gets a copy.
    run: (messages) => clearToolUses.apply({ messages: messages.slice(), countTokens }),
  },
]

const clearToolUses = new ClearToolUsesEdit({ trigger: { tokens: 1000 }, keep: { messages: 3 } })

/** Four characters per token, as for ours in the same run; each message is counted once and cached. */
function countTokens(messages) {
  let total = 0
  for (const message of messages) total += countMessage(message)
  return total
}

const counts = new WeakMap()

function countMessage(message) {
  const known = counts.get(message)
  if (known !== undefined) return known
  let characters = message.content.length
  for (const call of message.tool_calls ?? []) characters += JSON.stringify(call.args).length
  counts.set(message, characters >> 2)
  return characters >> 2
}
