import { describe, expect, it, vi } from 'vitest'
import type { Edit } from '../edit.ts'
import type { Message } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import type { Policy } from '../policy.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import type { Timing } from '../timing/timing.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { buildView } from './build-view.ts'

const messages = deepFreeze([
  { id: 'system', role: 'system', parts: [{ type: 'text', text: 'Answer briefly.' }] } satisfies Message,
  user('ask', 'which files are there?'),
  ...exchange('ls', 'Bash', { command: 'ls' }, 'cart.ts'),
  { id: 'answer', role: 'assistant', parts: [{ type: 'text', text: 'Only cart.ts.' }] } satisfies Message,
])
/** A custom policy that always proposes the same edits. */
const proposing = (...edits: readonly Partial<Edit>[]): Policy => ({
  name: 'mine',
  plan: () => edits.map((edit, index) => ({ id: `mine:${index}`, policy: 'mine', why: 'because', ...edit }) as Edit),
})
const shorten: Partial<Edit> = {
  kind: 'replace',
  message: 'ls',
  part: 0,
  with: { ...(result('ls', 'call-ls', 'short').parts[0] as object) } as never,
}

describe('a custom policy', () => {
  it('may shorten a result', () => {
    const { view, report } = buildView({ messages, policies: [proposing(shorten)], facts: {} })
    expect(view[3]).toEqual(result('ls', 'call-ls', 'short'))
    expect(report.edits).toEqual([
      {
        id: 'mine:0',
        policy: 'mine',
        kind: 'replace',
        message: 'ls',
        part: 0,
        tool: 'Bash',
        tokensBefore: expect.any(Number),
        tokensAfter: expect.any(Number),
        why: 'because',
        cache: 'free',
      },
    ])
  })

  it.each<[string, Partial<Edit>, RegExp]>([
    [
      'change a user message',
      { kind: 'replace', message: 'ask', part: 0, with: { type: 'text', text: 'bye' } },
      /mine: message ask, part 0: a user's text may not be edited/,
    ],
    [
      'change the system message',
      { kind: 'replace', message: 'system', part: 0, with: { type: 'text', text: '' } },
      /mine: message system, part 0: a system message/,
    ],
    [
      'turn a result into text',
      { kind: 'replace', message: 'ls', part: 0, with: { type: 'text', text: '' } },
      /message ls, part 0: a tool result must stay/,
    ],
    [
      'give a result to another call',
      { kind: 'replace', message: 'ls', part: 0, with: result('', 'x', '').parts[0] as never },
      /must stay the result of its call/,
    ],
    [
      'turn a call into text',
      { kind: 'replace', message: 'lsc', part: 0, with: { type: 'text', text: '' } },
      /a tool call must stay/,
    ],
    [
      'turn a text into a call',
      { kind: 'replace', message: 'answer', part: 0, with: calls('', ['x', 'Bash', {}]).parts[0] as never },
      /may not be invented/,
    ],
    [
      'remove a message',
      { kind: 'fold', first: 'answer', last: 'answer', into: null },
      /mine: message answer: a policy may not remove messages/,
    ],
    [
      'fold a user message into anything but a summary',
      { kind: 'fold', first: 'ask', last: 'ask', into: user('x', '') },
      /message ask: what was said may be folded into a summary only/,
    ],
    [
      'split a pair',
      { kind: 'fold', first: 'ls', last: 'answer', into: { id: 'x', role: 'assistant', parts: [] } },
      /mine: message lsc: the edits break the rule call-has-result/,
    ],
    [
      'fold a call without its result',
      { kind: 'fold', first: 'lsc', last: 'lsc', into: { id: 'x', role: 'assistant', parts: [] } },
      /mine: message ls: the edits break the rule result-has-call/,
    ],
    [
      'insert half a pair',
      { kind: 'insert', after: 'ask', message: calls('x', ['9', 'Bash', {}]) },
      /mine: message x: the edits break the rule call-has-result/,
    ],
    [
      'name a missing message',
      { kind: 'replace', message: 'nope', part: 0, with: { type: 'text', text: '' } },
      /mine: edit mine:0 names message "nope"/,
    ],
  ])('may not %s', (_name, edit, error) => {
    expect(() => buildView({ messages, policies: [proposing(edit)], facts: {} })).toThrow(error)
  })

  const empty = (id: string): Message => ({ id, role: 'assistant', parts: [] })

  it.each<[string, readonly Partial<Edit>[]]>([
    [
      'that ends at the outcome of another fold',
      [
        { kind: 'fold', first: 'answer', last: 'answer', into: empty('x') },
        { kind: 'fold', first: 'ask', last: 'x', into: empty('y') },
      ],
    ],
    [
      'that starts at an inserted message',
      [
        { kind: 'insert', after: 'system', message: empty('x') },
        { kind: 'fold', first: 'x', last: 'ask', into: empty('y') },
      ],
    ],
  ])('may not hide a user message in a fold %s', (_name, edits) => {
    expect(() => buildView({ messages, policies: [proposing(...edits)], facts: {} })).toThrow(
      /message ask: what was said may be folded/,
    )
  })

  it('may fold a message that it inserted, next to a user message', () => {
    const edits: readonly Partial<Edit>[] = [
      { kind: 'insert', after: 'ask', message: empty('x') },
      { kind: 'fold', first: 'x', last: 'x', into: empty('y') },
    ]
    expect(buildView({ messages, policies: [proposing(...edits)], facts: {} }).view[2]).toEqual(empty('y'))
  })
})

