import { recall } from '@plimsoll/core'
import type { TimingName } from '@plimsoll/core/policies'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openSession } from '../../session/open-session.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import { live, livedSessions } from '../testing/lived-sessions.ts'
import { startSession } from '../testing/start-session.ts'
import { rebuildRequest } from './record-request.ts'

const timings: readonly (readonly [TimingName, wanted: readonly string[]])[] = [
  ['immediate', []],
  ['economic', ['waits', 'pays', 'bank', 'cold']],
]

/** Long sessions in which a rewrite becomes worth it, and some with an undone fold: random ones may have too few. */
const telling = [
  ...[2, 3].flatMap((seed) => fc.sample(livedSessions, { seed, numRuns: 12 })).filter(({ length }) => length > 60),
  ...fc.sample(livedSessions, { seed: 1, numRuns: 24 }).filter((steps) => steps.some((step) => step.do === 'undo')),
]

it.each(timings)(
  'every request ever recorded is rebuilt byte for byte, and every handle it named is served: %s',
  async (timing, more) => {
    const reached = new Map<string, number>()
    const count = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1)
    await fc.assert(
      fc.asyncProperty(livedSessions, async (steps) => {
        const { session, sessions: folder, close } = await startSession([])
        const requests = await live(session, steps, timing, count)
        await session.close()
        const again = await openSession(folder, session.id)
        const source = recallSourceOf(again)
        const named = new Set<string>()
        for (const [id, { messages }] of requests) {
          expect(rebuildRequest(again, id)).toEqual({ model: 'm', messages, isProven: true })
          for (const [, handle = ''] of JSON.stringify(messages).matchAll(/recall ([0-9a-f]{12})/g)) named.add(handle)
        }
        for (const handle of named) {
          expect(recall({ handle }, source).kind).toBe('found')
          count('handle')
        }
        await again.close()
        await close()
      }),
      { numRuns: 4 + telling.length, endOnFailure: true, examples: telling.map((steps) => [steps]) },
    )
    const wanted = ['request', 'compacted', 'undone', 'rewind', 'pair-tool-calls', 'fit-window', 'handle', ...more]
    expect(wanted.filter((what) => (reached.get(what) ?? 0) < 5)).toEqual([])
  },
)
