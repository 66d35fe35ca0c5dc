import { describe, expect, it } from 'vitest'
import { foldLine } from '../compaction/summary-template.ts'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { createFitting } from './draft.ts'
import { hideSummaries } from './ladder.ts'

/** A summary of 200 tokens. */
function summary(id: string): Message {
  const line = foldLine(2, handleOf(id))
  const text = `${'x'.repeat(200 - 5 - line.length)}\n${line}`
  return { id, role: 'system', parts: [{ type: 'text', text }], summary: true }
}

function hidden(messages: readonly Message[], share: number, facts: Facts, isNew: (message: Message) => boolean = () => false) {
  const fitting = createFitting(messages, facts, 'full')
  const known = () => new Set(messages.filter((message) => message.summary === true && !isNew(message)))
  let steps = 0
  for (const _ of hideSummaries({ ...fitting, known }, share)) steps += 1
  return {
    steps,
    edits: fitting.draft.edits(),
    shown: fitting.draft
      .messages()
      .map(({ id }) => id.replace(/:.*/, ''))
      .join(' '),
  }
}

describe('Q-24 summaries that take too much of a request', () => {
  const messages = [
    user('u', 'fix the cart tests'),
    summary('a'),
    user('v', 'please continue'),
    summary('b'),
    summary('c'),
    user('w', 'now'),
  ]
  // The target is 800.
  const facts = (target = 800): Facts => ({ tokens: letters, config: { context_window: target / 0.8, output_reserve: 0 } })

  it.each<[name: string, share: number, target: number, shown: string]>([
    ['stay within their share', 0.75, 800, 'u a v b c w'],
    ['are hidden from the oldest on', 0.5, 800, 'u hidden v b c w'],
    ['are hidden until the others fit their share', 0.25, 800, 'u hidden v hidden c w'],
    ['are all hidden without a share', 0, 800, 'u hidden v hidden w'],
    ['are hidden by a share rounded down', 0.5, 799.2, 'u hidden v hidden c w'],
  ])('%s', (_name, share, target, shown) => expect(hidden(messages, share, facts(target)).shown).toBe(shown))

  it('hides them at the very end too', () => {
    expect(hidden(messages.slice(0, 5), 0, facts()).shown).toBe('u hidden v hidden')
  })

  it('become one line per run, as a last-resort edit', () => {
    const { steps, edits } = hidden(messages, 0, facts())
    expect(steps).toBe(2)
    expect(edits).toEqual([
      expect.objectContaining({ policy: 'fit-window', kind: 'fold', first: 'a', last: 'a' }),
      expect.objectContaining({ policy: 'fit-window', kind: 'fold', first: 'b', last: 'c' }),
    ])
    expect(edits.map(({ id }) => id)).toEqual([
      expect.stringMatching(/^fit-window:hide-old-summaries:[0-9a-f]{12}$/),
      expect.stringMatching(/^fit-window:hide-old-summaries:[0-9a-f]{12}$/),
    ])
  })

  it('stay if written for this request, with everything after them', () => {
    expect(hidden(messages, 0, facts(), ({ id }) => id === 'b').shown).toBe('u hidden v b c w')
    expect(hidden(messages.slice(1), 0, facts(), ({ id }) => id === 'a')).toMatchObject({ steps: 0, shown: 'a v b c w' })
  })

  it('stay if the window is unlimited and nothing else is set', () => {
    expect(hidden(messages, 0.25, { tokens: letters }).steps).toBe(0)
  })

  it('stay if their ids cannot be found', () => {
    const twice = [summary('a'), summary('b'), user('u', 'fix the cart tests'), { ...summary('a'), summary: true as const }]
    expect(hidden(twice.slice(0, 4), 0, facts(), (message) => message === twice[3])).toMatchObject({ steps: 0, edits: [] })
  })
})
