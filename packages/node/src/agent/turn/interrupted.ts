import { callInput, type Message, type ToolCallPart } from '@plimsoll/core'
import { labelText } from '@plimsoll/core/text'
import type { Emit } from '../../shared/event.ts'
import type { Tool } from '../../tools/tool.ts'
import { notify } from '../agent.ts'

/**
 * Tells the user if a stored conversation ends in the middle of a turn, as after SIGKILL: which calls have no result, or that there was no
 * answer. The model sees the same from the results that are put in place of missing ones.
 */
export function reportInterrupted(messages: readonly Message[], tools: readonly Tool[], emit: Emit): void {
  const last = messages.findLastIndex(({ role }) => role === 'assistant' || role === 'user')
  const message = messages[last]
  if (message === undefined) return
  const after = messages.slice(last + 1).flatMap(({ parts }) => parts)
  const answered = new Set(after.map((part) => (part.type === 'tool-result' ? part.callId : null)))
  const open = message.parts.filter((part) => part.type === 'tool-call').filter(({ callId }) => !answered.has(callId))
  if (open.length > 0) return notify(emit, 'calls_were_interrupted', open.map((call) => nameOf(call, tools)).join('; '))
  if (message.role === 'user' || after.length > 0) notify(emit, 'answer_was_interrupted', null)
}

function nameOf(call: ToolCallPart, tools: readonly Tool[]): string {
  const about = tools.find(({ name }) => name === call.tool)?.about(callInput(call) ?? call.input) ?? ''
  return about === '' ? call.tool : `${call.tool}: ${labelText(about, 100)}`
}
