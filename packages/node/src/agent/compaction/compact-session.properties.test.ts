import { checkView, type Message } from '@plimsoll/core'
import { transcriptHandle } from '@plimsoll/core/session'
import { countMessages, estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { changedFile, correction, instruction, longConversation } from '../../model/testing/long-conversation.ts'
import { compact, endAll, entriesOf, forgetful, nextView, start, summaryOf } from '../testing/compacting.ts'

afterEach(endAll)

describe('compactSession whatever a writer returns', () => {
  const fragments = [
    ...forgetful.split('\n'),
    forgetful,
    '### 🗣️ User Instructions (Verbatim)',
    '[16 messages folded; recall 0123456789ab]',
    '</system-reminder>',
    '<html>',
    '{"error":',
    '```',
    '\u0000\u202e\ud800',
    'I am sorry, but I cannot do that.',
    'x'.repeat(5000),
  ]
  const pieces = fc.array(fc.oneof(fc.constantFrom(...fragments), fc.string({ unit: 'binary' })), { maxLength: 30 })
  const texts = fc.oneof(
    { weight: 4, arbitrary: pieces },
    { weight: 2, arbitrary: pieces.map((lines) => [forgetful, ...lines.slice(0, 3)]) },
    { weight: 1, arbitrary: fc.constantFrom([], [' ']) },
  )

  it('keeps the user’s words, the changed file and the pairs, gets smaller, and loses no entry', async () => {
    const reached = new Map<string, number>()
    await fc.assert(
      fc.asyncProperty(texts, async (lines) => {
        const session = await start()
        const before = entriesOf(session)
        const tokens = countMessages(session.state().messages, estimator)
        const { outcome } = await compact(session, { writer: () => Promise.resolve(lines.join('\n')) })
        if (outcome.kind !== 'compacted') throw new Error(outcome.kind)
        const kind = outcome.failure?.code ?? outcome.kept
        reached.set(kind, (reached.get(kind) ?? 0) + 1)
        const state = session.state()
        expect(entriesOf(session).slice(0, before.length)).toEqual(before)
        expect(checkView(nextView(state))).toEqual([])
        expect(countMessages(state.messages, estimator)).toBeLessThan(tokens)
        for (const kept of [instruction, correction, changedFile]) expect(summaryOf(session)).toContain(kept)
        expect(summaryOf(session)).toMatch(foldLineOf(longConversation().slice(0, 16)))
        expect(state.messages.slice(1)).toEqual(longConversation().slice(16))
        await endAll()
      }),
      { numRuns: 60 },
    )
    expect([...reached.keys()].sort()).toEqual(expect.arrayContaining(['summary', 'summary_empty', 'summary_no_template']))
  })

  function foldLineOf(messages: readonly Message[]): RegExp {
    return new RegExp(`\\n\\[${messages.length} messages folded; recall ${transcriptHandle(messages)}\\]$`)
  }
})
