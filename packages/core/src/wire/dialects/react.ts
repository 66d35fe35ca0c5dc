import { perPair } from '../../derive.ts'
import type { Facts } from '../../facts.ts'
import type { Message, Part, ToolCallPart, ToolResultPart } from '../../message.ts'
import { callInput, isRecord, resultText } from '../../message.ts'
import { toolResults } from '../../results/tool-results.ts'
import { jsonText, parseJsonData } from '../../text/json.ts'
import { escapeRoles, escapeSteps, type ReactRole, writeAnswer } from './parse-react.ts'

/** A message for models without tool calls: only text, without call ids. */
export interface ReactMessage {
  readonly role: ReactRole
  readonly content: string
  readonly metadata?: { readonly tool_name: string; readonly step: number }
}

export function reactText(messages: readonly Message[], facts: Facts = noFacts): string {
  return reactMessages(messages, facts).map(turnText).join('\n\n')
}

/** Messages as text. Results come one per message in call order, since they have no ids. Expects a legal view. */
export function reactMessages(messages: readonly Message[], facts: Facts = noFacts): readonly ReactMessage[] {
  const failed = new Map(toolResults(messages, facts).map(({ part, isError }) => [part, isError]))
  const turns: ReactMessage[] = []
  let asking: readonly ToolCallPart[] = []
  let step = 0
  for (let index = 0; index < messages.length; index += 1) {
    const message = messages[index] as Message
    if (message.role === 'tool') {
      let end = index + 1
      while (messages[end]?.role === 'tool') end += 1
      for (const part of inOrderOfCalls(messages.slice(index, end), asking)) {
        const tool = part.tool ?? asking.find(({ callId }) => callId === part.callId)?.tool ?? ''
        turns.push({ role: 'tool', content: resultJson(part, failed.get(part) ?? false), metadata: { tool_name: tool, step } })
      }
      index = end - 1
      continue
    }
    asking = message.parts.filter((part) => part.type === 'tool-call')
    if (message.summary === true) turns.push({ role: 'summary', content: plainText(message) })
    else if (message.role === 'assistant') {
      step += 1
      turns.push({ role: 'assistant', content: stepText(message, isLastWord(messages, index)) })
    } else {
      if (message.role === 'user') step = 0
      turns.push({ role: message.role, content: plainText(message) })
    }
  }
  return turns
}

const noFacts: Facts = {}

function turnText({ role, content }: ReactMessage): string {
  // A summary starts on the next line, to keep its own first line intact.
  return `[${role}]${role === 'summary' ? '\n' : ' '}${escapeRoles(content)}`
}

function stepText(message: Message, finishes: boolean): string {
  const texts = textsOf(message.parts, 'text')
  const calls = message.parts.filter((part) => part.type === 'tool-call')
  const said = texts.join('\n\n')
  if (calls.length === 0 && /^(?:Thought|Action):/.test(said)) return said
  const thought = [...textsOf(message.parts, 'reasoning'), ...(calls.length > 0 || !finishes ? texts : [])].join('\n\n').trim()
  const lines = thought === '' ? [] : [`Thought: ${escapeSteps(thought)}`]
  for (const call of calls) lines.push(`Action: ${nameOf(call.tool)}[${jsonText(callInput(call) ?? call.input ?? {})}]`)
  if (calls.length === 0 && finishes) lines.push(`Action: Finish[${writeAnswer(said)}]`)
  return lines.join('\n')
}

function isLastWord(messages: readonly Message[], index: number): boolean {
  let next = index + 1
  while (messages[next]?.role === 'system') next += 1
  return (messages[next]?.role ?? 'user') === 'user'
}

function inOrderOfCalls(messages: readonly Message[], asking: readonly ToolCallPart[]): readonly ToolResultPart[] {
  const results = messages.flatMap(({ parts }) => parts.filter((part) => part.type === 'tool-result'))
  const places = new Map(asking.map(({ callId }, index) => [callId, index] as const))
  const placeOf = ({ callId }: ToolResultPart) => (callId === null ? undefined : places.get(callId)) ?? asking.length
  return results.sort((one, other) => placeOf(one) - placeOf(other))
}

const resultJson = perPair((part: ToolResultPart, failed: boolean): string => {
  const text = resultText(part)
  const value = parseJsonData(text)
  if (isRecord(value) && typeof value['status'] === 'string') return text
  if (failed) return `{"status": "error", "error": {"message": ${jsonText(text)}}}`
  return `{"status": "success", "data": ${value === undefined ? jsonText(text) : text}}`
})

function plainText({ parts }: Message): string {
  const texts = parts.flatMap((part) => {
    if (part.type === 'text' || part.type === 'reasoning') return [part.text]
    return part.type === 'media' ? [`[${part.mediaType}]`] : []
  })
  return texts.join('\n\n')
}

function textsOf(parts: readonly Part[], type: 'text' | 'reasoning'): readonly string[] {
  return parts.flatMap((part) => (part.type === type && part.text.trim() !== '' ? [part.text] : []))
}

/** Brackets or spaces in a name would look like its argument. */
function nameOf(tool: string): string {
  return tool.replaceAll(/[\s[\]]/g, '_') || '_'
}
