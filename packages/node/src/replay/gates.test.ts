import { buildView, handleOf, type Message, type Part, specPolicies } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { describe, expect, it } from 'vitest'
import { checkUserRules, createGates, type GateInput, type GateName } from './gates.ts'
import { makeBill } from './testing/made-runs.ts'

const said: Message = { id: 'u', role: 'user', parts: [{ type: 'text', text: 'Never touch main.ts.' }] }
const asks: Message = {
  id: 'a',
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: 'c', tool: 'Bash', input: { command: 'ls' } }],
}
const result = resultOf('a result that is long enough\nto be cut')
const originals: readonly Message[] = [said, asks, result]

interface Checked extends GateInput {
  readonly canRecall?: boolean
}

const withView = (view: readonly Message[], rest: Partial<Checked> = {}): Checked => ({ originals, view, ...rest })
const checkGates = ({ canRecall, ...input }: Checked) => createGates(canRecall)(input)

const cases: readonly [name: string, input: Checked, expected: readonly GateName[]][] = [
  ['the log itself', withView(originals, { before: originals.slice(0, 1) }), []],
  ['a cut result', withView([said, asks, resultOf('cut')], { canRecall: true }), []],
  ['an unknown handle', withView([said, asks, resultOf('cut; recall 0123456789ab')], { canRecall: true }), ['recall']],
  ['an unknown handle if recall is not promised', withView([said, asks, resultOf('cut; recall 0123456789ab')]), []],
  [
    'the handle of the result',
    withView([said, asks, resultOf(`cut; recall ${handleOf('a result that is long enough\nto be cut')}`)], { canRecall: true }),
    [],
  ],
  ['the handle of a call’s argument', withView([said, asks, resultOf(`cut; recall ${handleOf('ls')}`)], { canRecall: true }), []],
  ['an omitted result', withView([said, asks]), ['pairs']],
  ['a result before its call', withView([said, result, asks]), ['pairs']],
  ['changed user text', withView([{ ...said, parts: [{ type: 'text', text: 'Touch main.ts.' }] }, asks, result]), ['user-text']],
  ['an omitted user message', withView([asks, result]), ['user-rules']],
  ['a user message folded into a summary that quotes it', withView([summary('Rules: Never touch main.ts.'), asks, result]), []],
  ['a user message folded into one that does not', withView([summary('There were rules.'), asks, result]), ['user-rules']],
  ['a lone surrogate', withView([said, asks, resultOf('cut \ud83d')]), ['characters']],
  ['an added escape', withView([said, asks, resultOf('\u001b[31mcut')]), ['characters']],
  ['an escape in an inserted message', withView([said, asks, result, summary('\u0007')]), ['characters']],
]

