import { describe, expect, it } from 'vitest'
import type { MediaPart, Message, ResultContent, ToolResultPart } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { calls } from '../testing/messages.ts'
import { countPart } from '../tokens.ts'
import { toolResults } from '../tool-results.ts'
import { type CutSource, cutResult } from './cut-result.ts'

const handle = '0123456789ab'
const lines = Array.from({ length: 400 }, (_, index) => `line ${index} of the log`).join('\n')

function sourceOf(text: string, { content, tool = 'Read', input = { path: 'a.log' } }: Shown = {}): CutSource {
  const part: ToolResultPart = { type: 'tool-result', callId: 'c', tool: null, content: content ?? { type: 'text', text } }
  const message: Message = { id: 'm', role: 'tool', parts: [part] }
  const asked = tool === null ? [] : [calls('a', ['c', tool, input])]
  const [result] = toolResults([...asked, message], {})
  if (result === undefined) throw new Error('expected a result')
  return { result, original: { ...part, content: { type: 'text', text } }, handle }
}

interface Shown {
  readonly content?: ResultContent
  readonly tool?: string | null
  readonly input?: unknown
}

const shownText = (part: ToolResultPart | null) => (part?.content.type === 'text' ? part.content.text : null)

describe('Q-24 a result cut to so many tokens', () => {
  it('shows head and tail of the original, not of what is shown, and names it once', () => {
    const cut = cutResult(sourceOf(lines, { content: { type: 'text', text: 'what was shown before' } }), 300, {})
    const text = shownText(cut) ?? ''
    expect(text.startsWith('line 0 of the log\n')).toBe(true)
    expect(text).toContain('line 399 of the log')
    expect(text.split(`recall ${handle}]`).length).toBe(2)
    expect(text.endsWith(`\n[recall ${handle}]`)).toBe(true)
    expect(cut).toMatchObject({ type: 'tool-result', callId: 'c', tool: null })
  })
})
