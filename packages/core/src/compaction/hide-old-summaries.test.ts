import { describe, expect, it } from 'vitest'
import { buildView } from '../engine/build-view.ts'
import { reasonsOf, type Tokenizer } from '../facts.ts'
import type { Message } from '../message.ts'
import { deepFreeze, outcome, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { countMessage, estimator } from '../tokens/count-tokens.ts'
import { hideOldSummaries } from './hide-old-summaries.ts'
import { foldLine } from './summary-template.ts'

const tokens: Tokenizer = { name: 'characters', count: (text) => text.length }
const said = (id: string, text: string): Message => ({ id, role: 'system', parts: [{ type: 'text', text }], summary: true })
const summary = (id: string, handle: string) => said(id, `${'what happened '.repeat(10)}\n${foldLine(9, handle)}`)
const foreign = said('x', 'words '.repeat(20))
const first = summary('1', 'aaaaaaaaaaaa')
const second = summary('2', 'bbbbbbbbbbbb')
const third = summary('3', 'cccccccccccc')
const prompt = user('u', 'hi')
const messages = deepFreeze([first, second, third, prompt])
const each = countMessage(first, tokens)
const limit = (max_summary_tokens: number | null) => ({ tokens, config: { compaction: { max_summary_tokens } } })
const hidden = (list: readonly Message[], most: number) => outcome(hideOldSummaries.plan(list, limit(most)))

describe('hideOldSummaries', () => {
  it('Q-28b hides nothing by default', () => {
    expect(hideOldSummaries.plan(messages, { tokens })).toEqual([])
    expect(hideOldSummaries.plan(messages, limit(null))).toEqual([])
  })

  it.each<[most: number, expected: Record<string, string>]>([
    [each * 3, {}],
    [each * 3 - 1, { '1': '[1 summary hidden; recall aaaaaaaaaaaa]' }],
    [each * 2, { '1': '[1 summary hidden; recall aaaaaaaaaaaa]' }],
    [each, { '1': '[2 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb]' }],
    [0, { '1': '[3 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc]' }],
  ])('Q-28b shows one line with the handles in place of the oldest, until the rest has room in %i', (most, expected) => {
    expect(hidden(messages, most)).toEqual(expected)
  })

  it('Q-28b puts the line in their place, as a summary with its own id', () => {
    const text = '[2 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb]'
    const id = handleOf(`1\n2\n${text}`)
    expect(hideOldSummaries.plan(messages, limit(each))).toEqual([
      {
        id: `hide-old-summaries:${id}`,
        policy: 'hide-old-summaries',
        why: reasonsOf({}).summariesHidden(2),
        kind: 'fold',
        first: '1',
        last: '2',
        into: said(`hidden:${id}`, text),
      },
    ])
  })

  it('Q-28b counts summaries hidden before, and merges their line', () => {
    const before = said('h', '[2 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb]')
    expect(hidden([before, third, prompt], 0)).toEqual({
      h: '[3 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc]',
    })
  })

  it('Q-28b uses the estimator without a tokenizer', () => {
    const most = countMessage(first, estimator) * 3
    expect(hideOldSummaries.plan(messages, { config: { compaction: { max_summary_tokens: most } } })).toEqual([])
    expect(hideOldSummaries.plan(messages, { config: { compaction: { max_summary_tokens: most - 1 } } })).toHaveLength(1)
  })

  it('Q-28b leaves a summary without a handle, and everything else, unchanged', () => {
    expect(hidden([first, foreign, second, prompt], 0)).toEqual({
      '1': '[1 summary hidden; recall aaaaaaaaaaaa]',
      '2': '[1 summary hidden; recall bbbbbbbbbbbb]',
    })
  })

  it('Q-28b counts a summary without a handle too', () => {
    const all = each + countMessage(foreign, tokens)
    expect(hidden([first, foreign], all)).toEqual({})
    expect(hidden([first, foreign], all - 1)).toEqual({ '1': '[1 summary hidden; recall aaaaaaaaaaaa]' })
  })

  it('Q-28b hides neighbours together, and others separately', () => {
    expect(hidden([first, prompt, second, third], 0)).toEqual({
      '1': '[1 summary hidden; recall aaaaaaaaaaaa]',
      '2': '[2 summaries hidden; recall bbbbbbbbbbbb, cccccccccccc]',
    })
  })

  it('Q-28b ignores messages that only look like a summary', () => {
    const { summary: _summary, ...spoken } = second
    expect(hidden([first, spoken, third], 0)).toEqual({
      '1': '[1 summary hidden; recall aaaaaaaaaaaa]',
      '3': '[1 summary hidden; recall cccccccccccc]',
    })
    expect(hidden([first, spoken], each)).toEqual({})
  })

  it('Q-28b hides nothing if the line would not be shorter', () => {
    const [same, longer] = [said('1', foldLine(1, 'aaaaaaaaaaaa')), said('1', foldLine(2, 'aaaaaaaaaaaa'))]
    expect(hidden([same], 0)).toEqual({})
    expect(hidden([longer], 0)).toEqual({ '1': '[1 summary hidden; recall aaaaaaaaaaaa]' })
  })

  it('Q-28b is a legal policy whose line is hidden again only with its handles', () => {
    const { view } = buildView({ messages, policies: [hideOldSummaries], facts: limit(each + 60) })
    expect(view.map(({ id }) => id).slice(1)).toEqual(['3', 'u'])
    expect(view[1]).toBe(third)
    expect(hideOldSummaries.plan(view, limit(each + 60))).toEqual([])
    expect(hidden(view, 10)).toEqual({
      [view[0]?.id as string]: '[3 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc]',
    })
  })
})
