import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { calls, exchange, result, user } from '../../../../core/src/testing/messages.ts'
import { commonStrings } from '../collect-jobs.ts'
import { recorded, says } from '../testing/recorded.ts'
import { findNeeds } from './find-needs.ts'
import { stringsOf } from './need-uses.ts'

const asks = user('u', 'Make the sum right.')
const file = 'src/bill.ts\n  12→  const total_net = net\n  13→  return total_net'
const reads = exchange('r', 'Read', { file_path: '/repo/start.txt' }, file)
const edits = calls('e', [
  'call-e',
  'Edit',
  { file_path: 'src/bill.ts', old_string: '  return total_net', new_string: '  return 1' },
])

const marks = { result: '', call: '!', reasoning: '?', user: '' }

/** Needs as short strings, without users' text. */
function needsOf(...messages: readonly Message[]): readonly string[] {
  return findNeeds(recorded(...messages)).flatMap((need) => {
    const { class: kind, text, step, edit, suppliers } = need
    if (kind === 'user-rule') return []
    const from = suppliers.map((supplier) => `${supplier.message}.${supplier.part}${marks[supplier.from]}`)
    return [`${step} ${kind} ${text.trim()}${edit === null ? '' : ` (${edit})`} < ${from.join(' ')}`]
  })
}

describe('findNeeds', () => {
  it('N1, N2, N3: finds anchor, path and symbol of an edit in the read before it', () =>
    expect(needsOf(asks, ...reads, edits)).toEqual([
      '1 edit-anchor return total_net (call-e) < r.0',
      '1 path src/bill.ts < r.0',
      '1 symbol total_net < r.0',
    ]))

  it('names reasoning as a supplier only of strings that a tool has too', () => {
    const thinks: Message = { id: 't', role: 'assistant', parts: [{ type: 'reasoning', text: 'total_net or made_up_name' }] }
    const acts = calls('e', ['c', 'Grep', { pattern: 'total_net|made_up_name' }])
    const spoken: Message = { ...thinks, parts: [...thinks.parts, { type: 'text', text: 'I look.' }] }
    expect(needsOf(asks, ...reads, spoken, user('u2', 'Go on.'), acts)).toEqual(['2 symbol total_net < t.0? r.0'])
  })

  it('N4: finds the id in a command in earlier output', () =>
    expect(
      needsOf(
        asks,
        ...exchange('r', 'Bash', { command: 'git log' }, '9a3cc84 first'),
        calls('e', ['c', 'Bash', { command: 'git show 9a3cc84' }]),
      ),
    ).toEqual(['1 opaque-id 9a3cc84 < r.0']))

  it('N5: counts an error line at the first of the next ten actions that names the same', () => {
    const other = (id: string) => exchange(id, 'Bash', { command: `step ${id}` }, 'ok')
    const acts = (id: string) => calls(id, [`call-${id}`, 'Grep', { pattern: 'bad_token' }])
    const fails = exchange('r', 'Bash', { command: 'make' }, 'error: bad_token here')
    const nine = Array.from({ length: 9 }, (_, n) => other(`o${n}`)).flat()
    const found = ['10 symbol bad_token < r.0', '10 error-line error: bad_token here < r.0']
    expect(needsOf(asks, ...fails, ...nine, acts('e'))).toEqual(found)
    expect(needsOf(asks, ...fails, ...nine, ...other('o9'), acts('e'))).toEqual(['11 symbol bad_token < r.0'])
  })

  it('N6: finds facts of the last answer in tool output', () => {
    const lists = exchange('r', 'Bash', { command: 'run' }, 'took 1234 requests')
    const answer = says('a', 'It `took 1234 requests` and "nothing else".')
    expect(needsOf(asks, ...lists, answer)).toEqual(['1 answer-fact took 1234 requests < r.0'])
    expect(needsOf(asks, ...lists, answer, user('u2', 'Thanks.'), says('b', 'Gladly.'))).toEqual([])
  })

  it("N7: adds users' text and changed paths at the end of each segment", () => {
    const again = user('u2', 'And the tax.')
    const session = recorded(asks, ...reads, edits, result('t', 'call-e', 'ok'), says('a', 'Done.'), again, says('b', 'Done.'))
    expect(findNeeds(session).filter((need) => need.class === 'user-rule')).toEqual([
      {
        class: 'user-rule',
        text: 'Make the sum right.',
        step: 3,
        edit: null,
        suppliers: [{ message: 'u', part: 0, from: 'user' }],
      },
      { class: 'user-rule', text: 'And the tax.', step: 3, edit: null, suppliers: [{ message: 'u2', part: 0, from: 'user' }] },
      { class: 'user-rule', text: 'src/bill.ts', step: 3, edit: null, suppliers: [{ message: 'e', part: 0, from: 'call' }] },
    ])
  })

  it.each<[string, Message]>([
    ['the user', user('x', 'The name is total_net, in src/bill.ts:\n  return total_net')],
    ['the model', says('x', 'I see total_net in src/bill.ts:\n  return total_net')],
    ['the system', { ...user('x', 'src/bill.ts total_net\n  return total_net'), role: 'system' }],
  ])('ignores strings that %s said before', (_, said) =>
    expect(needsOf(asks, said, user('u2', 'Go.'), ...reads, edits)).toEqual([]),
  )

  it('keeps strings that only the answer itself says before its call', () => {
    const [call] = edits.parts
    const speaks: Message = { ...edits, parts: [{ type: 'text', text: 'total_net' }, ...(call === undefined ? [] : [call])] }
    expect(needsOf(asks, ...reads, speaks)).toContain('1 symbol total_net < r.0')
  })

  it('names an earlier call that has the string as a supplier too', () =>
    expect(
      needsOf(asks, ...reads, edits, result('t', 'call-e', 'ok'), calls('f', ['c', 'Read', { file_path: 'src/bill.ts' }])),
    ).toContain('2 path src/bill.ts < e.0! r.0'))

  it('assigns calls in separate messages to the same answer', () =>
    expect(needsOf(asks, ...reads, says('a', 'So.'), edits)).toContain('1 path src/bill.ts < r.0'))

  it('does not search before a compaction', () =>
    expect(needsOf(asks, ...reads, { ...user('s', 'They read a file.'), summary: true }, edits)).toEqual([]))

  it('ignores strings that other sessions use too', () => {
    const session = recorded(asks, ...reads, edits)
    const common = new Set(['total_net', '  return total_net'])
    expect(findNeeds(session, { common }).map(({ text }) => text)).toEqual(['src/bill.ts', 'Make the sum right.'])
  })
})

describe('commonStrings', () => {
  const session = (...names: readonly string[]) =>
    stringsOf(recorded(asks, ...names.map((name, n) => calls(`c${n}`, [`call-${n}`, 'Grep', { pattern: name }]))))
  it('returns the strings of more than one in twenty other sessions, and of at least two', () => {
    const few = [session('alpha_one', 'beta_two'), session('alpha_one', 'beta_two'), session('alpha_one')]
    expect(commonStrings(few)).toEqual(new Set(['alpha_one']))
    const many = [...few, ...Array.from({ length: 60 }, () => session('gamma_three'))]
    expect(commonStrings(many)).toEqual(new Set(['gamma_three']))
  })
})
