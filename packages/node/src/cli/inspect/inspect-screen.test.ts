import type { WindowFill } from '@plimsoll/core/bill'
import { describe, expect, it } from 'vitest'
import type { InspectedRequest, Inspection } from '../../shared/inspection/inspection.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth } from '../terminal/text.ts'
import { type BigMessage, inspectScreen } from './inspect-screen.ts'

const screen = (columns: number): TextScreen => ({ columns, endless: false, paint: (_tint, text) => text })
const biggest: readonly BigMessage[] = [{ number: 1, text: 'read src/app.ts: import { x } from y' }]

describe('inspectScreen', () => {
  it('shows the load line, the requests, the biggest messages, the edits and the cost', () => {
    expect(inspectScreen(made(), biggest, stringsFor('en'), screen(72))).toMatchInlineSnapshot(`
      "Fix the prices
       claude-code · claude-opus-4-5 · 2026-01-31 09:00 – 2026-01-31 11:00 · …

      Load line
        500 of 1,000 tokens, 50.0 % of the window · counted by the provider ·
        80 reserved for the answer
        SSSSSSSUUUTTTTTTTTTTTTTTTTTTTTTTTT·····························░░░░░
        S System prompt                    100   10.0 %
        U User                              50    5.0 %
        T Tool results                     350   35.0 %
            read                           250   25.0 %
            run                            100   10.0 %
        · free                             420   42.0 %
        ░ reserved for the answer           80    8.0 %

      4 requests · largest 500 tokens · 1 compaction · 2 cache breaks
         ▂█
        ▃███
         xxc
        c: compaction · x: cache break

      Most expensive cache breaks
        x request 3: edited by trim-repeated-reads, at message 2; 400 tokens
          billed again
        x request 2: another model, before the first message; 90 tokens billed
          again

      Largest messages
            400  #2     Tool results  read src/app.ts: import {… (shown as 40)

      1 edit
        trim-repeated-reads         1 edit, 360 tokens less

      Cost
        $1.23 · cache read $0.200 · cache write $0.200 · uncached $0.400 ·
        output $0.400 · 2 requests without a known price

      plimsoll inspect --html FILE writes this as a page with details;
      plimsoll serve opens the inspector.
      "
    `)
  })

  it('reports tokens over the line and unreadable parts', () => {
    const full = { ...made(), fill: { ...fillOf(950), reserve: 100 }, troubles: ['line 7 is \u001b[31mbroken'] }
    const text = inspectScreen(full, [], stringsFor('en'), screen(72))
    expect(text).toContain(`! ${stringsFor('en').inspect.screen.over('50')}`)
    expect(text).toContain('1 problem with this log\n  ! line 7 is broken')
    expect(text).not.toContain('\u001b')
  })

  it('speaks Chinese, and fits the width in both languages', () => {
    const text = inspectScreen(made(), biggest, stringsFor('zh'), screen(60))
    expect(text).toContain(stringsFor('zh').inspect.screen.breaks(2))
    for (const locale of ['zh', 'en'])
      for (const line of inspectScreen(made(), biggest, stringsFor(locale), screen(60)).split('\n'))
        expect([line, displayWidth(line) <= 60]).toEqual([line, true])
  })

  it('shows a session without requests', () => {
    const nothing = { ...made(), requests: [], edits: [] }
    expect(inspectScreen(nothing, [], stringsFor('en'), screen(80))).not.toMatch(/requests? · largest/)
  })

  it('draws one bar for several requests if there are more requests than columns', () => {
    const requests = Array.from({ length: 1000 }, (_, index) => requestOf(index, {}))
    const text = inspectScreen({ ...made(), requests }, [], stringsFor('en'), screen(80))
    expect(text).toContain(stringsFor('en').inspect.screen.oneBar('14'))
  })
})

function made(): Inspection {
  return {
    session: {
      id: 's',
      title: 'Fix the \u202eprices',
      format: 'claude-code',
      isOwn: false,
      root: '/home/ada',
      model: 'claude-opus-4-5',
      first: Date.parse('2026-01-31T09:00:00Z'),
      last: Date.parse('2026-01-31T11:00:00Z'),
      bytes: 123_456,
      cost: { dollars: 1.234, unpriced: 2 },
      pins: [],
    },
    messages: {
      ids: ['a', 'b'],
      roles: ['user', 'tool'],
      tokens: [10, 400],
      shown: [10, 40],
      categories: ['user', 'results'],
      tools: [-1, 0],
      toolNames: ['read'],
      times: [0, 0],
    },
    requests: [
      requestOf(100, {}),
      requestOf(300, { broken: { message: null, policy: null, reason: 'model', tokens: 90 } }),
      requestOf(500, { broken: { message: 1, policy: 'trim-repeated-reads', reason: 'edit', tokens: 400 } }),
      requestOf(250, { isCompacted: true }),
    ],
    edits: [
      {
        id: 'e1',
        policy: 'trim-repeated-reads',
        kind: 'replace',
        message: 'b',
        part: 0,
        tool: 'read',
        tokensBefore: 400,
        tokensAfter: 40,
        why: 'read again',
        cache: 'rewrite',
        number: 1,
        lastNumber: 1,
        at: null,
        request: 2,
        state: 'in-force',
      },
    ],
    fill: fillOf(500),
    troubles: [],
  }
}

function fillOf(tokens: number): WindowFill {
  return {
    tokens,
    categories: { system: 100, user: 50, results: tokens - 150 },
    results: [
      { tool: 'read', tokens: tokens - 250 },
      { tool: 'run', tokens: 100 },
    ],
    source: 'usage',
    window: 1000,
    reserve: 80,
  }
}

function requestOf(tokens: number, given: Partial<InspectedRequest>): InspectedRequest {
  return {
    id: `r${tokens}`,
    at: null,
    model: null,
    fill: { ...fillOf(500), tokens },
    last: 1,
    usage: null,
    cost: { dollars: 0.3, parts: { input: 0.1, cacheRead: 0.05, cacheWrite: 0.05, output: 0.1 } },
    edits: 0,
    saved: 0,
    waiting: 0,
    isCompacted: false,
    broken: null,
    ...given,
  }
}
