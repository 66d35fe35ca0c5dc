import type { Message } from '@plimsoll/core'
import type { TrimMode } from '@plimsoll/core/policies'
import { writeRequest } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, test, vi } from 'vitest'
import { requestLengths } from '../../../../core/src/testing/repeating-sessions.ts'
import { workingSessions } from '../../../../core/src/testing/working-sessions.ts'
import { type WireDialect, wireDialects } from '../../store/gateway-record.ts'
import type { GatewayStore } from '../../store/gateway-store.ts'
import { spliceBytes } from '../relay/plan-request.ts'
import { accepted, openPlanningBench, plainSettings, relayed } from '../testing/planning.ts'
import { createPlanner } from './create-planner.ts'
import { hashText } from './understand-request.ts'

/** The next step of a client, which sends its whole conversation with every request. */
const kinds = [
  'on',
  'on',
  'on',
  'on',
  'edit',
  'remove',
  'system',
  'tools',
  'mark',
  'spaces',
  'edit',
  'back',
  'refused',
  'count',
] as const
const steps = fc.array(
  fc.record({
    kind: fc.constantFrom(...kinds),
    place: fc.double({ min: 0, max: 1, noNaN: true }),
    seconds: fc.constantFrom(1, 20, 400, 1000),
  }),
  { minLength: 14, maxLength: 22, size: 'max' },
)
type Step = typeof steps extends fc.Arbitrary<readonly (infer Each)[]> ? Each : never

const cases: readonly { readonly dialect: WireDialect; readonly mode: TrimMode }[] = [
  ...wireDialects.map((dialect) => ({ dialect, mode: 'economy' as const })),
  { dialect: 'anthropic', mode: 'safe' },
]

describe('a request that continues a known conversation', () => {
  test.each(cases)(
    'property: sends the bytes that a new planner would send ($dialect, $mode)',
    async ({ dialect, mode }) => {
      const reached = { requests: 0, changed: 0, littleRead: 0, littleAsked: 0 }
      const done = new Set<string>()
      const check = async (session: readonly Message[], doing: readonly Step[]) => {
        const [one, other] = [await openPlanningBench(), await openPlanningBench()]
        const asked = { continuing: 0, fresh: 0 }
        const now = () => 1_700_000_000_000
        const settings = plainSettings
        const continuing = createPlanner({
          store: counting(one.store, (parts) => void (asked.continuing = parts)),
          settings,
          now,
        })
        try {
          for (const { kind, request } of requestsOf(dialect, withDrawnIds(session, dialect), doing, mode)) {
            const parsing = vi.spyOn(JSON, 'parse')
            const plan = await continuing.plan(request)
            const read = parsing.mock.calls.reduce((sum, [text]) => sum + text.length, 0)
            parsing.mockRestore()
            // It has nothing but the store, so it reads the request from start to end.
            const fresh = createPlanner({ store: counting(other.store, (parts) => void (asked.fresh = parts)), settings, now })
            const expected = await fresh.plan(request)
            expect(spliceBytes(request.body, plan.splices)?.toString()).toBe(
              spliceBytes(request.body, expected.splices)?.toString(),
            )
            expect({ ...plan, splices: [] }).toEqual({ ...expected, splices: [] })
            reached.requests += 1
            done.add(kind)
            if (plan.splices.length > 0) reached.changed += 1
            if (read < request.body.byteLength / 2) reached.littleRead += 1
            if (asked.continuing < asked.fresh / 2) reached.littleAsked += 1
            const outcome = kind === 'refused' ? { ...accepted(request), status: 429, answer: null } : accepted(request)
            for (const planner of [continuing, fresh]) {
              planner.answered(outcome)
              await planner.rest()
            }
          }
        } finally {
          await Promise.all([one.close(), other.close()])
        }
      }
      await fc.assert(fc.asyncProperty(workingSessions, steps, check), { numRuns: 4, seed: 3, endOnFailure: true })
      expect(done).toEqual(new Set(kinds))
      expect(reached.changed).toBeGreaterThan(reached.requests / 3)
      expect(reached.littleRead).toBeGreaterThan(reached.requests / 3)
      expect(reached.littleAsked).toBeGreaterThan(reached.requests / 3)
    },
    120_000,
  )
})

function counting(store: GatewayStore, onParts: (parts: number) => void): GatewayStore {
  return {
    ...store,
    recognise(tenant, question) {
      onParts(question.parts.length)
      return store.recognise(tenant, question)
    },
  }
}

/** Ids as providers draw them, except for Gemini, whose calls have none. */
function withDrawnIds(messages: readonly Message[], dialect: WireDialect): readonly Message[] {
  if (dialect === 'gemini') return messages
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

/** The requests of a client that continues, edits, rewinds and moves its marks. */
function* requestsOf(dialect: WireDialect, session: readonly Message[], doing: readonly Step[], mode: TrimMode) {
  const lengths = requestLengths(session)
  let messages = session
  let turn = Math.min(2, lengths.length - 1)
  let at = 1_700_000_000_000
  let system = 'Work on it.'
  let tools = 1
  let isMarked = false
  let indent = 0
  for (const { kind, place, seconds } of doing) {
    at += seconds * 1000
    turn = kind === 'back' ? Math.max(0, turn - 2) : Math.min(lengths.length - 1, turn + 1)
    const length = Math.min(messages.length, lengths[turn] as number)
    const chosen = Math.floor(place * length)
    if (kind === 'edit') messages = messages.map((message, index) => (index === chosen ? edited(message) : message))
    if (kind === 'remove') messages = messages.toSpliced(chosen, 1)
    if (kind === 'system') system = `${system} Now it is ${at}.`
    if (kind === 'tools') tools += 1
    if (kind === 'mark') isMarked = true
    indent = kind === 'spaces' ? 2 : 0
    const value = writeRequest(dialect, messages.slice(0, length), { model: 'claude-opus-5', system })
    const marked = isMarked && dialect === 'anthropic' ? withMark(value) : value
    const text = JSON.stringify(
      { ...marked, tools: Array.from({ length: tools }, (_, number) => ({ name: `tool-${number}` })) },
      null,
      indent,
    )
    yield {
      kind,
      request: relayed(dialect, text, mode, { at, model: 'claude-opus-5', kind: kind === 'count' ? 'count' : 'generate' }),
    }
  }
}

function edited(message: Message): Message {
  return {
    ...message,
    parts: message.parts.map((part) =>
      part.type === 'text'
        ? { ...part, text: `${part.text} (edited)` }
        : part.type === 'tool-result' && part.content.type === 'text'
          ? { ...part, content: { type: 'text', text: `${part.content.text}\nedited` } }
          : part,
    ),
  }
}

/** The last message marked for the cache, as Anthropic's clients do: the mark moves with every request. */
function withMark(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const messages = value['messages'] as readonly { readonly content: unknown }[]
  const last = messages.at(-1)
  const blocks = Array.isArray(last?.content)
    ? (last.content as readonly object[])
    : [{ type: 'text', text: last?.content ?? 'x' }]
  const content = blocks.map((block, index) =>
    index === blocks.length - 1 ? { ...block, cache_control: { type: 'ephemeral' } } : block,
  )
  return { ...value, messages: [...messages.slice(0, -1), { ...last, content }] }
}
