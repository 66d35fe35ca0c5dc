import { callInput, type Message, type Part, type ToolCallPart } from '@plimsoll/core'
import { countPart, estimator } from '@plimsoll/core/text'

/** A part of a request, and how much of the window it takes. */
export interface BigPart {
  /** In a few words, such as `result of Read (src/app.ts)`. */
  readonly what: string
  readonly tokens: number
  /** Null for what stands around the conversation. */
  readonly message: string | null
  readonly tool: string | null
}

/** The three parts of a request that take up most of the window, the largest first. */
export function biggestParts(messages: readonly Message[], toolTokens: number): readonly BigPart[] {
  const abouts = new Map<string, string>()
  const parts: BigPart[] = []
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call') abouts.set(part.callId, aboutOf(part))
      const isLayer = message.id.startsWith('layer:')
      parts.push({
        what: whatIs(message, part, abouts),
        tokens: countPart(part, estimator),
        message: isLayer ? null : message.id,
        tool: part.type === 'tool-call' || part.type === 'tool-result' ? part.tool : null,
      })
    }
  }
  if (toolTokens > 0) parts.push({ what: 'tool definitions', tokens: toolTokens, message: null, tool: null })
  return parts.sort((one, other) => other.tokens - one.tokens).slice(0, 3)
}

function whatIs({ role, summary }: Message, part: Part, abouts: ReadonlyMap<string, string>): string {
  switch (part.type) {
    case 'text':
      if (summary === true) return 'summary'
      return role === 'system' ? 'system prompt' : `${role} message`
    case 'reasoning':
      return 'reasoning'
    case 'media':
      return part.mediaType.slice(0, 60)
    case 'tool-call':
      return `call of ${shortened(part.tool)}`
    case 'tool-result':
      return `result of ${shortened(part.tool ?? 'a tool')}${inBrackets(abouts.get(part.callId ?? '') ?? '')}`
  }
}

/** What a call is about: the first of its arguments that is a short text. Whole prompts do not belong into an error. */
function aboutOf(call: ToolCallPart): string {
  const first = Object.values(callInput(call) ?? {}).find((value): value is string => typeof value === 'string' && value !== '')
  return first === undefined ? '' : shortened(first)
}

function shortened(text: string): string {
  const line = text.slice(0, 200).replace(/\s+/g, ' ').trim()
  return line.length > 60 ? `${line.slice(0, 59)}…` : line
}

function inBrackets(text: string): string {
  return text === '' ? '' : ` (${text})`
}
