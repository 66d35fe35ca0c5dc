import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '../shared/server-api.ts'
import { createEventBuffer } from './event-buffer.ts'
import type { StreamEvent } from './event-stream.ts'

const delta = (text: string): SessionEvent => ({ type: 'text_delta', data: { text } })
const output = (callId: string, message: string): SessionEvent => ({
  type: 'tool_progress',
  data: { tool: 'Bash', callId, stage: 'output', message, progress: null },
})
const moved = (session: string): SessionEvent => ({ type: 'moved', data: { session } })
const events = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.string({ maxLength: 5 }).map(delta) },
    {
      weight: 2,
      arbitrary: fc.tuple(fc.constantFrom('a', 'b'), fc.string({ maxLength: 5 })).map(([id, text]) => output(id, text)),
    },
    { weight: 1, arbitrary: fc.string({ maxLength: 5 }).map(moved) },
  ),
  { minLength: 1, maxLength: 60 },
)

/** The content of events, regardless of how texts are split: each text in full, with the key of its text. */
function story(received: readonly StreamEvent[]): readonly (readonly [string, string])[] {
  const runs: [string, string][] = []
  for (const { data } of received) {
    const [key, text] = saidBy(data as SessionEvent)
    const last = runs.at(-1)
    if (last?.[0] === key && key !== 'moved') last[1] += text
    else runs.push([key, text])
  }
  return runs
}

function saidBy(event: SessionEvent): [string, string] {
  if (event.type === 'text_delta') return ['text', event.data.text]
  return event.type === 'tool_progress' ? [event.data.callId, event.data.message] : ['moved', JSON.stringify(event.data)]
}

function lastOf(received: readonly StreamEvent[]): string {
  return received.at(-1)?.id ?? ''
}

describe('what was missed', () => {
  it('is told from wherever somebody left off, nothing twice and nothing missing', () => {
    let joined = 0
    fc.assert(
      fc.property(events, fc.nat(), (all, place) => {
        const buffer = createEventBuffer()
        const heard: StreamEvent[] = []
        buffer.subscribe(null, (event) => void heard.push(event))
        for (const event of all) buffer.add(event)
        const cut = place % (all.length + 1)
        const id = cut === 0 ? buffer.last().replace(/\d+$/, '0') : (heard[cut - 1]?.id ?? '')
        const missed = buffer.after(id)
        if (missed === 'gone') throw new Error('expected that all of it is held')
        if (missed.length < all.length - cut) joined += 1
        expect([story(missed), lastOf(missed)]).toEqual([story(heard.slice(cut)), cut === all.length ? '' : buffer.last()])
      }),
    )
    expect(joined).toBeGreaterThan(10)
  })

  it('starts with a reset if it is gone, or came from another process', () => {
    const buffer = createEventBuffer({ maxEvents: 3 })
    const first = buffer.last()
    for (const name of ['1', '2', '3', '4', '5']) buffer.add(moved(name))
    const heard: StreamEvent[] = []
    for (const id of [first, createEventBuffer().last(), 'nonsense', `${first}9`])
      buffer.subscribe(id, (event) => void heard.push(event))
    const reset = { id: buffer.last(), type: 'reset', data: { type: 'reset', data: { event: buffer.last() } } }
    expect([buffer.after(first), ...heard]).toEqual(['gone', reset, reset, reset, reset])
  })

  it('is held up to a size, in pieces of any length', () => {
    const buffer = createEventBuffer({ maxCharacters: 1000 })
    const first = buffer.last()
    for (let count = 0; count < 500; count += 1) buffer.add(delta('0123456789'.repeat(20_000)))
    expect(buffer.after(first)).toBe('gone')
    const before = buffer.last()
    buffer.add(delta('end'))
    const missed = buffer.after(before)
    expect(missed === 'gone' ? missed : missed.map(({ data }) => data)).toEqual([delta('end')])
  })

  it('has only the latest live state', () => {
    const buffer = createEventBuffer()
    const first = buffer.last()
    const live = (queue: readonly string[]) => ({ type: 'live', data: { queue } }) as unknown as SessionEvent
    for (const event of [live(['a']), delta('x'), live(['b'])]) buffer.add(event)
    const missed = buffer.after(first)
    expect(missed === 'gone' ? missed : missed.map(({ data }) => data)).toEqual([delta('x'), live(['b'])])
  })
})

it('a listener that throws gets no more events, and the others do', () => {
  const buffer = createEventBuffer()
  const heard: unknown[] = []
  buffer.subscribe(null, () => {
    heard.push('thrown')
    throw new Error('no')
  })
  const end = buffer.subscribe(null, ({ data }) => void heard.push(data))
  buffer.add(delta('a'))
  buffer.add(delta('b'))
  end()
  buffer.add(delta('c'))
  expect({ heard, listeners: buffer.listeners() }).toEqual({ heard: ['thrown', delta('a'), delta('b')], listeners: 0 })
})
