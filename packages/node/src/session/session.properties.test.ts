import type { Edit, Message } from '@plimsoll/core'
import { branchOf, type Entry, type HeaderEntry, type NewEntry, replay } from '@plimsoll/core/session'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { openSession, readSession } from './open-session.ts'
import type { OpenSession } from './session.ts'
import { temporarySessions } from './testing/sessions.ts'

/** One step of work on a session. Numbers choose among the entries that exist at that time. */
type Step =
  | { readonly kind: 'say'; readonly texts: readonly string[] }
  | {
      readonly kind: 'rewind' | 'fold' | 'withdraw' | 'replace' | 'pin' | 'request'
      readonly first: number
      readonly second: number
    }
  | { readonly kind: 'reopen' }

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('say' as const),
        texts: fc.array(fc.string({ unit: 'binary' }), { minLength: 1, maxLength: 3 }),
      }),
    },
    {
      weight: 5,
      arbitrary: fc.record({
        kind: fc.constantFrom(
          'rewind' as const,
          'fold' as const,
          'withdraw' as const,
          'replace' as const,
          'pin' as const,
          'request' as const,
        ),
        first: fc.nat(99),
        second: fc.nat(99),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen' as const) }) },
  ),
  { minLength: 3, maxLength: 25 },
)

it('any tree of appends, rewinds and edits gives the same state from the file as from memory', async () => {
  const reached = { folds: 0, rewinds: 0, edits: 0, sent: 0, pins: 0, reopened: 0 }
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const sessions = temporarySessions()
      let session = await createSession(sessions, { now: () => 1000 })
      const memory: Entry[] = [session.entry(session.id) as HeaderEntry]
      const add = async (entries: readonly NewEntry[]) => {
        for (const entry of await session.append(entries)) memory.push(entry)
      }
      for (const [number, step] of list.entries()) {
        if (step.kind === 'reopen') {
          await session.close()
          session = await openSession(sessions, session.id, { now: () => 1000 })
          reached.reopened += 1
        } else await add(entriesOf(step, number, session))
        expect(session.state()).toEqual(stateOf(memory))
      }
      const state = session.state()
      await session.close()
      const again = await readSession(sessions, session.id)
      expect(again.state()).toEqual(state)
      expect(again.troubles()).toEqual([])
      expect([...again.messages()]).toEqual(memory.flatMap((entry) => (entry.type === 'message' ? [entry.message] : [])))
      for (const { id } of memory)
        expect(again.state(id)).toEqual(stateOf(memory.slice(0, memory.findIndex((entry) => entry.id === id) + 1)))
      await again.close()
      reached.folds += state.folds.length
      reached.edits += state.edits.length
      reached.pins += state.pins.length
      reached.sent += state.sent === null ? 0 : 1
      reached.rewinds += memory.filter(({ type }) => type === 'rewind').length
    }),
    { numRuns: 60 },
  )
  for (const [name, count] of Object.entries(reached)) expect(count, name).toBeGreaterThan(5)
})

function stateOf(memory: readonly Entry[]) {
  const places = new Map(memory.map(({ id }, index) => [id, index]))
  const path = branchOf({ heads: memory, indexOf: (id) => places.get(id) ?? -1 }, memory.length - 1)
  return replay({ header: memory[0] as HeaderEntry, path, load: (entry) => entry })
}

function entriesOf(step: Exclude<Step, { kind: 'reopen' }>, number: number, session: OpenSession): readonly NewEntry[] {
  const { messages, folds, edits, leaf } = session.state()
  const message = (id: string, text: string): Message => ({ id, role: 'assistant', parts: [{ type: 'text', text }] })
  if (step.kind === 'say')
    return step.texts.map((text, index) => ({ type: 'message', message: message(`m${number}.${index}`, text) }))
  const { first, second } = step
  const one = messages[first % Math.max(1, messages.length)]
  const other = messages[second % Math.max(1, messages.length)]
  const base = { id: `edit${number}`, policy: 'test', why: 'test' }
  switch (step.kind) {
    case 'rewind': {
      const heads = session.heads()
      return [{ type: 'rewind', parentId: heads[first % heads.length]?.id ?? leaf, left: leaf }]
    }
    case 'pin':
      return one === undefined ? [] : [{ type: 'edits', pin: [one.id], ...(other === undefined ? {} : { unpin: [other.id] }) }]
    case 'request': {
      const heads = session.heads()
      const id = `e${heads.length}`
      return [
        { type: 'request', model: `model ${second % 2}`, last: one?.id ?? null, view: 'v', estimate: first },
        { type: 'usage', request: id, usage: { input: first, cacheRead: 0, cacheWrite: 0, output: second } },
      ]
    }
    case 'withdraw': {
      const all: readonly Edit[] = [...folds, ...edits]
      const edit = all[first % Math.max(1, all.length)]
      return edit === undefined ? [] : [{ type: 'edits', withdraw: [edit.id] }]
    }
    case 'replace':
      return one === undefined
        ? []
        : [
            {
              type: 'edits',
              apply: [{ ...base, kind: 'replace', message: one.id, part: 0, with: { type: 'text', text: 'shown' } }],
            },
          ]
    case 'fold':
      return one === undefined || other === undefined
        ? []
        : [
            {
              type: 'edits',
              apply: [{ ...base, kind: 'fold', first: one.id, last: other.id, into: message(`s${number}`, 'summary') }],
            },
          ]
  }
}
