import type { Edit, Message } from '@plimsoll/core'
import { handleOf } from '@plimsoll/core'
import type { Usage } from '@plimsoll/core/bill'
import { plainCounts, sizeMessage } from '@plimsoll/core/bill'
import type { FoldEdit } from '@plimsoll/core/policies'
import type { Entry, MessageEntry } from '@plimsoll/core/session'
import { countMessage, estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { exchange, user } from '../../../core/src/testing/messages.ts'
import { type InspectedBranch, inspectBranch } from './inspect-branch.ts'

type Line = Message | Omit<Exclude<Entry, MessageEntry>, 'id' | 'parentId' | 'at'>

const system = 'You are an agent.'
const price = {
  model: 'm',
  input: 3,
  cacheRead: 0.3,
  cacheWrite: 3.75,
  cacheWriteHour: null,
  output: 15,
  longPrompt: null,
} as never

/** Inspects a branch of these lines, one a minute. */
function inspect(...lines: readonly Line[]): InspectedBranch {
  const calls = new Map<string, string>()
  const branch = inspectBranch({
    layer: (handle) => (handle === handleOf(system) ? system : undefined),
    toolOf: (callId) => calls.get(callId),
    tokens: estimator,
    limitsOf: () => ({ window: 10_000, reserve: 1000 }),
    priceOf: () => price,
  })
  for (const [index, line] of lines.entries()) {
    if ('role' in line) {
      for (const part of line.parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
      branch.message(sizeMessage(line, (id) => calls.get(id), plainCounts(estimator)))
    } else
      branch.entry({ ...line, id: `e${index}`, parentId: `e${index - 1}`, at: index * 60_000 } as Exclude<Entry, MessageEntry>)
  }
  return branch.finish()
}

const request = (last: string | null, more: object = {}): Line =>
  ({
    type: 'request',
    model: 'm',
    layers: { system: handleOf(system) },
    policies: ['cut'],
    last,
    view: '',
    estimate: 0,
    ...more,
  }) as Line
const usage = (of: number, counts: Partial<Usage>): Line =>
  ({ type: 'usage', request: `e${of}`, usage: { input: 0, cacheRead: 0, cacheWrite: 0, output: 0, ...counts } }) as Line
const long = 'many words in a row '.repeat(100)
const [call, result] = exchange('a', 'Read', { path: 'x' }, long) as [Message, Message]
const cut: Edit = {
  id: 'cut:a.0',
  policy: 'cut',
  kind: 'replace',
  message: 'a',
  part: 0,
  with: { type: 'tool-result', callId: 'call-a', tool: null, content: { type: 'text', text: 'cut' } },
  why: 'It is old.',
}
const row = {
  id: 'cut:a.0',
  policy: 'cut',
  kind: 'replace',
  message: 'a',
  part: 0,
  tool: 'Read',
  tokensBefore: 500,
  tokensAfter: 5,
  why: '',
}
const applied = (cache: 'free' | 'rewrite'): Line => ({ type: 'edits', apply: [cut], report: [{ ...row, cache }] }) as Line
const fold: FoldEdit = {
  id: 'fold:1',
  policy: 'compaction',
  kind: 'fold',
  first: 'u',
  last: 'a',
  into: { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text: 'They read x.' }] },
  why: 'It was long.',
}
const start: readonly Line[] = [user('u', 'Read x'), call, result]
const size = (message: Message) => countMessage(message, estimator)