describe('timing', () => {
  it('rejects an unknown name and lists the known ones', () => {
    expect(() => buildView({ messages, policies: [], facts: {}, timing: 'soon' as 'auto' })).toThrow(
      'timing "soon": expected "immediate", "economic", "auto" or a function of your own',
    )
  })

  it('can be a function of proposals, facts and ledger, whose held back edits are reported as waiting', () => {
    const never: Timing = ({ proposals, ledger }) => ({
      apply: [],
      waiting: proposals,
      ledger: { ...ledger, bank: ledger.bank + proposals.length },
    })
    const { view, report, edits, ledger } = buildView({ messages, policies: [proposing(shorten)], facts: {}, timing: never })
    expect(view).toEqual(messages)
    expect(edits).toEqual([])
    expect(report.waiting.map((edit) => edit.id)).toEqual(['mine:0'])
    expect(report.edits).toEqual([])
    expect(report.tokensAfter).toBe(report.tokensBefore)
    const forgetful: Timing = ({ ledger: kept }) => ({ apply: [], waiting: [], ledger: kept })
    expect(buildView({ messages, policies: [proposing(shorten)], facts: {}, timing: forgetful }).view).toEqual(messages)
    expect(ledger).toEqual({ debts: {}, bank: 1, cacheLifetimeSeconds: null })
  })
})

describe('the provider’s cache', () => {
  const cacheOf = (sent: string | null, edits: readonly Edit[] = []) =>
    buildView({ messages, policies: [proposing(shorten)], facts: {}, sent, edits }).report.edits.map((edit) => edit.cache)

  it('makes an edit of sent content a rewrite, any other free', () => {
    expect(cacheOf(null)).toEqual(['free'])
    expect(cacheOf('lsc')).toEqual(['free'])
    expect(cacheOf('ls')).toEqual(['rewrite'])
    expect(cacheOf('answer')).toEqual(['rewrite'])
    const first = proposing({ kind: 'insert', after: null, message: { id: 'x', role: 'system', parts: [] } })
    expect(buildView({ messages, policies: [first], facts: {}, sent: 'system' }).report.edits[0]?.cache).toBe('rewrite')
  })

  it('makes an active edit free, also after a restart', () => {
    const { edits } = buildView({ messages, policies: [proposing(shorten)], facts: {} })
    expect(cacheOf('answer', edits)).toEqual(['free'])
    expect(cacheOf('answer', JSON.parse(JSON.stringify(edits)))).toEqual(['free'])
    expect(cacheOf('answer', [{ ...edits[0], with: { type: 'text', text: 'other' } } as Edit])).toEqual(['rewrite'])
  })
})

it('can hold back an edit of a moved result', () => {
  const patient: Timing = ({ proposals, ledger }) => ({
    apply: proposals.filter((edit) => edit.policy === 'pair-tool-calls'),
    waiting: proposals.filter((edit) => edit.policy !== 'pair-tool-calls'),
    ledger,
  })
  const list = [calls('a', ['1', 'Bash', {}]), user('ask', 'did it work?'), result('late', '1', 'x'.repeat(9000))]
  const { view, report } = buildView({ messages: list, policies: specPolicies, facts: {}, timing: patient })
  expect(view.map((message) => message.id)).toEqual(['a', 'a:1', 'ask'])
  expect(report.waiting.map(({ policy, message, tool }) => [policy, message, tool])).toEqual([
    ['limit-tool-output', 'a:1', 'Bash'],
  ])
  expect(report.tokensAfter).toBe(countMessages(view, estimator))
})

