import { describe, expect, it } from 'vitest'
import { computedDuring } from '../derive.ts'
import type { Facts, ToolRules } from '../facts.ts'
import type { Message, Part, ToolResultPart } from '../message.ts'
import { calls, result, user } from '../testing/messages.ts'
import { exitCodeIn, firstAt, toolResults } from './tool-results.ts'
import { toolRules } from './tools.ts'

const make = calls('c', ['k', 'Bash', { command: 'make' }])
const both = calls('d', ['m', 'Read', { file_path: 'a.ts' }], ['n', 'LS', {}])
const answers: Message = { ...result('t', 'm', '1→a'), parts: [...result('', 'm', '1→a').parts, ...result('', 'n', 'b').parts] }
const start = ['a', 'b', 'e', 'f'].map((id) => user(id, 'hello'))
const before: readonly Message[] = [
  ...start,
  user('u', 'build it'),
  make,
  result('r', 'k', 'done'),
  both,
  answers,
  user('v', 'thanks'),
]
const fresh = (messages: readonly Message[], facts: Facts = {}) => toolResults(structuredClone(messages), { ...facts })
const replaced = (id: string, change: (message: Message) => Message) =>
  before.map((message) => (message.id === id ? change(message) : message))
const withParts =
  (...parts: readonly Part[]) =>
  (message: Message) => ({ ...message, parts })
const [callM, callN] = both.parts as readonly [Part, Part]
const [partM, partN] = answers.parts as readonly [ToolResultPart, ToolResultPart]

describe('results of a request that is like the one before', () => {
  const text: Part = { type: 'text', text: 'note' }
  const thought = (said: string): Part => ({ type: 'reasoning', text: said })
  it.each<[name: string, readsAgain: number, messages: readonly Message[]]>([
    ['a result was cut', 0, replaced('r', () => result('r', 'k', 'short'))],
    ['both results of a message were cut', 0, replaced('t', withParts({ ...partM, isError: true }, { ...partN, isError: true }))],
    ['an answer has other thoughts', 0, replaced('d', withParts(callM, callN))],
    ['a result answers another call', 10, replaced('r', () => result('r', 'm', 'done'))],
    ['a message has one result more', 10, replaced('r', withParts(partM, partN))],
    ['a message has one result fewer', 10, replaced('t', withParts(partM))],
    ['results change places', 10, replaced('t', withParts(partN, partM))],
    ['a result is a call now', 10, replaced('t', withParts({ type: 'tool-call', callId: 'm', tool: 'LS', input: {} }, partN))],
    ['a result is text now', 10, replaced('t', withParts(partM, text))],
    ['a result is a user’s message now', 10, replaced('r', (message) => ({ ...message, role: 'user' }))],
    ['a call has other arguments', 10, replaced('c', () => calls('c', ['k', 'Bash', { command: 'ls' }]))],
    ['a call is gone', 10, replaced('d', withParts(callM, text))],
    ['one call fewer was made', 10, replaced('d', withParts(callM))],
    ['what asked for it is a user’s message now', 10, replaced('c', (message) => ({ ...message, role: 'user' }))],
    ['the user said something else', 10, replaced('u', () => user('u', 'test it'))],
  ])('%s, or the other way round: what is found is right, and %i messages are read again', (_, readsAgain, messages) => {
    for (const [earlier, later] of [
      [before, messages],
      [messages, before],
    ] as const) {
      const first = earlier.slice()
      toolResults(first, {})
      let found: readonly unknown[] = []
      const computed = computedDuring(() => (found = toolResults(later, {})))
      expect(found).toEqual(fresh(later))
      expect(computed.filter((name) => name === 'add')).toHaveLength(readsAgain)
    }
  })

  it('an answer has other thoughts beside its calls: no message is read again', () => {
    const asks = (said: string) => replaced('d', withParts(thought(said), callM, callN))
    toolResults(asks('first'), {})
    let found: readonly unknown[] = []
    const computed = computedDuring(() => (found = toolResults(asks('second'), {})))
    expect(found).toEqual(fresh(asks('second')))
    expect(computed).not.toContain('add')
  })

  it('a text takes the place of a call, or a call that of a text: all is read again', () => {
    const one = replaced('d', withParts(text, callN))
    const other = replaced('d', withParts(callM, text))
    toolResults(one, {})
    expect(toolResults(other, {})).toEqual(fresh(other))
    toolResults(before, {})
    expect(toolResults(one, {})).toEqual(fresh(one))
  })
})

