import { handleOf, type Message } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withoutCaches } from '../../../core/src/derive.ts'
import { exchange, user } from '../../../core/src/testing/messages.ts'
import { repeatingSessions } from '../../../core/src/testing/repeating-sessions.ts'
import { priceRows } from './bill/price-rows.ts'
import { createGates, type GateName } from './gates.ts'
import { findNeeds } from './needs/find-needs.ts'
import { policySets } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'
import { replaySession } from './replay-session.ts'
import { recorded } from './testing/recorded.ts'

// A replay continues from request to request. Its figures must be those of a replay that starts from nothing at each.

const rows = priceRows.filter(({ name }) => ['r.10', 'claude-opus-5', 'gpt-5.5'].includes(name))

// One of each kind: without edits, by rules, by cost, through a gateway, and with knowledge of what comes.
const kinds = ['raw', 'spec', 'economy', 'gateway-economy', 'oracle']
const sets = policySets.filter(({ name }) => kinds.includes(name))

it.each(sets.map((set) => [set.name, set] as const))('%s costs and loses the same if nothing is remembered', (_name, set) => {
  let needs = 0
  fc.assert(
    fc.property(repeatingSessions, (messages) => {
      const figures = (session: RecordedSession) => {
        const input = {
          session,
          needs: findNeeds(session),
          set,
          rows,
          tokens: estimator,
          isCalibrated: false,
          withPrompts: true,
        }
        const { latencies: _times, ...run } = replaySession(input)
        return run
      }
      const remembering = figures(recorded(...messages))
      expect(withoutCaches(() => figures(recorded(...structuredClone(messages))))).toEqual(remembering)
      needs += remembering.bills[0]?.retention.needs ?? 0
    }),
    { numRuns: 2 },
  )
  expect(needs).toBeGreaterThan(0)
})

/** How a result is shown in a view; the second one is a handle of this result, the third one of the first result. */
const shownAs = ['in full', 'its handle', 'another handle', 'an unknown handle', 'an escape', 'as a user'] as const

function changed(message: Message, how: (typeof shownAs)[number], first: string): Message {
  const [part] = message.parts
  if (how === 'in full' || part?.type !== 'tool-result' || part.content.type !== 'text') return message
  const handles = {
    'its handle': handleOf(part.content.text),
    'another handle': handleOf(first),
    'an unknown handle': '0123456789ab',
  }
  const text = how === 'an escape' ? '\u0007' : how === 'as a user' ? 'cut' : `cut; recall ${handles[how]}`
  return { ...message, parts: [{ ...part, content: { type: 'text', text } }] }
}

it('finds the same broken gates in views one after the other as in each on its own', () => {
  const found = new Set<GateName>()
  const steps = fc.array(fc.array(fc.constantFrom(...shownAs), { minLength: 8, maxLength: 8 }), { minLength: 1, maxLength: 6 })
  fc.assert(
    fc.property(steps, (views) => {
      const text = (place: number) => `the result of number ${place}, which is long enough`
      const messages = [
        user('u', 'go'),
        ...views.flatMap((_view, place) => exchange(`x${place}`, 'Bash', { command: `${place}` }, text(place))),
      ]
      const gates = createGates(true)
      const continued = new Set<GateName>()
      const alone = new Set<GateName>()
      let before: readonly Message[] | null = null
      for (const [step, ways] of views.entries()) {
        const originals = messages.slice(0, 3 + 2 * step)
        const view = originals.map((message, index) => changed(message, ways[index % ways.length] ?? 'in full', text(0)))
        for (const gate of gates({ originals, view, before })) continued.add(gate)
        const copy = structuredClone({ originals, view, before })
        const same = copy.view.map((message, index) =>
          view[index] === originals[index] ? (copy.originals[index] as Message) : message,
        )
        for (const gate of createGates(true)({ originals: copy.originals, view: same })) alone.add(gate)
        before = view
      }
      continued.delete('prefix')
      expect(continued).toEqual(alone)
      for (const gate of alone) found.add(gate)
    }),
    { numRuns: 120 },
  )
  expect(found).toEqual(new Set(['recall', 'characters']))
})
