import fc from 'fast-check'
import { expect, it } from 'vitest'
import { foldLine } from '../compaction/summary-template.ts'
import { createConversation } from '../conversation.ts'
import { applyEdits } from '../edit.ts'
import { buildView } from '../engine/build-view.ts'
import type { Facts } from '../facts.ts'
import { createFitting } from '../fit/draft.ts'
import { climb, fitRequest, ladder } from '../fit/ladder.ts'
import { budgetOf, excessOf, requestSize } from '../fit/request-size.ts'
import type { Message } from '../message.ts'
import { recall } from '../recall/recall.ts'
import type { ReportedEdit } from '../report.ts'
import { checkView } from '../results/invariants.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { longConversations } from '../testing/long-conversations.ts'
import { deepFreeze } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { fitWindow } from './fit-window.ts'
import { pairToolCalls } from './pair-tool-calls.ts'
import { specPolicies } from './spec-policies.ts'

const runs = { numRuns: 16 }
const anyConversation = fc.oneof({ weight: 3, arbitrary: longConversations }, { weight: 1, arbitrary: conversations })
const windows = fc.oneof(
  fc.record({ context_window: fc.oneof(fc.integer({ min: 60, max: 5000 }), fc.constant(100_000)) }),
  fc.record({
    context_window: fc.integer({ min: 500, max: 9000 }),
    request_limits: fc.record({
      max_images: fc.option(fc.nat({ max: 4 })),
      max_bytes: fc.option(fc.integer({ min: 800, max: 20_000 })),
    }),
    compaction: fc.record({ keep_rounds: fc.integer({ min: 1, max: 12 }) }),
  }),
)

interface Case {
  readonly messages: readonly Message[]
  readonly facts: Facts
  readonly sent: string | null
}

/** Any conversation in a window that is too small for it more often than not, seen up to anywhere. */
const cases: fc.Arbitrary<Case> = fc
  .record({ messages: anyConversation, config: windows, pick: fc.nat(), overhead: fc.constantFrom(0, 100), pinned: fc.boolean() })
  .map(({ messages, config, pick, overhead, pinned }) => {
    const place = messages[pick % messages.length] as Message
    const facts = { now, root: '/project', config, overhead, ...(pinned ? { pins: [place.id] } : {}) }
    return { messages, facts, sent: pick % 3 === 0 ? null : place.id }
  })

function build({ messages, facts, sent }: Case, policies = specPolicies) {
  return buildView({ messages, policies, facts, sent })
}

it('Q-24 promise 8: the view fits, or the report names what is in the way', () => {
  const outcomes = { untouched: 0, fits: 0, overflow: 0 }
  fc.assert(
    fc.property(cases, (given) => {
      const { view, edits, report } = build(given)
      const excess = excessOf(requestSize(view, given.facts), budgetOf(given.facts))
      expect(report.overflow === null).toBe(excess.length === 0)
      const fired = edits.some(({ policy }) => policy === fitWindow.name)
      if (report.overflow === null) outcomes[fired ? 'fits' : 'untouched'] += 1
      else {
        outcomes.overflow += 1
        const { parts } = report.overflow
        expect(parts.length).toBeGreaterThanOrEqual(Math.min(3, view.flatMap((message) => message.parts).length))
        expect(parts.map(({ tokens }) => tokens)).toEqual(parts.map(({ tokens }) => tokens).toSorted((a, b) => b - a))
      }
    }),
    { numRuns: 30 },
  )
  for (const [name, count] of Object.entries(outcomes)) expect(count, name).toBeGreaterThan(5)
})

it('Q-24 promise 4: a view that was made to fit is legal and in order, and its report adds up', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const { view, edits, report } = build(given)
      expect(checkView(view)).toEqual([])
      expect(report.problems).toEqual([])
      expect(applyEdits(given.messages, edits)).toEqual(view)
      expect(countMessages(view, estimator)).toBe(report.tokensAfter)
      const places = new Map(given.messages.map((message, index) => [message.id, index]))
      const kept = view.flatMap((message) => places.get(message.id) ?? [])
      expect(kept).toEqual(kept.toSorted((a, b) => a - b))
    }),
    runs,
  )
})

