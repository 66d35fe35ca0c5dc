import { describe, expect, it } from 'vitest'
import { type Edit, replaceEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { lockedTo, noThought, runningFrom, withoutStaleThoughts } from './thoughts.ts'

const user = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: 'Go on.' }] })
const result = (id: string): Message => ({
  id,
  role: 'tool',
  parts: [{ type: 'tool-result', callId: `call-${id}`, tool: null, content: { type: 'text', text: id } }],
})
const calls = (id: string, to: string): Message => ({
  id,
  role: 'assistant',
  parts: [
    { type: 'reasoning', text: '' },
    { type: 'tool-call', callId: `call-${to}`, tool: 'Bash', input: {} },
  ],
})
const says = (id: string): Message => ({
  id,
  role: 'assistant',
  parts: [
    { type: 'media', mediaType: 'vendor/redacted_thinking', data: {} },
    { type: 'text', text: 'Done.' },
  ],
})

/** One finished turn, and what the user says next. */
const finished = [user('u1'), calls('a1', 'r1'), result('r1'), calls('a2', 'r2'), result('r2'), says('a3'), user('u2')]
const change = replaceEdit(
  'stub',
  'r1',
  0,
  { ...(result('r1').parts[0] as object), content: { type: 'text', text: '' } } as never,
  '',
)

describe('runningFrom', () => {
  it('is where the user spoke after an answer without calls', () => expect(runningFrom(finished)).toBe(6))

  it('stays there while calls are answered', () => expect(runningFrom([...finished, calls('a4', 'r4'), result('r4')])).toBe(6))

  it('stays there if the user says something next to a result', () =>
    expect(runningFrom([...finished, calls('a4', 'r4'), result('r4'), user('u3')])).toBe(6))

  it('is the first of several user messages', () => expect(runningFrom([...finished, user('u3')])).toBe(6))

  it('is the start of a conversation that has only begun', () => {
    expect(runningFrom([user('u1'), calls('a1', 'r1'), result('r1')])).toBe(0)
    expect(runningFrom([])).toBe(0)
  })
})

describe('lockedTo', () => {
  it('is nothing between two turns', () => expect(lockedTo(finished, [])).toBe(-1))

  it('is the last thought in a running turn', () => expect(lockedTo([...finished, calls('a4', 'r4'), result('r4')], [])).toBe(7))

  it('is nothing in a running turn without thoughts, or whose thoughts are omitted', () => {
    const messages = [...finished, calls('a4', 'r4'), result('r4')]
    expect(lockedTo(messages, [replaceEdit('x', 'a4', 0, noThought, '')])).toBe(-1)
  })

  it('is nothing if the turn may lose its thoughts', () =>
    expect(lockedTo([...finished, calls('a4', 'r4'), result('r4')], [], [], true)).toBe(-1))

  it('is an answer whose thoughts cannot be omitted', () => {
    const alone: Message = { id: 'a3', role: 'assistant', parts: [{ type: 'reasoning', text: 'Hm.' }] }
    expect(lockedTo([...finished.slice(0, 5), alone, user('u2')], [])).toBe(5)
    expect(lockedTo(finished, [], ['a2'])).toBe(3)
  })
})

describe('withoutStaleThoughts', () => {
  const omitted = (edits: readonly Edit[]) =>
    edits.flatMap((edit) => (edit.kind === 'replace' && edit.with.type === 'reasoning' ? [`${edit.message}.${edit.part}`] : []))

  it('omits all thoughts after a change, also hidden and encrypted ones', () =>
    expect(omitted(withoutStaleThoughts(finished, [change], [], finished.length, ''))).toEqual(['a2.0', 'a3.0']))

  it('omits them if a change is taken back', () =>
    expect(omitted(withoutStaleThoughts(finished, [], [change], finished.length, ''))).toEqual(['a2.0', 'a3.0']))

  it('keeps edits as they are if nothing has changed', () => {
    const edits = [structuredClone(change)]
    expect(withoutStaleThoughts(finished, edits, [change], finished.length, '')).toBe(edits)
  })

  it('does not omit a thought twice', () => {
    const once = withoutStaleThoughts(finished, [change], [], finished.length, '')
    expect(withoutStaleThoughts(finished, once, [], finished.length, '')).toBe(once)
  })

  it('omits what follows a summary, but nothing that is folded into it', () => {
    const summary: Message = { id: 's', role: 'user', summary: true, parts: [{ type: 'text', text: 'So far.' }] }
    const fold: Edit = { id: 'f', policy: 'x', why: '', kind: 'fold', first: 'u1', last: 'r1', into: summary }
    expect(omitted(withoutStaleThoughts(finished, [fold], [], finished.length, ''))).toEqual(['a2.0', 'a3.0'])
    expect(omitted(withoutStaleThoughts(finished, [], [], 4, ''))).toEqual(['a3.0'])
  })
})
