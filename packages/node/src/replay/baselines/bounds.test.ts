import { checkView } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import type { Need, NeedClass } from '../needs/need.ts'
import type { RecordedSession } from '../record-session.ts'
import { noOutputLine, noToolOutput, oracle } from './oracle.ts'
import { resultTexts, toolRound, typed } from './testing/tool-rounds.ts'

const messages = [
  typed('go'),
  ...toolRound('a', 'one\nlet total = 1\nuse(total)'),
  ...toolRound('b', '  12\tlet total = 1\nconst totals = []\nthree'),
  ...toolRound('d', 'nothing of use'),
]
const session: RecordedSession = { name: 's', format: 'test', model: null, segments: [messages], steps: [], hasTimes: false }

function need(text: string, of: NeedClass, step: number, ...suppliers: readonly string[]): Need {
  return {
    class: of,
    text,
    step,
    edit: null,
    suppliers: suppliers.map((name) => ({ message: name, part: 0, from: name.endsWith('c') ? 'call' : 'result' })),
  }
}

describe('bounds', () => {
  it('no-tool-output shows no result', () => {
    const view = messages.map(noToolOutput())
    expect(resultTexts(view)).toEqual({ a: noOutputLine, b: noOutputLine, d: noOutputLine })
    expect(checkView(view)).toEqual([])
  })

  it.each<readonly [string, readonly Need[], Readonly<Record<string, string>>]>([
    ['nothing that is not needed', [], {}],
    [
      'the line of an anchor in the newest result',
      [need('let total = 1', 'edit-anchor', 3, 'b', 'a')],
      { b: '  12\tlet total = 1' },
    ],
    ['a symbol as a complete word', [need('totals', 'symbol', 3, 'b')], { b: 'const totals = []' }],
    [
      'a line that is shown anyway, not another copy of it',
      [need('let total = 1', 'edit-anchor', 2, 'a'), need('let total = 1', 'edit-anchor', 3, 'b', 'a')],
      { a: 'let total = 1' },
    ],
    ['nothing for a symbol in a call', [need('total', 'symbol', 3, 'b', 'ac')], {}],
    ['all of a result that is needed in full', [need('nothing', 'symbol', 3, 'd')], { d: 'nothing of use' }],
    [
      'lines in their order',
      [need('three', 'symbol', 2, 'b'), need('totals', 'symbol', 3, 'b')],
      { b: 'const totals = []\nthree' },
    ],
    ['nothing of a missing result', [need('x', 'symbol', 3, 'z')], {}],
  ])('the oracle shows %s', (_, needs, shown) => {
    const view = messages.map(oracle(session, needs))
    expect(resultTexts(view)).toEqual({ a: noOutputLine, b: noOutputLine, d: noOutputLine, ...shown })
    expect(checkView(view)).toEqual([])
  })

  it('keep other messages unchanged and return the same object for the same message', () => {
    const show = oracle(session, [])
    const first = messages.map(show)
    expect(first.map((message, index) => message === messages[index])).toEqual([true, true, false, true, false, true, false])
    expect(messages.map(show).every((message, index) => message === first[index])).toBe(true)
  })
})
