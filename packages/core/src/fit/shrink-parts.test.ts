import { describe, expect, it } from 'vitest'
import { digestOf } from '../cut/digest/digest-of.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { letters } from '../testing/letters.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { countPart } from '../tokens/count-tokens.ts'
import { createFitting, type Fitting } from './draft.ts'
import { type Age, cutCall, cutCalls, cutResult, cutResults, digestResults, omitOldMedia, type Steps } from './shrink-parts.ts'

const long = 'one two three four five six seven eight nine ten\n'.repeat(100)

/** The shrunk messages in order, each with its new text and as a separate step. */
function shrunk(
  messages: readonly Message[],
  facts: Facts,
  steps: (fitting: Fitting) => Steps,
): readonly (readonly [string, Part])[] {
  const fitting = createFitting(deepFreeze(messages), facts, 'full')
  const counts: number[] = []
  for (const _ of steps(fitting)) counts.push(fitting.draft.edits().length)
  const edits = fitting.draft.edits()
  expect(counts).toEqual(edits.map((_, index) => index + 1))
  return edits.flatMap((edit) => (edit.kind === 'replace' ? [[`${edit.message}.${edit.part}`, edit.with] as const] : []))
}

/** The result of a message in the list, as the table of tools sees it. */
function placed(messages: readonly Message[], id: string) {
  const found = toolResults(messages, {}).find(({ message }) => message.id === id)
  if (found === undefined) throw new Error(`expected a result in ${id}`)
  return found
}

const messages = [
  user('u', 'fix the cart tests'),
  ...exchange('failed', 'Bash', { command: 'make' }, long, { isError: true }),
  ...exchange('fine', 'Bash', { command: 'ls' }, long),
  ...exchange('short', 'Bash', { command: 'true' }, 'ok'),
  ...exchange('pinned', 'Bash', { command: 'id' }, long),
  ...exchange('newest', 'Bash', { command: 'pwd' }, long),
]
const facts: Facts = { pins: ['pinned'] }
const places: Readonly<Record<Age, readonly string[]>> = { old: ['fine', 'failed'], late: ['pinned', 'newest'] }

describe.each<Age>(['old', 'late'])('Q-24 results that are %s, errors last', (age) => {
  it('become digests', () => {
    expect(shrunk(messages, facts, (fitting) => digestResults(fitting, age))).toEqual(
      places[age].map((id) => [`${id}.0`, digestOf(placed(messages, id), facts)]),
    )
  })

  it('get cut', () => {
    expect(shrunk(messages, facts, (fitting) => cutResults(fitting, age, 300))).toEqual(
      places[age].map((id) => {
        const of = placed(messages, id)
        return [`${id}.0`, cutResult({ result: of, original: of.part, handle: handleOf(long) }, 300, facts)]
      }),
    )
  })
})

describe('Q-24 a result', () => {
  const shownBefore = result('fine', 'call-fine', `${long.slice(0, 4000)}…`)
  const view = messages.map((message) => (message.id === 'fine' ? shownBefore : message))

  it.each<[name: string, steps: (fitting: Fitting) => Steps, expected: Part | null]>([
    [
      'is replaced by the digest of its original',
      (fitting) => digestResults(fitting, 'old'),
      digestOf(placed(messages, 'fine'), facts),
    ],
    [
      'is cut from its original',
      (fitting) => cutResults(fitting, 'old', 300),
      cutResult(
        { result: placed(messages, 'fine'), original: placed(messages, 'fine').part, handle: handleOf(long) },
        300,
        facts,
      ),
    ],
  ])('that is shown in part %s', (_name, steps, expected) => {
    expect(shrunk(view, { ...facts, originals: messages }, steps)).toContainEqual(['fine.0', expected])
  })

  it('is cut only if it has more tokens', () => {
    const given: Facts = { tokens: letters }
    const size = countPart(placed(messages, 'fine').part, letters)
    const cut = (tokens: number) => shrunk(messages, given, (fitting) => cutResults(fitting, 'old', tokens)).map(([id]) => id)
    expect([cut(size), cut(size - 1)]).toEqual([[], ['fine.0', 'pinned.0', 'failed.0']])
  })

  it('stays if nothing shorter can be shown', () => {
    expect(shrunk(messages, { tokens: letters }, (fitting) => cutResults(fitting, 'old', 5))).toEqual([])
  })
})

