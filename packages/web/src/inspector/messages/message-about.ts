import { callInput, type Message, type Part, resultText } from '@plimsoll/core'
import { toolRules } from '@plimsoll/core/policies'
import { inputText } from '@plimsoll/core/text'
import type { Inspection } from '../../../../node/src/shared/inspection/inspection.ts'
import { visibleLine } from '../../parts/safe-text.ts'
import type { Strings } from '../../strings/strings-for.ts'

/** Describes a message in one line that is safe to show, by its text, calls and results. */
export function messageAbout({ parts }: Message, most = 160): string {
  const words: string[] = []
  let length = 0
  for (const part of parts) {
    if (length >= most) break
    const word = partAbout(part, most)
    if (word === '') continue
    words.push(word)
    length += word.length
  }
  return visibleLine(words.join(' · '), most)
}

function partAbout(part: Part, most: number): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return visibleLine(part.text, most)
    case 'media':
      return `[${visibleLine(part.mediaType, 40)}]`
    case 'tool-call': {
      const input = callInput(part)
      const known = input === null ? [] : (toolRules(part.tool)?.about?.(input) ?? [])
      const about = known.length > 0 ? known.slice(0, 5).join(', ') : inputText(part)
      return `${visibleLine(part.tool, 60)} ${visibleLine(about, most)}`.trim()
    }
    case 'tool-result':
      return visibleLine(resultText(part), most)
  }
}

const longest = 60

/** Names a message in a few words by the table of messages: a tool's result or call, or its role. */
export function messageName(
  { messages }: Inspection,
  number: number,
  { fill, messageList, requests }: Strings,
  about: string | null = null,
): string {
  const category = messages.categories[number]
  const tool = messages.toolNames[messages.tools[number] ?? -1]
  const named = tool === undefined ? requests.unknownTool : visibleLine(tool, longest)
  const which = about === null ? named : `${named}: ${about}`
  if (category === 'results') return requests.resultOf(which)
  if (category === 'calls') return requests.callOf(which)
  if (category !== undefined && category !== 'user' && category !== 'assistant') return fill.categories[category]
  return messageList.roles[messages.roles[number] ?? 'user']
}

/** Describes the call in a message, or the call that it answers, in one short line; null if that is unknown. */
export function aboutMessage(message: Message, before: readonly Message[]): string | null {
  for (const part of message.parts) {
    const call = part.type === 'tool-result' ? callOf(part.callId, before) : part.type === 'tool-call' ? part : null
    if (call === null) continue
    const input = callInput(call)
    const about = input === null ? undefined : toolRules(call.tool)?.about?.(input)[0]
    return about === undefined || about === '' ? null : visibleLine(about, longest)
  }
  return null
}

function callOf(callId: string | null, messages: readonly Message[]) {
  if (callId === null) return null
  for (const { parts } of messages.toReversed())
    for (const part of parts) if (part.type === 'tool-call' && part.callId === callId) return part
  return null
}