describe('the call of a result', () => {
  const asked = (id: string, command: string) => calls(id, ['k', 'Bash', { command }])
  const commandsOf = (messages: readonly Message[]) =>
    toolResults(messages, {}).map(({ call }) => (call === null ? null : call.input))
  it.each<[name: string, messages: readonly Message[], expected: readonly unknown[]]>([
    ['is the nearest before it', [asked('c', 'a'), asked('d', 'b'), result('r', 'k', '')], [{ command: 'b' }]],
    ['is the first after it if none is before', [result('r', 'k', ''), asked('c', 'a'), asked('d', 'b')], [{ command: 'a' }]],
    [
      'is the same for all results that came before it',
      [result('r', 'k', ''), result('s', 'k', ''), result('t', 'k', ''), asked('c', 'a')],
      [{ command: 'a' }, { command: 'a' }, { command: 'a' }],
    ],
    ['is not one that a user’s message has', [{ ...asked('c', 'a'), role: 'user' }, result('r', 'k', '')], [null]],
    [
      'is not a result in an answer, as of a tool that the provider runs',
      [{ ...result('c', 'k', ''), role: 'assistant' }, result('r', 'k', '')],
      [null],
    ],
    ['is unknown without an id', [asked('c', 'a'), result('r', null, '')], [null]],
  ])('%s', (_, messages, expected) => {
    expect(commandsOf(messages)).toEqual(expected)
  })
})

describe('the kind of a result', () => {
  const rows: readonly ToolRules[] = [
    { name: 'files', kind: 'other', kindOf: ({ job }) => (job === 'read' ? 'file-read' : 'search') },
    { name: 'plain', kind: 'search' },
  ]
  const kindOf = (messages: readonly Message[]) => toolResults(messages, { tools: rows })[0]?.kind
  it.each<[name: string, messages: readonly Message[], expected: string]>([
    ['is that of its tool', [calls('c', ['k', 'plain', {}]), result('r', 'k', 'x')], 'search'],
    [
      'depends on the arguments if the tool does several jobs',
      [calls('c', ['k', 'files', { job: 'read' }]), result('r', 'k', 'x')],
      'file-read',
    ],
    [
      'is that of its tool if the arguments cannot be read',
      [calls('c', ['k', 'files', 'no object']), result('r', 'k', 'x')],
      'other',
    ],
    ['is that of its tool if the call is unknown', [result('r', 'k', 'x', { tool: 'files' })], 'other'],
    ['of an unknown tool is another one', [result('r', 'k', '{"stdout":"x"}', { tool: 'unheard' })], 'other'],
    ['without a tool: a command by its fields', [result('r', 'k', '{"stdout":"x"}')], 'terminal'],
    ['without a tool: a file by the numbers of its lines', [result('r', 'k', '  12→x')], 'file-read'],
    ['without a tool: a file by its sign', [result('r', 'k', '📄 a.ts')], 'file-read'],
    ['without a tool: nothing else', [result('r', 'k', 'see 12→x 📄')], 'other'],
  ])('%s', (_, messages, expected) => {
    expect(kindOf(messages)).toBe(expected)
  })
})