it('keeps seen messages seen if a summary covers the last sent message', () => {
  const reads = Array.from({ length: 6 }, (_, index) => exchange(`r${index}`, 'Read', { file_path: 'a.ts' }, 'text')).flat()
  const list = [...reads, user('ask', 'fix the cart tests'), user('last', 'please continue')]
  const into: Message = { id: 'sum', role: 'system', summary: true, parts: [{ type: 'text', text: 'so far' }] }
  const fold: Edit = { id: 'fold', policy: 'compaction', why: '', kind: 'fold', first: 'ask', last: 'last', into }
  const { report } = buildView({ messages: list, policies: specPolicies, facts: {}, edits: [fold], sent: 'last' })
  expect(report.edits.map((edit) => edit.message)).toEqual(['ask', 'r0'])
})

it('keeps unseen messages in full if a policy removes the last sent message', () => {
  const reads = calls('reads', ...Array.from({ length: 8 }, (_, index) => [`${index}`, 'Read', { file_path: 'a.ts' }] as const))
  const list = [
    user('ask', 'fix the cart tests'),
    result('orphan', 'gone', 'x'),
    reads,
    ...Array.from({ length: 8 }, (_, index) => result(`r${index}`, `${index}`, 'text')),
  ]
  const { edits } = buildView({ messages: list, policies: specPolicies, facts: {}, sent: 'orphan' })
  expect(edits.map((edit) => edit.policy)).toEqual(['pair-tool-calls'])
  expect(buildView({ messages: list.slice(1), policies: specPolicies, facts: {}, sent: 'orphan' }).edits.length).toBe(1)
  expect(buildView({ messages: list, policies: specPolicies, facts: {}, sent: 'unknown' }).edits.length).toBe(4)
})

it('reports the same result under another call with the tool and subject of that call', () => {
  const shared = result('ls', '1', 'x'.repeat(9000))
  const config = { placeholder_style: 'actionable' as const, outdated_commands: { keep_recent: 0 } }
  const tools = ['Bash', 'exec_command', 'Bash'].map((tool) => {
    const list = [calls('a', ['1', tool, { command: `run ${tool}` }]), { ...shared, at: 0 }]
    const { report, view } = buildView({ messages: list, policies: specPolicies, facts: { now: 3_600_000, config } })
    return [report.edits[0]?.tool, JSON.stringify(view[1]).includes(`run ${tool};`)]
  })
  expect(tools).toEqual([
    ['Bash', true],
    ['exec_command', true],
    ['Bash', true],
  ])
})

it('accepts any name of a policy', () => {
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const policy: Policy = { name, plan: (list, facts) => proposing({ ...shorten, policy: name }).plan(list, facts) }
    expect(Object.entries(buildView({ messages, policies: [policy], facts: {} }).report.rules)).toEqual([
      [name, { edits: 1, tokensSaved: expect.any(Number) }],
    ])
  }
  expect(({} as { edits?: unknown }).edits).toBeUndefined()
})

it('answers 60,000 unanswered calls in linear time', () => {
  const list = Array.from({ length: 20_000 }, (_, index) =>
    calls(`a${index}`, [`${index}.1`, 'x', {}], [`${index}.2`, 'x', {}], [`${index}.3`, 'x', {}]),
  )
  const { report } = buildView({ messages: list, policies: specPolicies, facts: { config: { context_window: 10_000_000 } } })
  expect(report.edits.length).toBe(60_000)
})

describe('active edits', () => {
  const summary: Edit = {
    id: 'fold',
    policy: 'compaction',
    why: '',
    kind: 'fold',
    first: 'ask',
    last: 'ls',
    into: { id: 'sum', role: 'system', summary: true, parts: [{ type: 'text', text: 'so far' }] },
  }

  it('keep a summary, and policies plan on the folded conversation', () => {
    let seen: readonly string[] = []
    const looking: Policy = {
      name: 'looking',
      plan: (list) => {
        seen = list.map((message) => message.id)
        return []
      },
    }
    const { view, edits } = buildView({ messages, policies: [looking], facts: {}, edits: [summary] })
    expect(seen).toEqual(['system', 'sum', 'answer'])
    expect(view.map((message) => message.id)).toEqual(['system', 'sum', 'answer'])
    expect(edits).toEqual([summary])
  })

  it('may fold an earlier summary', () => {
    const later: Edit = {
      ...summary,
      id: 'fold2',
      last: 'answer',
      first: 'sum',
      into: { id: 'sum2', role: 'system', summary: true, parts: [] },
    }
    expect(buildView({ messages, policies: [], facts: {}, edits: [summary, later] }).view.map((message) => message.id)).toEqual([
      'system',
      'sum2',
    ])
  })

  it('drop a summary whose messages were rewound', () => {
    expect(buildView({ messages: messages.slice(0, 2), policies: [], facts: {}, edits: [summary] }).edits).toEqual([])
  })

  it('drop an edit that is no longer proposed under immediate timing', () => {
    const { edits } = buildView({ messages, policies: [proposing(shorten)], facts: {} })
    expect(buildView({ messages, policies: specPolicies, facts: {}, edits }).view).toBe(messages)
  })
})