it('Q-24 promise 5: what people and the system said is the very same, or quoted in a summary, or named by its handle', () => {
  const told = { same: 0, quoted: 0, named: 0 }
  fc.assert(
    fc.property(cases, (given) => {
      const { view, edits } = build(given)
      const left = new Set(view.flatMap(({ parts }) => parts))
      const summaries = view
        .filter(({ summary }) => summary === true)
        .flatMap(({ parts }) => parts.map((part) => (part.type === 'text' ? part.text : '')))
      for (const message of given.messages) {
        if (message.role === 'system') expect(view).toContain(message)
        if (message.role !== 'user') continue
        for (const part of message.parts) {
          if (part.type !== 'text') continue
          if (left.has(part)) told.same += 1
          else if (summaries.some((text) => text.includes(part.text))) told.quoted += 1
          else {
            const fold = edits.find((edit) => edit.kind === 'fold' && covers(given.messages, edit.first, edit.last, message))
            expect(fold).toBeDefined()
            expect(summaries.some((text) => text.includes(handleOf(part.text)) || /recall [0-9a-f]{12}/.test(text))).toBe(true)
            told.named += 1
          }
        }
      }
    }),
    runs,
  )
  for (const [name, count] of Object.entries(told)) expect(count, name).toBeGreaterThan(0)
})

it('Q-24 promise 2: every handle that fitting leaves in the view is served', () => {
  let asked = 0
  fc.assert(
    fc.property(cases, (given) => {
      const { edits } = build(given)
      const made = edits.filter(({ policy }) => policy === fitWindow.name)
      const folds = made.flatMap((edit) => {
        if (edit.kind !== 'fold' || edit.into === null) return []
        const [first, last] = [edit.first, edit.last].map((id) => given.messages.findIndex((message) => message.id === id)) as [
          number,
          number,
        ]
        return first < 0 ? [] : [{ messages: given.messages.slice(first, last + 1), into: edit.into }]
      })
      const source = {
        messages: () => given.messages,
        whole: () => ({ trouble: 'nothing is kept apart' }),
        findLines: () => ({ trouble: 'not asked' }),
        folds: () => folds,
      }
      const texts = made.map((edit) =>
        JSON.stringify(edit.kind === 'replace' ? edit.with : edit.kind === 'fold' ? edit.into : null),
      )
      const handles = texts.flatMap((text) =>
        [...text.matchAll(/recall(?:\\?":\\?"| )([0-9a-f]{12})/g)].map(([, handle]) => handle as string),
      )
      for (const handle of handles.slice(0, 20)) {
        asked += 1
        expect(recall({ handle }, source, { facts: given.facts }).kind, handle).toBe('found')
      }
    }),
    runs,
  )
  expect(asked).toBeGreaterThan(50)
})

it('Q-24 promises 1 and 3: frozen input stays as it was, and the same input gives the same bytes', () => {
  fc.assert(
    fc.property(cases, (given) => {
      const copy = structuredClone(given.messages)
      const first = build(deepFreeze(given))
      expect(given.messages).toEqual(copy)
      expect(JSON.stringify(build(given))).toBe(JSON.stringify(first))
      expect(JSON.stringify(build({ ...given, messages: copy }))).toBe(JSON.stringify(first))
    }),
    runs,
  )
})

