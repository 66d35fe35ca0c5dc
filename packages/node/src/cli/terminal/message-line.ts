import { callInput, type Message, type Part, resultText, type ToolCallPart } from '@plimsoll/core'
import { toolRules } from '@plimsoll/core/policies'
import { mediaIn } from '@plimsoll/core/text'
import { cleanText, cutToWidth } from './text.ts'

const maxScanned = 4000

const maxLineWidth = 200

/** A message on one line: its text, the tools it calls, or a tool's answer. */
export interface MessageLine {
  readonly tools: readonly string[]
  readonly about: string
  readonly first: string
}

/** Remembers calls, so that a result can be named by its call. Messages come in order. */
export function createMessageLines(): (message: Message) => MessageLine {
  const calls = new Map<string, { readonly tool: string; readonly about: string }>()
  return ({ parts }) => {
    const tools: string[] = []
    const about: string[] = []
    for (const part of parts) {
      if (part.type === 'tool-call') calls.set(part.callId, { tool: part.tool, about: aboutCall(part) })
      if (part.type !== 'tool-call' && part.type !== 'tool-result') continue
      const call = calls.get(part.callId ?? '')
      tools.push(cleanText(call?.tool ?? part.tool ?? ''))
      about.push(cleanText(call?.about ?? ''))
    }
    return {
      tools: tools.filter((tool) => tool !== ''),
      about: about.filter((text) => text !== '').join(', '),
      first: firstLine(parts),
    }
  }
}

export function lineText({ tools, about, first }: MessageLine, role: Message['role']): string {
  const called = [tools.join(', '), about].filter((text) => text !== '').join(' ')
  if (called === '') return first
  if (role === 'assistant') return [first, `→ ${called}`].filter((text) => text !== '').join(' ')
  return first === '' ? called : `${called}: ${first}`
}

function aboutCall(part: ToolCallPart): string {
  const rules = toolRules(part.tool)
  const input = rules === null ? null : callInput(part)
  return input === null ? '' : (rules?.about?.(input) ?? []).slice(0, 10).join(', ').slice(0, 400)
}

function firstLine(parts: readonly Part[]): string {
  for (const wanted of ['text', 'tool-result', 'media', 'reasoning'] as const) {
    for (const part of parts) {
      const line = part.type === wanted ? firstOf(textOf(part)) : ''
      if (line !== '') return line
    }
  }
  return ''
}

function mediaKinds(part: Part): readonly string[] {
  return mediaIn(part).map(({ mediaType }) => `[${mediaType}]`)
}

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'media':
      return `[${part.mediaType}]`
    case 'tool-result':
      return resultText(part) || mediaKinds(part).join(' ')
    case 'tool-call':
      return ''
  }
}

function firstOf(text: string): string {
  for (const line of text.slice(0, maxScanned).split('\n')) {
    const clean = cleanText(line).trim()
    if (clean !== '') return cutToWidth(clean, maxLineWidth)
  }
  return ''
}