describe('the original of a result that was cut', () => {
  const original = result('r', 'k', 'a long original')
  const wholeOf = (messages: readonly Message[], uncut: readonly Message[]) =>
    toolResults(messages, { uncut }).map(({ whole }) => (whole.content.type === 'text' ? whole.content.text : null))
  const list = (...results: readonly Message[]) => [...start, make, ...results]

  it('is found by the id of its message, also if messages were put before it', () => {
    expect(wholeOf(list(result('r', 'k', 'cut')), [...start, user('x', 'more'), make, original])).toEqual(['a long original'])
  })

  it('is the result itself if nothing was cut, or the other message answers another call', () => {
    const messages = list(result('r', 'k', 'cut'))
    expect(toolResults(messages, { uncut: messages })[0]).toBe(toolResults(messages, {})[0])
    expect(wholeOf(messages, list(result('r', 'another', 'not of this call')))).toEqual(['cut'])
    expect(wholeOf(messages, list({ ...original, parts: [{ type: 'text', text: 'no result' }] }))).toEqual(['cut'])
    expect(toolResults(messages, { uncut: list({ ...(messages.at(-1) as Message) }) })[0]).toBe(toolResults(messages, {})[0])
  })

  const usual = ['a', 'b', 'd', 'e', 'f', 'g']
  const originals = usual.map((name) => `whole ${name}`)
  it.each<[name: string, messages: readonly string[], uncut: readonly string[]]>([
    ['one result is cut shorter', usual.with(4, 'shorter'), originals],
    ['an original changed', usual, originals.with(4, 'another f')],
    ['the last two originals changed', usual, originals.with(4, 'another f').with(5, 'another g')],
    ['a result is cut shorter, and the next original changed', usual.with(3, 'shorter'), originals.with(4, 'another f')],
    ['a result is cut shorter, and an original before it changed', usual.with(4, 'shorter'), originals.with(3, 'another e')],
    ['a result came', [...usual, 'h'], [...originals, 'whole h']],
    ['results went', usual.slice(0, 4), originals.slice(0, 4)],
  ])('is right after a request that was nearly the same: %s', (_, messages, uncut) => {
    const known = new Map<string, Message>()
    const message = (text: string, at: number) => {
      const key = `${at} ${text}`
      const found = known.get(key) ?? result(`r${at}`, 'k', text)
      known.set(key, found)
      return found
    }
    const find = (shown: readonly string[], wholes: readonly string[]) =>
      toolResults(list(...shown.map(message)), { uncut: list(...wholes.map(message)) }).map(({ part, whole }) => [
        part.content,
        whole.content,
      ])
    find(usual, originals)
    const texts = messages.map((text, at) => [text, uncut[at]].map((each) => ({ type: 'text', text: each })))
    expect(find(messages, uncut)).toEqual(texts)
  })
})

it('the first result at or after a message is found', () => {
  const results = toolResults(before, {})
  expect([0, 6, 7, 8, 9, 20].map((index) => firstAt(results, index))).toEqual([0, 0, 1, 1, 3, 3])
  expect(firstAt([], 3)).toBe(0)
})

describe('the exit code of a command', () => {
  const codeOf = (text: string, extra: Partial<ToolResultPart> = {}) =>
    exitCodeIn(result('r', 'k', text, extra).parts[0] as ToolResultPart, toolRules('Bash'))
  it.each<[name: string, code: number | null, text: string, extra?: Partial<ToolResultPart>]>([
    ['in its fields', 3, '{"exitCode":3}'],
    ['as a text of digits', 3, '{"exitCode":"3"}'],
    ['in fields of its own', 4, 'text', { metadata: { exit_code: 4 } }],
    ['in a list', null, '[1]'],
    ['in a sentence', 2, 'done\nexit code: 2'],
    ['that is not zero, of several', 2, 'Exit code 0\nexit code: 2'],
    ['that a field quotes', null, '{"output":"Exit code 3"}'],
    ['of success', 0, 'Exit code 0'],
    ['nowhere', null, 'done'],
  ])('%s', (_, code, text, extra) => {
    expect(codeOf(text, extra)).toBe(code)
  })
})