it.each<[string, object, string]>([
  ['messages', { messages: undefined, policies: [] }, 'buildView: expected messages to be a list, got nothing'],
  ['messages', { messages: null, policies: [] }, 'buildView: expected messages to be a list, got null'],
  ['messages', { messages: [null], policies: [] }, 'messages[0]: expected a message, got null'],
  ['messages', { messages: [user('a', ''), 7], policies: [] }, 'messages[1]: expected a message, got 7'],
  ['ids', { messages: [{ role: 'user', parts: [] }], policies: [] }, 'messages[0]: expected an id, got nothing'],
  ['parts', { messages: [{ id: 'a', parts: [null] }], policies: [] }, 'messages[0]: expected every part to be an object'],
  ['settings', { messages: [user('a', '')], policies: specPolicies, facts: { config: 5 } }, 'config: expected an object, got 5'],
  ['parts', { messages: [{ id: 'a' }], policies: [] }, 'messages[0]: expected parts to be a list, got nothing'],
  ['policies', { messages: [], policies: undefined }, 'buildView: expected policies to be a list, got nothing'],
  [
    'edits',
    { messages: [], policies: [{ name: 'mine', plan: () => undefined }] },
    'mine: expected plan to return a list of edits, got nothing',
  ],
])('names what it expected if %s are missing or invalid', (_name, input, message) => {
  expect(() => buildView({ facts: {}, ...input } as never)).toThrow(message)
})

it('rejects a duplicate message id and names it', () => {
  expect(() => buildView({ messages: [user('a', ''), user('a', '')], policies: [], facts: {} })).toThrow(
    'message id "a" appears twice',
  )
})

it('returns an empty view for an empty conversation', () => {
  const { view, report } = buildView({ messages: [], policies: specPolicies, facts: { now: 0 } })
  expect(view).toEqual([])
  expect(report).toEqual({
    tokensBefore: 0,
    tokensAfter: 0,
    edits: [],
    waiting: [],
    withdrawn: [],
    rewrite: null,
    problems: [],
    rules: {},
    timing: null,
    truncationRate: 0,
    load: { tokens: 0, low: 0, high: 0, source: 'estimate', estimate: 0, factor: 1 },
    overflow: null,
  })
})

it('never parses, counts or cuts unchanged parts again', () => {
  const json = JSON.stringify({ stdout: 'x'.repeat(9000), stderr: '', exitCode: 0, metadata: { imageBase64: 'AAAA' } })
  const list = Array.from({ length: 40 }, (_, index) =>
    exchange(`m${index}`, index % 2 === 0 ? 'Bash' : 'Read', '{"file_path":"a.ts"}', json, { at: index }),
  ).flat()
  const counted: string[] = []
  const tokens = { name: 'counting', count: (text: string) => counted.push(text) }
  const facts = { now: 3_600_000, tokens }
  const first = buildView({ messages: list, policies: specPolicies, facts })
  expect(first.edits.length).toBeGreaterThan(40)
  counted.length = 0
  const parse = vi.spyOn(JSON, 'parse')
  const second = buildView({
    messages: [...list, user('new', 'more')],
    policies: specPolicies,
    facts,
    edits: first.edits,
    sent: 'm39',
  })
  expect(parse).not.toHaveBeenCalled()
  expect(counted).toEqual(['more'])
  expect(second.view.slice(0, -1).every((message, index) => message === first.view[index])).toBe(true)
  parse.mockRestore()
})

it('notices that the caller changed the same list in place', () => {
  const facts = { now: 3_600_000 }
  const list = Array.from({ length: 7 }, (_, index) => exchange(`m${index}`, 'Bash', {}, 'ok', { at: index })).flat()
  expect(buildView({ messages: list, policies: specPolicies, facts }).edits.length).toBe(2)
  list.push(...Array.from({ length: 3 }, (_, index) => exchange(`n${index}`, 'Bash', {}, 'ok', { at: 100 + index })).flat())
  expect(buildView({ messages: list, policies: specPolicies, facts }).edits.length).toBe(5)
  list.length = 4
  expect(buildView({ messages: list, policies: specPolicies, facts }).edits).toEqual([])
})
