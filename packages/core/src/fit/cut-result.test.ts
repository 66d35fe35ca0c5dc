import { describe, expect, it } from 'vitest'
import { truncate } from '../cut/truncate.ts'
import type { Tokenizer, ToolRules } from '../facts.ts'
import type { MediaPart, Message, ResultContent, ToolResultPart } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { modelStrings } from '../strings/specification.ts'
import { letters } from '../testing/letters.ts'
import { calls } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { countPart } from '../tokens/count-tokens.ts'
import { type CutSource, cutResult } from './shrink-parts.ts'

const handle = '0123456789ab'
const lines = Array.from({ length: 400 }, (_, index) => `line ${index} of the log`).join('\n')
const sign = `\n[recall ${handle}]`

interface Shown {
  readonly content?: ResultContent
  readonly tool?: string | null
  readonly about?: readonly string[]
}

function sourceOf(text: string, { content = { type: 'text', text }, tool = 'Look', about = [] }: Shown = {}): CutSource {
  const part: ToolResultPart = { type: 'tool-result', callId: 'c', tool: null, content }
  const message: Message = { id: 'm', role: 'tool', parts: [part] }
  const rules: ToolRules = { name: 'Look', kind: 'other', about: () => about }
  const [result] = toolResults(tool === null ? [message] : [calls('a', ['c', tool, {}]), message], { tools: [rules] })
  if (result === undefined) throw new Error('expected a result')
  return { result, original: { ...part, content: { type: 'text', text } }, handle }
}

const shown = (text: string): ToolResultPart => ({
  type: 'tool-result',
  callId: 'c',
  tool: null,
  content: { type: 'text', text },
})
const headTail = (text: string, maxChars: number) =>
  truncate(text, { maxChars, maxLines: null, by: 'cap', strategy: 'head_tail', strings: modelStrings }, () => false).text

describe('Q-24 a result cut to a number of tokens', () => {
  it('shows three characters per token: head and tail of the original, and its handle', () => {
    const source = sourceOf(lines, { content: { type: 'text', text: 'what was shown before' } })
    expect(cutResult(source, 300, {})).toEqual(shown(headTail(lines, 900 - sign.length) + sign))
  })

  it('names the handle once if the cut already names it', () => {
    const failing = lines.replace('line 200 of the log', 'ERROR: disk is full')
    const source = { ...sourceOf(failing), handle: handleOf(failing) }
    const cut = headTail(failing, 900 - sign.length)
    expect(cut).toContain(`recall ${handleOf(failing)}]`)
    expect(cutResult(source, 300, {})).toEqual(shown(cut))
  })

  it('treats a cut reported by a tool as ordinary text', () => {
    const failing = lines.replace('line 200 of the log', 'ERROR: disk is full')
    const before = headTail(failing, 4000)
    expect(before).toContain(`recall ${handleOf(failing)}]`)
    const cut = headTail(before, 1500 - sign.length)
    expect(cutResult({ ...sourceOf(before), handle: handleOf(before) }, 500, {})).toEqual(shown(cut))
  })

  it('keeps the line numbers of an earlier cut by Plimsoll', () => {
    const failing = lines.replace('line 200 of the log', 'ERROR: disk is full')
    const before = headTail(failing, 4000)
    const limit = {
      maxChars: 1500 - sign.length,
      maxLines: null,
      by: 'cap',
      strategy: 'head_tail',
      strings: modelStrings,
    } as const
    const cut = truncate(before, limit).text
    expect(cut).not.toBe(headTail(before, limit.maxChars))
    expect(cutResult({ ...sourceOf(before), handle: handleOf(failing) }, 500, {})).toEqual(shown(cut))
  })

  it('keeps images', () => {
    const image: MediaPart = { type: 'media', mediaType: 'image/png', data: {} }
    const content: ResultContent = { type: 'list', items: [{ type: 'text', text: lines }, image] }
    const cut = cutResult(sourceOf(lines, { content }), 2000, {})
    const [text, ...others] = cut?.content.type === 'list' ? cut.content.items : []
    expect(others).toEqual([image])
    expect(text).toMatchObject({ type: 'text', text: expect.stringContaining('line 0 of the log') })
  })

  it('is cut shorter if it still has too many tokens', () => {
    const first = countPart(shown(headTail(lines, 2400 - sign.length) + sign), letters)
    expect(first).toBe(1801)
    const second = Math.floor((2400 * 800 * 0.9) / first)
    const cut = shown(headTail(lines, second - sign.length) + sign)
    expect(countPart(cut, letters)).toBeLessThanOrEqual(800)
    expect(cutResult(sourceOf(lines), 800, { tokens: letters })).toEqual(cut)
  })

  it('is accepted if it has exactly as many tokens', () => {
    const tokens: Tokenizer = { name: 'constant', count: () => 496 }
    expect(cutResult(sourceOf(lines), 500, { tokens })).toEqual(shown(headTail(lines, 1500 - sign.length) + sign))
  })
})

describe('Q-24 a result that cannot be cut small enough becomes one line', () => {
  const line = (about: string) => shown(`[${about}; 7,889 characters; recall ${handle}]`)

  it.each<[name: string, given: Shown, expected: string]>([
    ['a tool without a subject', {}, 'Look'],
    ['a tool with its subjects', { about: ['a.log', 'b.log'] }, 'Look: a.log, b.log'],
    ['an unknown tool', { tool: null }, 'tool'],
  ])('%s', (_name, given, expected) => expect(cutResult(sourceOf(lines, given), 100, {})).toEqual(line(expected)))

  it('returns null if even the line has more tokens', () => {
    const least = countPart(line('Look'), letters)
    const cut = (tokens: number) => cutResult(sourceOf(lines), tokens, { tokens: letters })
    expect([cut(least), cut(least - 1)]).toEqual([line('Look'), null])
  })

  it('does not return null for 400 characters', () => {
    expect(cutResult(sourceOf(lines), 400 / 3, {})).toEqual(shown(headTail(lines, 400 - sign.length) + sign))
  })

  it('gives up after five tries', () => {
    // Each try is a tenth shorter; the sixth would fit.
    const tried: string[] = []
    const tokens: Tokenizer = {
      name: 'dear',
      count(text) {
        if (text.startsWith('line 0')) tried.push(text)
        return text.length > 600 ? 497 : 10
      },
    }
    expect(cutResult(sourceOf(lines), 500, { tokens })).toEqual(line('Look'))
    expect(tried.map(({ length }) => length)).toEqual([1077, 955, 843, 745, 655])
  })
})