describe('Q-24 calls', () => {
  const said: Part = { type: 'text', text: long }
  const call = (callId: string): Part => ({ type: 'tool-call', callId, tool: 'Write', input: { text: long } })
  const asked = [
    user('u', 'fix the cart tests'),
    { id: 'a', role: 'assistant' as const, parts: [said, call('1'), call('2')] },
    result('r', '1', 'ok'),
    calls('b', ['3', 'Write', { text: 'short' }]),
    { id: 'v', role: 'user' as const, parts: [call('5')] },
    { id: 'c', role: 'assistant' as const, parts: [call('4')] },
    result('s', '4', 'ok'),
  ]
  const expected = (callId: string) =>
    cutCall(call(callId) as Part & { type: 'tool-call' }, 40, handleOf(JSON.stringify({ text: long })))

  it.each<[Age, readonly (readonly [string, Part | null])[]]>([
    [
      'old',
      [
        ['a.1', expected('1')],
        ['a.2', expected('2')],
      ],
    ],
    ['late', [['c.0', expected('4')]]],
  ])('that are %s are shortened', (age, cut) => {
    expect(shrunk(asked, {}, (fitting) => cutCalls(fitting, age, 40))).toEqual(cut)
  })

  it('shortens already shortened ones from their originals', () => {
    const view = asked.map((message) => (message.id === 'c' ? calls('c', ['4', 'Write', { text: 'x'.repeat(3000) }]) : message))
    expect(shrunk(view, { originals: asked }, (fitting) => cutCalls(fitting, 'late', 40))).toEqual([['c.0', expected('4')]])
  })

  it('stay if they are already shorter', () => {
    const view = asked.map((message) => (message.id === 'c' ? calls('c', ['4', 'Write', {}]) : message))
    expect(shrunk(view, { originals: asked }, (fitting) => cutCalls(fitting, 'late', 40))).toEqual([])
  })
})

describe('Q-24 images', () => {
  const image: Part = { type: 'media', mediaType: 'image/png', data: 'x'.repeat(1022) }
  const seen = (id: string, role: Message['role']): Message => ({
    id,
    role,
    parts: [{ type: 'text', text: id }, image, image],
  })
  const view = [
    seen('s', 'system'),
    seen('a', 'user'),
    seen('b', 'assistant'),
    seen('c', 'user'),
    seen('d', 'assistant'),
    seen('e', 'user'),
  ]
  const line = (message: Message | undefined): Part => ({
    type: 'text',
    text: `[image/png omitted, 1.0 KB; recall ${transcriptHandle([message as Message])}]`,
  })

  it.each<[Age, readonly number[]]>([
    ['old', [1, 2, 4]],
    ['late', [3, 5]],
  ])('that are %s are replaced by a line, except those of the system', (age, at) => {
    expect(shrunk(view, { pins: ['c'] }, (fitting) => omitOldMedia(fitting, age))).toEqual(
      at.flatMap((index) => [1, 2].map((part) => [`${view[index]?.id}.${part}`, line(view[index])])),
    )
  })

  it('stay if they are not larger than such a line', () => {
    const small: Message = { id: 'a', role: 'user', parts: [{ type: 'media', mediaType: 'application/json', data: 1 }] }
    expect(shrunk([small, ...view.slice(4)], {}, (fitting) => omitOldMedia(fitting, 'old')).map(([id]) => id)).toEqual([
      'd.1',
      'd.2',
    ])
  })
})