describe('inspectBranch', () => {
  it('lists edits with their request and savings', () => {
    const branch = inspect(...start, request('a'), user('u2', 'Go on'), applied('rewrite'), request('u2'))
    expect(branch.edits).toEqual([
      { ...row, why: 'It is old.', cache: 'rewrite', number: 2, lastNumber: 2, at: 300_000, request: 1, state: 'in-force' },
    ])
    const [first, second] = branch.requests
    expect([first?.edits, first?.saved, second?.edits, second?.saved]).toEqual([0, 0, 1, 495])
    expect(branch.messages.tokens).toEqual([...start, user('u2', 'Go on')].map((message) => size(message as Message)))
    expect(branch.messages.shown[2]).toBeLessThan(20)
    expect(branch.messages.categories).toEqual(['user', 'calls', 'results', 'user'])
    expect(branch.messages.tools.map((tool) => branch.messages.toolNames[tool])).toEqual([undefined, 'Read', 'Read', undefined])
  })

  it('keeps an undone edit in the list, and shows the message in full again', () => {
    const withdraw = { type: 'edits', withdraw: ['cut:a.0'] } as Line
    const branch = inspect(...start, applied('free'), request('a'), withdraw, request('a'))
    expect(branch.edits.map(({ id, state, request: sent }) => [id, state, sent])).toEqual([['cut:a.0', 'withdrawn', 0]])
    expect(branch.messages.shown).toEqual(branch.messages.tokens)
    expect(branch.requests[1]?.broken).toMatchObject({ message: 2, policy: 'cut', reason: 'edit' })
  })

  it('shows a summary instead of the messages it replaces', () => {
    const compacted = { type: 'edits', apply: [fold] } as Line
    const branch = inspect(...start, request('a'), compacted, user('u2', 'Go on'), request('u2'))
    expect(branch.messages.shown).toEqual([0, 0, 0, size(user('u2', 'Go on'))])
    expect(branch.fill.categories).toEqual({
      system: 4 + estimator.count(system),
      user: size(user('u2', 'Go on')),
      summaries: size(fold.into as Message),
    })
    expect(branch.requests.map(({ isCompacted }) => isCompacted)).toEqual([false, true])
    expect(branch.requests[1]?.broken).toEqual({
      message: 0,
      policy: 'compaction',
      reason: 'fold',
      tokens: size(fold.into as Message),
    })
    expect(branch.edits).toMatchObject([{ id: 'fold:1', number: 0, lastNumber: 2, state: 'in-force', request: 1 }])
  })

  it("uses the provider's count for the cost and content of a request", () => {
    const branch = inspect(...start, request('a'), usage(3, { input: 10_000, cacheRead: 990, output: 10 }))
    const [{ fill, cost, usage: reported } = { fill: null, cost: null, usage: null }] = branch.requests
    expect([fill?.tokens, fill?.source, reported?.cacheRead]).toEqual([10_990, 'usage', 990])
    expect(cost?.dollars).toBeCloseTo((10_000 * 3 + 990 * 0.3 + 10 * 15) / 1_000_000)
  })

  it('ignores an implausible count', () => {
    const branch = inspect(...start, request('a'), usage(3, { input: 7 }))
    expect([branch.fill.source, branch.requests[0]?.usage?.input]).toEqual(['estimate', 7])
  })

  it('counts the part of the estimate that is not messages as tools', () => {
    const messages = start.reduce((sum, message) => sum + size(message as Message), 4 + estimator.count(system))
    const asked = request('a', { tools: 't', estimate: messages + 700 })
    expect(inspect(...start, asked).fill.categories.tools).toBe(700)
  })

  it('shows all messages if there is no request', () => {
    const { requests, fill, messages, model } = inspect(...start)
    expect([requests, fill.tokens, messages.shown, model]).toEqual([
      [],
      messages.tokens.reduce((a, b) => a + b),
      messages.tokens,
      null,
    ])
  })

  const continues = [user('u2', 'Go on'), request('u2')]
  it.each<[what: string, lines: readonly Line[], broken: object | null]>([
    ['only continues', continues, null],
    ['has an edit of unsent content', [applied('free'), ...continues], null],
    ['has an edit of sent content', [applied('rewrite'), ...continues], { message: 2, policy: 'cut', reason: 'edit' }],
    ['goes to another model', [request('a', { model: 'n' })], { message: null, policy: null, reason: 'model' }],
    ['has another prompt', [request('a', { layers: { system: 'other' } })], { message: null, policy: null, reason: 'layers' }],
    ['has other tools', [request('a', { tools: 'x' })], { message: null, policy: null, reason: 'layers' }],
    ['has other rules', [request('a', { layers: { system: handleOf(system), rules: 'r' } })], { reason: 'layers' }],
    ['has another recap', [request('a', { layers: { system: handleOf(system), recap: 'r' } })], null],
    ['follows a rewind', [{ type: 'rewind', left: 'e9' } as Line, ...continues], { message: 3, reason: 'rewind', tokens: 0 }],
  ])('finds what broke the cache: a request that %s', (_what, lines, broken) => {
    const found = inspect(...start, request('a'), ...lines).requests.at(-1)?.broken ?? null
    if (broken === null) expect(found).toBeNull()
    else expect(found).toMatchObject(broken)
  })

  it.each<[what: string, minutes: number, counts: Partial<Usage>, broken: object | null]>([
    ['was read from the cache', 1, { cacheRead: 4000, input: 100 }, null],
    ['was read nearly in full', 1, { cacheRead: 3800, input: 300 }, null],
    ['was not read after a long pause', 9, { cacheRead: 0, cacheWrite: 4100 }, { message: null, reason: 'idle', tokens: 4000 }],
    ['was not read for an unknown reason', 1, { cacheRead: 0, input: 4100 }, { message: null, reason: 'unknown', tokens: 4000 }],
    ['was read up to a message', 1, { cacheRead: 2000, input: 2100 }, { message: 2, reason: 'unknown', tokens: 2000 }],
  ])('finds a break in the usage that the provider reported: sent content %s', (_what, minutes, counts, broken) => {
    const waited = Array.from({ length: minutes }, (): Line => ({ type: 'note', code: 'x' }) as Line)
    const lines = [...start, request('a'), usage(3, { cacheWrite: 4000 }), ...waited, request('a'), usage(5 + minutes, counts)]
    const found = inspect(...lines).requests.at(-1)?.broken ?? null
    if (broken === null) expect(found).toBeNull()
    else expect(found).toMatchObject(broken)
  })

  it('ignores edits of missing messages', () => {
    const nothing: readonly Edit[] = [
      { ...cut, id: '1', message: 'missing' },
      { ...cut, id: '2', part: 9 },
      { ...fold, id: '3', first: 'a', last: 'u' },
      { ...fold, id: '4', first: 'missing', last: 'u' },
      { id: '5', policy: 'p', kind: 'insert', after: 'missing', message: user('x', 'x'), why: '' },
      { id: '6', policy: 'p', kind: 'fold', first: 'missing', last: 'a', into: null, why: '' },
      { id: '7', policy: 'p', kind: 'insert', after: 'y', message: user('y', 'y'), why: '' },
    ]
    const lines = [...start, { type: 'edits', apply: nothing } as Line, request('a')]
    expect(inspect(...lines).messages.shown).toEqual(inspect(...start).messages.shown)
  })

  it('finishes with very many chained edits', () => {
    const inserts = Array.from({ length: 20_000 }, (_, index): Edit => {
      const after = index === 0 ? 'a' : `i${index - 1}`
      return { id: `p${index}`, policy: 'p', kind: 'insert', after, message: user(`i${index}`, 'x'), why: '' }
    })
    expect(inspect(...start, { type: 'edits', apply: inserts } as Line, request('a')).edits.length).toBe(20_000)
  })

  it('finishes with one edit of very many messages', () => {
    const said = Array.from({ length: 20_000 }, (_, index) => user(`m${index}`, 'x'))
    const removed: Edit = { id: 'p', policy: 'p', kind: 'fold', first: 'm0', last: 'm19999', into: null, why: '' }
    const { messages } = inspect(...said, { type: 'edits', apply: [removed] } as Line, request('m19999'))
    expect(messages.shown.every((tokens) => tokens === 0)).toBe(true)
  })
})
