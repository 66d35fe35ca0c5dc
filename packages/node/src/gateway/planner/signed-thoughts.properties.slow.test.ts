import type { Message } from '@plimsoll/core'
import { writeRequest } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { requestLengths } from '../../../../core/src/testing/repeating-sessions.ts'
import { workingSessions } from '../../../../core/src/testing/working-sessions.ts'
import { accepted, openPlanningBench, planned, relayed } from '../testing/planning.ts'
import { createSigningProvider, type SignedRequest } from '../testing/signing-provider.ts'
import { hashText } from './understand-request.ts'

const model = 'claude-opus-5-5'
/** Does not check what stands before its thoughts. */
const older = 'claude-opus-5'

type Turn = SignedRequest['messages'][number]
type Block = Readonly<Record<string, unknown>>

/** A client of a model that thinks before every answer: it continues, rewinds, compacts its history itself, asks another model in between, and comes back after a pause. */
const moves = fc.array(
  fc.record({
    move: fc.constantFrom('on', 'on', 'on', 'on', 'on', 'on', 'back', 'restart', 'refused', 'compact', 'model'),
    by: fc.integer({ min: 1, max: 4 }),
    seconds: fc.constantFrom(1, 30, 400, 4000),
  }),
  { minLength: 16, maxLength: 26, size: 'max' },
)

/** Without thoughts of its own, and with a user who speaks after every third result. */
function inShortTurns(session: readonly Message[]): readonly Message[] {
  let results = 0
  return session.flatMap((message): readonly Message[] => {
    const parts = message.parts.filter(({ type }) => type !== 'reasoning')
    if (message.role === 'user') return [{ ...message, parts: [{ type: 'text', text: 'Begin.' }] }]
    if (message.role === 'tool') results += 1
    if (message.role !== 'tool' || results % 3 > 0) return [{ ...message, parts }]
    return [
      { ...message, parts },
      { id: `${message.id}-done`, role: 'assistant', parts: [{ type: 'text', text: `Done with ${results}.` }] },
      { id: `${message.id}-next`, role: 'user', parts: [{ type: 'text', text: `Now ${results}.` }] },
    ]
  })
}

describe('a provider that checks what stands before each thought', () => {
  test.each(['spec', 'economy'] as const)(
    'property: accepts every request, and old results change all the same (%s)',
    async (mode) => {
      const reached = { changed: 0, omitted: 0, kept: 0, back: 0, compacted: 0, switched: 0 }
      const check = async (given: readonly Message[], doing: readonly { move: string; by: number; seconds: number }[]) => {
        const session = inShortTurns(given)
        const bench = await openPlanningBench()
        const provider = createSigningProvider()
        const lengths = requestLengths(session)
        let planner = bench.planner()
        let at = 1_700_000_000_000
        let turn = -1
        let last: SignedRequest | null = null
        /** How many of its messages the client has replaced with a summary. */
        let replaced = 0
        let asked = model
        let summary: Turn = { role: 'user', content: '' }
        /** The answers as the client has them, by their place. */
        let answers: (readonly Block[] | undefined)[] = []
        const shown = new Map<string, string>()
        /** The names that the model drew for the calls. */
        const drawn = new Map<unknown, string>()
        try {
          for (const { move, by, seconds } of doing) {
            at += seconds * 1000
            if (move === 'back') {
              turn = Math.max(0, turn - by)
              reached.back += 1
            } else turn = Math.min(lengths.length - 1, turn + 1)
            if (move === 'restart') planner = bench.planner()
            if (move === 'model') {
              asked = asked === model ? older : model
              reached.switched += 1
            }
            const written = writeRequest('anthropic', session.slice(0, lengths[turn]), { model: asked, system: 'Work on it.' })
            const messages = (written as unknown as SignedRequest).messages.map((message, index) => withThought(message, index))
            // After a rewind the model answers anew.
            answers = answers.slice(0, messages.length)
            if (messages.length <= replaced) replaced = 0
            // Whose thoughts stay is known only while that model is asked.
            if (move === 'compact' && asked === model) {
              // The gateway has seen one of the answers that stay.
              const kept = messages.findIndex(({ role }, index) => role === 'assistant' && index >= messages.length - 2 - 2 * by)
              if (kept > Math.max(1, replaced)) {
                replaced = kept
                summary = { role: 'user', content: `So far, at ${at}: the work has begun.` }
                provider.compacted()
                reached.compacted += 1
              }
            }
            const history = replaced === 0 ? messages : [summary, ...messages.slice(replaced)]
            const request = relayed('anthropic', { ...written, messages: history }, mode, { at, model: asked })
            const sent = JSON.parse((await planned(planner, request)).toString()) as SignedRequest
            if (asked === model) expect(provider.refuses(sent)).toBe(null)
            noteReached(history, sent)
            planner.answered(move === 'refused' ? { ...accepted(request), status: 429, answer: null } : accepted(request))
            await planner.rest()
            if (move === 'refused') turn -= 1
            else last = sent
          }
        } finally {
          await planner.close()
          await bench.close()
        }

        function withThought(message: Turn, index: number): Turn {
          const content = Array.isArray(message.content) ? (message.content as readonly Block[]) : []
          if (message.role !== 'assistant') {
            const named = content.map((block) =>
              block['type'] === 'tool_result' ? { ...block, tool_use_id: drawn.get(block['tool_use_id']) } : block,
            )
            return named.length === 0 ? message : { ...message, content: named }
          }
          answers[index] ??= answer(content.length === 0 ? [{ type: 'text', text: String(message.content) }] : content, index)
          return { ...message, content: answers[index] }
        }

        /** Some thoughts are hidden, as all are by default. */
        function answer(content: readonly Block[], index: number): readonly Block[] {
          for (const { type, id } of content) if (type === 'tool_use') drawn.set(id, `toolu_01${hashText(`${String(id)} ${at}`)}`)
          const named = content.map((block) => (block['type'] === 'tool_use' ? { ...block, id: drawn.get(block['id']) } : block))
          const calls = named.flatMap(({ type, id }) => (type === 'tool_use' ? [String(id)] : []))
          const thought = provider.think(
            last ?? { messages: [] },
            index % 4 === 1 ? '' : `Thought ${index} at ${at}.`,
            calls,
            asked === model,
          )
          return [index % 5 === 2 ? { type: 'redacted_thinking', data: thought['signature'] } : thought, ...named]
        }

        function noteReached(given: readonly Turn[], sent: SignedRequest): void {
          for (const [index, { content }] of sent.messages.entries()) {
            for (const block of Array.isArray(content) ? (content as readonly Block[]) : []) {
              if (block['type'] === 'thinking') reached.kept += 1
              if (block['type'] !== 'tool_result') continue
              const text = JSON.stringify(block['content'])
              const before = shown.get(String(block['tool_use_id']))
              if (before !== undefined && before !== text) reached.changed += 1
              shown.set(String(block['tool_use_id']), text)
            }
            const was = given[index]?.content
            if (Array.isArray(was) && Array.isArray(content) && content.length < was.length) reached.omitted += 1
          }
        }
      }
      await fc.assert(fc.asyncProperty(workingSessions, moves, check), { numRuns: 3, seed: 11, endOnFailure: true })
      expect(Object.entries(reached).filter(([, times]) => times === 0)).toEqual([])
    },
  )
})
