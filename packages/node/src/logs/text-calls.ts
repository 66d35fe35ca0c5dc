import type { Message, Part } from '@plimsoll/core'
import { messageText } from '@plimsoll/core'
import type { ListedMessage } from './message-list.ts'

/** A tool call that a model wrote as text, and the words around it. */
export interface TextCall {
  readonly words: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * Makes calls and results of a conversation in which the model writes its call as text and the environment answers in the user's
 * role. `find` tells the one call of an answer, or null where there is none or more than one; what follows a call is its result.
 */
export function withTextCalls(
  listed: readonly ListedMessage[],
  find: (answer: ListedMessage, text: string) => TextCall | null,
  mayAnswer: (message: ListedMessage) => boolean = () => true,
): readonly ListedMessage[] {
  let open: { readonly callId: string; readonly tool: string } | null = null
  return listed.map((one, index): ListedMessage => {
    const { message } = one
    if (open !== null && message.role === 'user' && mayAnswer(one)) {
      const result = resultOf(message, open.callId, open.tool)
      open = null
      return { ...one, message: result }
    }
    open = null
    if (message.role !== 'assistant' || message.parts.some((part) => part.type === 'tool-call')) return one
    const next = listed[index + 1]
    if (next !== undefined && !(next.message.role === 'user' && mayAnswer(next))) return one
    const call = find(one, messageText(message))
    if (call === null) return one
    open = { callId: `call-${message.id}`, tool: call.tool }
    return { ...one, message: { ...message, parts: partsOf(message, call, open.callId) } }
  })
}

function partsOf(message: Message, { words, tool, input }: TextCall, callId: string): readonly Part[] {
  const others = message.parts.filter((part) => part.type !== 'text')
  const said: readonly Part[] = words.trim() === '' ? [] : [{ type: 'text', text: words.trim() }]
  return [...others, ...said, { type: 'tool-call', callId, tool, input }]
}

function resultOf(message: Message, callId: string, tool: string): Message {
  const items = message.parts.filter((part) => part.type === 'text' || part.type === 'media')
  const isText = items.every((part) => part.type === 'text')
  const content = isText ? ({ type: 'text', text: messageText(message) } as const) : ({ type: 'list', items } as const)
  return { ...message, role: 'tool', parts: [{ type: 'tool-result', callId, tool, content }] }
}