describe('createGates', () => {
  it.each(cases)('checks %s', (_name, input, expected) => expect(checkGates(input)).toEqual(expected))

  it('accepts control characters that the original result has', () => {
    const coloured = resultOf('\u001b[31mred\u001b[0m and more')
    const view = [said, asks, resultOf('\u001b[31mred')]
    expect(checkGates({ originals: [said, asks, coloured], view })).toEqual([])
  })

  it('ignores faults that the log already had', () => {
    expect(checkGates({ originals: [said, asks], view: [said, asks, { ...said, id: 'v' }] })).toEqual([])
  })

  it('requires a declared rewrite at or before every change to sent content', () => {
    const next: Message = { id: 'n', role: 'user', parts: [{ type: 'text', text: 'go on' }] }
    const all = [...originals, next]
    const view = [said, asks, resultOf('cut'), next]
    const check = (edits: readonly ReportedEdit[], before: readonly Message[] = originals) =>
      checkGates({ originals: all, view, before, edits })
    expect(check([])).toEqual(['prefix'])
    expect(check([edit('free', 'r')])).toEqual(['prefix'])
    expect(check([edit('rewrite', 'n')])).toEqual(['prefix'])
    expect(check([edit('rewrite', 'r')])).toEqual([])
    expect(check([], originals.slice(0, 2))).toEqual([])
  })

  it('accepts a recallable JSON result', () => {
    const list: Message = {
      id: 'r',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', tool: 'Bash', content: { type: 'json', value: { lines: ['one', 'two'] } } }],
    }
    const view = [said, asks, resultOf('cut')]
    expect(checkGates({ originals: [said, asks, list], view, canRecall: true })).toEqual([])
  })

  it('finds handles of messages that came after the first check, and none of a later segment', () => {
    const gates = createGates(true)
    const next = resultOf('another result, which is long enough too', 'n', 'd')
    const call: Message = {
      id: 'b',
      role: 'assistant',
      parts: [{ ...(asks.parts[0] as Part & { type: 'tool-call' }), callId: 'd' }],
    }
    const all = [...originals, call, next]
    const naming = (text: string) => [said, asks, resultOf(`cut; recall ${handleOf(text)}`), call, next]
    expect(gates({ originals, view: [said, asks, resultOf('cut')] })).toEqual([])
    const before = originals
    const edits = [edit('rewrite', 'r')]
    expect(gates({ originals: all, view: naming('another result, which is long enough too'), before, edits })).toEqual([])
    expect(gates({ originals: all, view: naming('never said'), before, edits })).toEqual(['recall'])
    expect(gates({ originals, view: naming('another result, which is long enough too').slice(0, 3) })).toEqual(['recall'])
  })

  it('does not count two texts with one handle as recallable', () => {
    const blob = { sha256: 'a'.repeat(64), bytes: 9, handle: handleOf('a result that is long enough\nto be cut') }
    const forged: Message = {
      ...resultOf('something else'),
      id: 'f',
      parts: resultOf('something else', 'f', 'd').parts.map((part) => ({ ...part, blob })) as Message['parts'],
    }
    const call: Message = {
      id: 'b',
      role: 'assistant',
      parts: [{ ...(asks.parts[0] as Part & { type: 'tool-call' }), callId: 'd' }],
    }
    const shown = resultOf('a result that is long enough\nto be cut')
    const view = [said, asks, resultOf('cut'), call, forged]
    expect(createGates(true)({ originals: [said, asks, shown, call, forged], view })).toEqual(['recall'])
  })

  it('passes every view of the specification’s policies', () => {
    const gates = createGates(true)
    const messages = [...Array(12).keys()].flatMap((index) => read(index))
    let before: readonly Message[] | null = null
    let edits: ReturnType<typeof buildView>['edits'] = []
    let sent: string | null = null
    let changed = 0
    for (let length = 2; length <= messages.length; length += 2) {
      const shown = messages.slice(0, length)
      const built = buildView({ messages: shown, edits, sent, policies: specPolicies, facts: { now: length * 3_600_000 } })
      expect(gates({ originals: shown, view: built.view, before, edits: built.report.edits })).toEqual([])
      changed += built.report.edits.length
      before = built.view
      edits = built.edits
      sent = shown.at(-1)?.id ?? null
    }
    expect(changed).toBeGreaterThan(10)
  })
})

describe('checkUserRules', () => {
  it.each([
    ['passes without user rules', undefined, []],
    ['passes if all of them are in view', { needs: 3, inView: 3 }, []],
    ['fails if one of them is not', { needs: 3, inView: 2 }, ['user-rules']],
  ] as const)('%s', (_name, counts, expected) => {
    const classes = counts === undefined ? {} : { 'user-rule': counts }
    expect(checkUserRules(makeBill({ retention: { classes } }).retention)).toEqual(expected)
  })
})

function resultOf(text: string, id = 'r', callId = 'c'): Message {
  return { id, role: 'tool', parts: [{ type: 'tool-result', callId, tool: 'Bash', content: { type: 'text', text } }] }
}

function summary(text: string): Message {
  return { id: 's', role: 'system', summary: true, parts: [{ type: 'text', text }] }
}

