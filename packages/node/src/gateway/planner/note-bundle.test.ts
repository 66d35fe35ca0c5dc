import { describe, expect, test, vi } from 'vitest'
import { bodyBytes, isShared } from '../relay/read-request-body.ts'
import { accepted, relayed } from '../testing/planning.ts'
import { createNoteBundle, type PlannerNote } from './planner-messages.ts'

interface Sent {
  readonly notes: readonly PlannerNote[]
  readonly buffers: readonly ArrayBuffer[]
}

function sending() {
  const sent: Sent[] = []
  // As in a real transfer: buffers are detached here and arrive there.
  const bundle = createNoteBundle((notes, buffers) => {
    sent.push(structuredClone({ notes, buffers }, { transfer: buffers }))
  })
  return { sent, bundle }
}

const note = (body: string | Uint8Array, isBodyFree = false): PlannerNote => ({
  type: 'observe',
  request: {
    ...relayed('openai-chat', {}, 'observe'),
    body: typeof body === 'string' ? Buffer.from(body) : body,
    isBodyFree,
  },
})

const textOf = (one: PlannerNote) =>
  Buffer.from(one.type === 'answered' ? (one.outcome.answer?.head ?? []) : one.request.body).toString()

describe('notes for another thread', () => {
  test('go out together, small bytes copied into one buffer', () => {
    const { sent, bundle } = sending()
    const notes = [note('one'), note('two')]
    const outcome = accepted(relayed('openai-chat', {}, 'observe'))
    for (const one of [...notes, { type: 'answered', outcome } as const]) bundle.add(one)
    expect(sent).toEqual([])
    bundle.send()
    expect(sent.map(({ notes: each }) => each.map(textOf))).toEqual([
      ['one', 'two', Buffer.from(outcome.answer?.head ?? []).toString()],
    ])
    expect(sent[0]?.buffers).toHaveLength(1)
    expect(notes.map(textOf)).toEqual(['one', 'two'])
    bundle.send()
    expect(sent).toHaveLength(1)
  })

  test('go out automatically after a moment, and at once if there is much', async () => {
    const { sent, bundle } = sending()
    bundle.add(note('x'.repeat(200_000)))
    expect(sent).toHaveLength(1)
    const soon = new Promise<Sent>((resolve) => createNoteBundle((notes) => resolve({ notes, buffers: [] })).add(note('later')))
    expect((await soon).notes.map(textOf)).toEqual(['later'])
    for (let count = 0; count < 64; count += 1) bundle.add(note(String(count)))
    expect(sent[1]?.notes).toHaveLength(64)
  })

  test('an outcome goes out at the end of the turn, and the next ones together a few milliseconds later', () => {
    vi.useFakeTimers({ toFake: ['setImmediate', 'clearImmediate', 'setTimeout', 'clearTimeout', 'performance'] })
    try {
      const { sent, bundle } = sending()
      const answered = () => bundle.add({ type: 'answered', outcome: accepted(relayed('openai-chat', {}, 'safe')) })
      answered()
      vi.advanceTimersByTime(0)
      expect(sent.map(({ notes }) => notes.length)).toEqual([1])
      answered()
      vi.advanceTimersByTime(1)
      answered()
      vi.advanceTimersByTime(3)
      expect(sent).toHaveLength(1)
      vi.advanceTimersByTime(1)
      expect(sent.map(({ notes }) => notes.length)).toEqual([1, 2])
    } finally {
      vi.useRealTimers()
    }
  })

  test('transfer a large body that no one else needs, and copy one that is still used', () => {
    const { sent, bundle } = sending()
    const [free, needed] = [new Uint8Array(50_000).fill(65), new Uint8Array(50_000).fill(66)]
    bundle.add(note(free, true))
    bundle.add(note(needed))
    bundle.send()
    expect(sent[0]?.notes.map(textOf)).toEqual(['A'.repeat(50_000), 'B'.repeat(50_000)])
    expect([free.byteLength, needed.byteLength]).toEqual([0, 50_000])
  })

  test('lend shared memory, and pass on memory that is already lent', () => {
    const lent: (readonly Uint8Array[])[] = []
    const bundle = createNoteBundle((_notes, _buffers, bytes) => lent.push(bytes))
    const body = bodyBytes.take(50_000)
    body.fill(68)
    const needed = new Uint8Array(60_000).fill(69)
    bundle.add(note(body, true))
    bundle.add(note(needed))
    bundle.add(note('small'))
    bundle.send()
    expect(lent.map((bytes) => bytes.map((each) => each.byteLength))).toEqual([[50_000, 60_000]])
    expect(lent[0]?.[0]?.buffer).toBe(body.buffer)
    expect(lent[0]?.every(isShared)).toBe(true)
    expect(Buffer.from(lent[0]?.[1] ?? []).equals(needed)).toBe(true)
  })

  test('transfer nothing of a larger buffer than their own', () => {
    const { sent, bundle } = sending()
    const pool = new Uint8Array(100_000).fill(67)
    bundle.add(note(pool.subarray(0, 50_000), true))
    bundle.send()
    expect([pool.byteLength, sent[0]?.buffers.map(({ byteLength }) => byteLength)]).toEqual([100_000, [0]])
    expect(sent[0]?.notes.map(textOf)).toEqual(['C'.repeat(50_000)])
  })
})
