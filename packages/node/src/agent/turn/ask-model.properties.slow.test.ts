import { checkView } from '@plimsoll/core'
import fc from 'fast-check'
import { afterEach, expect, it } from 'vitest'
import { otherBodies, overflowBodies, reservationBodies } from '../../../../core/src/testing/failure-bodies.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import type { Answer } from '../../model/testing/openai-server.ts'
import { rebuildRequest } from '../request/record-request.ts'
import { ask, endAll, fine, refused } from '../testing/asking.ts'
import { TurnError } from './model-error.ts'

afterEach(endAll)

const refusals = (bodies: typeof otherBodies): readonly Answer[] =>
  bodies.flatMap(([, status, body]) => (status === null || body instanceof Error ? [] : [refused(status, body)]))
const answers = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...refusals(overflowBodies)) },
    { weight: 2, arbitrary: fc.constantFrom(...refusals(reservationBodies)) },
    { weight: 2, arbitrary: fc.constantFrom(...refusals(otherBodies)) },
    { weight: 1, arbitrary: fc.constant<Answer>({ kind: 'cut', text: 'Half' }) },
    { weight: 1, arbitrary: fc.constant<Answer>(refused(503, 'busy')) },
  ),
  { minLength: 1, maxLength: 8 },
)

it('whatever a provider answers, it comes to an end: with an answer or an error, few requests, and a log that is whole', async () => {
  const seen = { answered: 0, failed: 0, mendedTwice: 0 }
  await fc.assert(
    fc.asyncProperty(answers, async (refusing) => {
      const { asked, error, server, session, story } = await ask({
        messages: longConversation(),
        answers: [...refusing, fine] as unknown as readonly [Answer, ...Answer[]],
      })
      if (asked === null) expect(error).toBeInstanceOf(TurnError)
      // Five more for trouble that passes, and one for each of the four remedies.
      expect(server.requests.length).toBeLessThanOrEqual(1 + 5 + 4)
      const requests = session.heads().filter(({ type }) => type === 'request')
      expect(requests).toHaveLength(server.requests.length)
      for (const { id } of requests) expect(rebuildRequest(session, id)?.isProven).toBe(true)
      const outcomes = session.heads().filter(({ type }) => type === 'failure' || type === 'usage')
      expect(outcomes).toHaveLength(requests.length)
      expect(checkView(session.state().messages)).toEqual([])
      seen[asked === null ? 'failed' : 'answered'] += 1
      if (new Set(story.filter((line) => /shortened|dropped|repaired|compressed/.test(line))).size > 1) seen.mendedTwice += 1
    }),
    { numRuns: 35 },
  )
  expect(Math.min(seen.answered, seen.failed, seen.mendedTwice), JSON.stringify(seen)).toBeGreaterThan(2)
})