function edit(cache: ReportedEdit['cache'], message: string): ReportedEdit {
  return { id: 'e', policy: 'p', kind: 'replace', message, part: 0, tool: null, tokensBefore: 9, tokensAfter: 1, why: '', cache }
}

function read(index: number): readonly Message[] {
  const callId = `call-${index}`
  const input = { file_path: '/src/price.ts' }
  const text = [...Array(40).keys()].map((line) => `${line}→export const price${line} = ${index}`).join('\n')
  return [
    { id: `a${index}`, role: 'assistant', at: index * 3_600_000, parts: [{ type: 'tool-call', callId, tool: 'Read', input }] },
    {
      id: `r${index}`,
      role: 'tool',
      at: index * 3_600_000,
      parts: [{ type: 'tool-result', callId, tool: 'Read', content: { type: 'text', text } }],
    },
  ]
}

describe('signed thoughts', () => {
  const thinks = (id: string, call: string): Message => ({
    id,
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: `Thought of ${id}.` },
      { type: 'tool-call', callId: call, tool: 'Bash', input: { command: call } },
    ],
  })
  const answers = (id: string, text: string): Message => ({
    id,
    role: 'tool',
    parts: [{ type: 'tool-result', callId: id, tool: 'Bash', content: { type: 'text', text } }],
  })
  const without = (message: Message): Message => ({
    ...message,
    parts: [{ type: 'reasoning', text: '' }, ...message.parts.slice(1)],
  })
  const all = [
    said,
    thinks('a1', 'r1'),
    answers('r1', 'long'),
    thinks('a2', 'r2'),
    answers('r2', 'long'),
    thinks('a3', 'r3'),
    answers('r3', 'x'),
  ]
  const cut = (message: Message) => answers(message.id, 'cut')
  const show = (change: (index: number, message: Message) => Message) => all.map((message, index) => change(index, message))

  /** Sends everything in three requests and then this view. */
  function refused(view: readonly Message[], isSigned = true): boolean {
    const check = createGates(false, isSigned)
    let before: readonly Message[] | null = null
    for (const length of [1, 3, 5, 7]) {
      const sent = all.slice(0, length)
      expect(check({ originals: sent, view: sent, before })).toEqual([])
      before = sent
    }
    return check({ originals: all, view, before, edits: [] }).includes('thoughts')
  }

  it('are valid behind what their model saw', () => expect(refused(all)).toBe(false))

  it('are refused behind a change', () =>
    expect(refused(show((index, message) => (index === 2 ? cut(message) : message)))).toBe(true))

  it('do not matter if they are not signed', () =>
    expect(
      refused(
        show((index, message) => (index === 2 ? cut(message) : message)),
        false,
      ),
    ).toBe(false))

  it('may be omitted after the change', () =>
    expect(
      refused(show((index, message) => (index === 2 ? cut(message) : index === 3 || index === 5 ? without(message) : message))),
    ).toBe(false))

  it('may be omitted from the start, but not between others', () => {
    expect(refused(show((index, message) => (index === 1 ? without(message) : message)))).toBe(false)
    expect(refused(show((index, message) => (index === 3 ? without(message) : message)))).toBe(true)
  })

  it('are refused in messages that the agent’s own compaction kept', () => {
    const check = createGates(false, true)
    let before: readonly Message[] | null = null
    for (const length of [1, 3, 5]) {
      const sent = all.slice(0, length)
      expect(check({ originals: sent, view: sent, before })).toEqual([])
      before = sent
    }
    const kept = [summary('Never touch main.ts.'), ...all.slice(3)]
    const omitted = kept.map((message) => (message.role === 'assistant' ? without(message) : message))
    expect(createGates(false, true)({ originals: kept, view: kept })).toEqual([])
    expect(check({ originals: kept, view: kept })).toEqual(['thoughts'])
    expect(check({ originals: kept, view: omitted })).toEqual([])
  })
})