it('Q-24 it fires only over the line, and then every step makes the request strictly smaller', () => {
  let fired = 0
  const reached: Record<string, number> = {}
  fc.assert(
    fc.property(cases, fc.nat({ max: 3 }), (given, count) => {
      const earlier = Array.from({ length: count }, (_, index) => summaryOf(index))
      const planned = [...earlier, ...build(given, [pairToolCalls]).view]
      const facts: Facts = {
        ...given.facts,
        sent: given.sent,
        originals: [...earlier, ...given.messages],
        policies: ['pair-tool-calls', 'fit-window'],
      }
      const over = excessOf(requestSize(planned, facts), budgetOf(facts)).length > 0
      const edits = fitWindow.plan(planned, facts)
      if (!over) {
        expect(edits).toEqual([])
        return
      }
      const climbed = createFitting(planned, facts, 'full')
      let before = requestSize(planned, facts)
      let steps = 0
      climb(climbed, () => {
        steps += 1
        const after = requestSize(climbed.draft.messages(), facts)
        const smaller = after.images < before.images || after.tokens < before.tokens || after.bytes < before.bytes
        expect(smaller && after.images <= before.images && after.tokens <= before.tokens).toBe(true)
        before = after
      })
      if (steps > 0) fired += 1
      const fitting = fitRequest(planned, facts, ({ name }) => {
        reached[name] = (reached[name] ?? 0) + 1
      })
      expect(fitting.draft.edits()).toEqual(edits)
      expect(fitting.draft.messages()).toEqual(applyEdits(planned, edits))
      expect(steps).toBeLessThan(12 * planned.flatMap(({ parts }) => parts).length + 10)
    }),
    { numRuns: 30 },
  )
  expect(fired).toBeGreaterThan(20)
  for (const { name } of ladder) expect(reached[name] ?? 0, `the generator must reach ${name}`).toBeGreaterThan(0)
})

it('Q-24b it does not waver: over a growing conversation the old part of a view changes only when it fires again', () => {
  const counts = { quiet: 0, fired: 0, stood: 0 }
  fc.assert(
    fc.property(longConversations, fc.integer({ min: 600, max: 5000 }), (messages, context_window) => {
      const facts = { config: { context_window } }
      let conversation = createConversation({ policies: [pairToolCalls, fitWindow] })
      let before: readonly string[] = []
      let known = new Set<string>()
      for (let end = 1; end <= messages.length; end += 1) {
        // A request goes out where the model has to answer.
        if (messages[end - 1]?.role === 'assistant' || (messages[end]?.role === 'tool' && end < messages.length)) continue
        const { messages: view, report } = conversation.next(messages.slice(0, end), facts)
        const lines = view.map((message) => JSON.stringify(message))
        const made = report.edits.map(keyOf).filter((key) => !known.has(key))
        if (made.length > 0) counts.fired += 1
        else {
          expect(lines.slice(0, before.length)).toEqual(before)
          counts.quiet += 1
          if (report.edits.length > 0) counts.stood += 1
        }
        before = lines
        known = new Set(report.edits.map(keyOf))
        conversation.accepted()
        if (end % 2 === 0) {
          const state = JSON.parse(JSON.stringify(conversation.state()))
          conversation = createConversation({ policies: [pairToolCalls, fitWindow], state })
        }
      }
    }),
    { numRuns: 30 },
  )
  for (const [name, count] of Object.entries(counts)) expect(count, name).toBeGreaterThan(50)
})

/** A summary of messages that are long gone. */
function summaryOf(index: number): Message {
  const text = `${'what was done '.repeat(60)}\n${foldLine(index + 2, handleOf(String(index)))}`
  return { id: `summary:${index}`, role: 'system', parts: [{ type: 'text', text }], summary: true }
}

/** A place may be shown differently again, in fewer tokens. */
function keyOf({ id, tokensAfter }: ReportedEdit): string {
  return `${id} ${tokensAfter}`
}

function covers(messages: readonly Message[], first: string, last: string, message: Message): boolean {
  const [from, to] = [first, last].map((id) => messages.findIndex((other) => other.id === id)) as [number, number]
  const place = messages.indexOf(message)
  return from <= place && place <= to
}
