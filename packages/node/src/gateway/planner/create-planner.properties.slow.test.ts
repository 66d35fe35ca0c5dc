import { codecs, type Message } from '@plimsoll/core'
import { defaultConfig, type TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestLengths } from '../../../../core/src/testing/repeating-sessions.ts'
import { workingSessions } from '../../../../core/src/testing/working-sessions.ts'
import type { WireDialect } from '../../store/gateway-record.ts'
import { accepted, openPlanningBench, planned, relayed, unchangeable } from '../testing/planning.ts'
import { hashText } from './understand-request.ts'

const model = 'claude-opus-5'
const bold: readonly Exclude<TrimMode, 'observe'>[] = ['safe', 'spec', 'economy']
/** Each restart of a gateway takes the next timing. */
const ways = [
  ...bold.map((mode) => ({ name: mode, mode, timings: [null] })),
  ...bold.map((mode) => ({ name: `${mode}, immediate`, mode, timings: ['immediate'] as const })),
  ...bold.map((mode) => ({ name: `${mode}, changing`, mode, timings: ['immediate', null] as const })),
]

function bodyOf(dialect: WireDialect, messages: readonly Message[]): Readonly<Record<string, unknown>> {
  return writeRequest(dialect, messages, { model, system: 'Work on it.' })
}

/** The text of each tool result as sent, by its call. */
function shownResults(dialect: WireDialect, value: unknown): ReadonlyMap<string, string> {
  const results = new Map<string, string>()
  for (const { parts } of codecs[dialect].read(value).messages)
    for (const part of parts)
      if (part.type === 'tool-result' && part.callId !== null) results.set(part.callId, JSON.stringify(part.content))
  return results
}

/** The messages with ids of calls as providers draw them: decisions about those apply regardless of the messages before them. */
function withDrawnIds(messages: readonly Message[]): readonly Message[] {
  const drawn = (id: string) => `toolu_01${hashText(id)}`
  return messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'tool-call' || (part.type === 'tool-result' && part.callId !== null)
        ? { ...part, callId: drawn(part.callId as string) }
        : part,
    ),
  }))
}

/** The next step of a client: it continues, rewinds some requests, or replaces older messages by a summary. */
const moves = fc.array(
  fc.record({
    move: fc.constantFrom('on', 'on', 'on', 'back', 'compact', 'restart', 'refused', 'count'),
    by: fc.integer({ min: 1, max: 5 }),
    seconds: fc.constantFrom(1, 30, 400, 1000),
  }),
  { minLength: 14, maxLength: 22, size: 'max' },
)

describe('what was decided about a part holds', () => {
  test.each(ways)(
    'property: whatever happens before it, after a restart, and through another planner ($name)',
    async ({ mode, timings }) => {
      const dialect = 'anthropic'
      const reached = { changed: 0, back: 0, compact: 0, restart: 0 }
      const check = async (given: readonly Message[], doing: readonly { move: string; by: number; seconds: number }[]) => {
        const session = withDrawnIds(given)
        const bench = await openPlanningBench()
        const lengths = requestLengths(session)
        let restarts = 0
        const open = () => bench.planner({ config: { ...defaultConfig, timing: timings[restarts % timings.length] ?? null } })
        let planner = open()
        let at = 1_700_000_000_000
        let turn = 0
        let first = 0
        const shown = new Map<string, readonly string[]>()
        try {
          for (const { move, by, seconds } of doing) {
            at += seconds * 1000
            turn = move === 'back' ? Math.max(0, turn - by) : Math.min(lengths.length - 1, turn + 1)
            const length = lengths[turn] as number
            // A round starts with a user message; one of the finished rounds is dropped.
            if (move === 'compact') first = lengths.findLast((each) => each < length - 6) ?? 0
            if (first >= length) first = 0
            const kept = session.slice(first, length)
            const messages =
              first === 0
                ? kept
                : [{ id: 'told', role: 'user' as const, parts: [{ type: 'text' as const, text: 'so far' }] }, ...kept]
            if (move === 'restart') {
              restarts += 1
              planner = open()
            }
            if (move === 'back' || move === 'compact' || move === 'restart') reached[move] += 1
            const value = bodyOf(dialect, messages)
            const request = relayed(dialect, value, mode, { at, model, kind: move === 'count' ? 'count' : 'generate' })
            const sent: unknown = JSON.parse((await planned(planner, request)).toString())

            expect(unchangeable(dialect, mode, sent)).toEqual(unchangeable(dialect, mode, value))
            if (move === 'count') continue
            const originals = shownResults(dialect, value)
            for (const [call, text] of shownResults(dialect, sent)) {
              // A reference to lines above no longer holds once those were dropped.
              const isTrue = first === 0 || !shown.get(call)?.some((each) => each.includes('lines as shown above'))
              if (!isTrue) shown.delete(call)
              const before = shown.get(call) ?? []
              const isChanged = text !== originals.get(call)
              if (before.length === 0 && !isChanged) continue
              if (before.length === 0) reached.changed += 1
              // Never shown in full again, and never at an earlier, longer stage.
              expect({ call, isChanged }).toEqual({ call, isChanged: true })
              if (text === before.at(-1)) continue
              if (before.length > 0) {
                expect([mode === 'safe', before.includes(text), text.length < (before.at(-1)?.length ?? 0)]).toEqual([
                  false,
                  false,
                  true,
                ])
              }
              shown.set(call, [...before, text])
            }
            const other = await planned(open(), { ...request, id: `${request.id}-other`, kind: 'count' })
            expect(shownResults(dialect, JSON.parse(other.toString()))).toEqual(shownResults(dialect, sent))
            planner.answered(move === 'refused' ? { ...accepted(request), status: 429, answer: null } : accepted(request))
            await planner.rest()
          }
        } finally {
          await planner.close()
          await bench.close()
        }
      }
      await fc.assert(fc.asyncProperty(workingSessions, moves, check), { numRuns: 2, seed: 5, endOnFailure: true })
      expect(Object.entries(reached).filter(([, times]) => times === 0)).toEqual([])
    },
  )
})
