import { describe, expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { deepFreeze, outcome, user } from '../testing/messages.ts'
import { buildView } from '../view.ts'
import { hideOldSummaries } from './hide-old-summaries.ts'
import { foldLine } from './summary-template.ts'

const summary = (id: string, handle: string): Message => ({
  id,
  role: 'system',
  parts: [{ type: 'text', text: `${'what happened '.repeat(100)}\n${foldLine(9, handle)}` }],
  summary: true,
})
const foreign: Message = { id: 'x', role: 'system', parts: [{ type: 'text', text: 'words '.repeat(200) }], summary: true }
const messages = deepFreeze([
  summary('1', 'aaaaaaaaaaaa'),
  summary('2', 'bbbbbbbbbbbb'),
  summary('3', 'cccccccccccc'),
  user('u', 'hi'),
])
const limit = (max_summary_tokens: number | null) => ({ config: { compaction: { max_summary_tokens } } })

describe('hideOldSummaries', () => {
  it('Q-28b hides nothing unless it is told to', () => {
    expect(hideOldSummaries.plan(messages, {})).toEqual([])
    expect(hideOldSummaries.plan(messages, limit(100_000))).toEqual([])
  })

  it('Q-28b shows one line with the handles in place of the oldest', () => {
    expect(outcome(hideOldSummaries.plan(messages, limit(300)))).toEqual({
      '1': '[2 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb]',
    })
    expect(outcome(hideOldSummaries.plan(messages, limit(0)))).toEqual({
      '1': '[3 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc]',
    })
  })

  it('Q-28b leaves a summary that names no handle, and the rest as it was written', () => {
    const list = [messages[0] as Message, foreign, messages[1] as Message, messages[3] as Message]
    expect(outcome(hideOldSummaries.plan(list, limit(0)))).toEqual({
      '1': '[1 summary hidden; recall aaaaaaaaaaaa]',
      '2': '[1 summary hidden; recall bbbbbbbbbbbb]',
    })
  })

  it('Q-28b is a legal policy whose own line is hidden again only with its handles', () => {
    const first = buildView({ messages, policies: [hideOldSummaries], facts: limit(300) })
    expect(first.view.map(({ id }) => id).slice(1)).toEqual(['3', 'u'])
    expect(first.view[1]).toBe(messages[2])
    expect(hideOldSummaries.plan(first.view, limit(300))).toEqual([])
    expect(outcome(hideOldSummaries.plan(first.view, limit(10)))).toEqual({
      [first.view[0]?.id as string]: '[2 summaries hidden; recall aaaaaaaaaaaa, bbbbbbbbbbbb, cccccccccccc]',
    })
  })
})
