import { type Message, type Part, policiesNamed, specPolicies } from '@plimsoll/core'
import { completeConfig, type TimingName } from '@plimsoll/core/policies'
import fc from 'fast-check'
import { rewindTo } from '../../session/branch.ts'
import type { OpenSession } from '../../session/session.ts'
import { compactSession } from '../compaction/compact-session.ts'
import { undoCompaction } from '../compaction/compaction-history.ts'
import { type NextRequest, nextRequest } from '../request/next-request.ts'
import { recordRequest, recordUsage } from '../request/record-request.ts'

const words = fc.integer({ min: 1, max: 1500 })
const calls = fc.array(fc.constantFrom('filesystem-read', 'terminal-execute', 'LS'), { minLength: 1, maxLength: 3 })

const talk = [
  { weight: 4, arbitrary: fc.record({ do: fc.constant('say' as const), words }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('call' as const), calls }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('answer' as const), words, count: fc.nat(2), orphan: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('pin' as const, 'unpin' as const), message: fc.nat() }) },
] as const
const step = fc.oneof(
  ...talk,
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('request' as const),
      window: fc.constantFrom(200_000, 8000, 4000, 3000),
      system: fc.constantFrom('', 'One.', 'Two.'),
      // Pairs are repaired last in this one, after other policies have cut.
      order: fc.constantFrom(specPolicies, policiesNamed(['limit-tool-output', 'pair-tool-calls', 'fit-window'])),
      accepted: fc.boolean(),
      /** Minutes since the step before it. */
      pause: fc.constantFrom(0, 20),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('compact' as const, 'undo' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('rewind' as const), to: fc.nat() }) },
)
/** Something that happens in a session. */
export type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

/** Nothing but the conversation changes, so that the provider has it cached. */
const calm: fc.Arbitrary<Step> = fc.oneof(...talk, {
  weight: 9,
  arbitrary: fc.record({
    do: fc.constant('request' as const),
    window: fc.constant(200_000),
    system: fc.constant('One.'),
    order: fc.constant(specPolicies),
    accepted: fc.constant(true),
    pause: fc.constantFrom(0, 0, 0, 0, 0, 20),
  }),
})
/** Events that may happen in a session, from start to end. */
export const livedSessions: fc.Arbitrary<Step[]> = fc.oneof(
  { weight: 3, arbitrary: fc.array(step, { minLength: 20, maxLength: 60, size: 'max' }) },
  { weight: 2, arbitrary: fc.array(calm, { minLength: 60, maxLength: 90, size: 'max' }) },
)

/** Runs them in a real session and returns the recorded requests by id; `count` receives the events that occurred. */
export async function live(
  session: OpenSession,
  steps: readonly Step[],
  timing: TimingName,
  count: (what: string) => void,
): Promise<ReadonlyMap<string, NextRequest>> {
  const requests = new Map<string, NextRequest>()
  const open: Part[] = []
  let number = 0
  let clock = 0
  const add = (role: Message['role'], parts: readonly Part[]) => {
    clock += 5000
    return session.append([{ type: 'message', message: { id: `m${(number += 1)}`, role, parts, at: clock } }])
  }
  for (const now of steps) {
    switch (now.do) {
      case 'say':
        await add('user', [{ type: 'text', text: `${number} ${'word '.repeat(now.words)}` }])
        break
      case 'call': {
        const parts = now.calls.map((tool, index): Part => {
          return { type: 'tool-call', callId: `c${number}-${index}`, tool, input: { path: 'a.ts', command: 'make' } }
        })
        open.push(...parts)
        await add('assistant', parts)
        break
      }
      case 'answer': {
        const text = `${number} ${'line\n'.repeat(now.words)}`
        const ids = open.splice(0, now.count).flatMap((part) => (part.type === 'tool-call' ? [part.callId] : []))
        const parts = [...(now.orphan ? [`lost${number}`] : []), ...ids].map((callId): Part => {
          return { type: 'tool-result', callId, tool: null, content: { type: 'text', text: `${callId} ${text}` } }
        })
        if (parts.length > 0) await add('tool', parts)
        break
      }
      case 'request': {
        const config = completeConfig({ context_window: now.window, timing })
        clock += now.pause * 60_000
        const facts = { now: clock, cache: { read: 0.25, write: 1, lifetimeSeconds: 300 } }
        const request = nextRequest({
          state: session.state(),
          config,
          policies: now.order,
          facts,
          system: now.system,
          model: 'm',
          tools: 'tools',
        })
        const id = await recordRequest(session, request, { model: 'm' })
        if (now.accepted) await recordUsage(session, id, usageOf(request.report.load.estimate))
        requests.set(id, request)
        count('request')
        if (request.report.timing !== null) count(request.report.timing.decision)
        for (const policy of new Set(request.edits.map((edit) => edit.policy))) count(policy)
        break
      }
      case 'compact': {
        const options = { config: completeConfig({}), writer: null, emit: () => undefined, keepRounds: 1, force: true }
        count((await compactSession(session, options)).kind)
        break
      }
      case 'undo':
        if ((await undoCompaction(session)) !== null) count('undone')
        break
      case 'rewind':
        await rewindTo(session, session.heads().at(now.to % session.heads().length)?.id ?? session.id)
        count('rewind')
        break
      case 'pin':
      case 'unpin':
        await session.append([{ type: 'edits', [now.do]: [`m${now.message % (number + 1)}`] }])
        break
    }
  }
  return requests
}

function usageOf(prompt_tokens: number) {
  return { prompt_tokens, completion_tokens: 10, prompt_tokens_details: { cached_tokens: Math.floor(prompt_tokens * 0.9) } }
}
