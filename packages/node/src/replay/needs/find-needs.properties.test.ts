import type { Message, Part } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calls, deepFreeze, result, user } from '../../../../core/src/testing/messages.ts'
import type { RecordedSession } from '../record-session.ts'
import { recorded, says, sentAt } from '../testing/recorded.ts'
import { partText } from './call-texts.ts'
import { findNeeds } from './find-needs.ts'
import { createJudge } from './judge-needs.ts'
import type { Need, NeedOutcome } from './need.ts'
import { holds } from './need-match.ts'

// Few strings, so that they meet again; each could be needed.
const piece = fc.constantFrom(
  'parse_line',
  '  const total_net = 1',
  '12→  const total_net = 1',
  'src/app/main.py',
  '/repo/src/app/main.py',
  '9a3cc84',
  'error: bad_token in parse_line',
  'plain words',
)
const text = fc.array(piece, { minLength: 1, maxLength: 4 }).map((pieces) => pieces.join('\n'))
const action = fc.oneof(
  fc.record({ tool: fc.constant('Edit'), input: fc.record({ file_path: piece, old_string: text, new_string: piece }) }),
  fc.record({ tool: fc.constant('Bash'), input: fc.record({ command: text }) }),
  fc.record({ tool: fc.constant('Grep'), input: fc.record({ pattern: piece }) }),
)
const turn = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('act' as const), action, text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('ask' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('say' as const), text }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fold' as const), text }) },
)
const sessions = fc.array(turn, { minLength: 2, maxLength: 14 }).map((turns) => {
  const messages = turns.flatMap((each, n): readonly Message[] => {
    switch (each.kind) {
      case 'act':
        return [calls(`a${n}`, [`call-${n}`, each.action.tool, each.action.input]), result(`r${n}`, `call-${n}`, each.text)]
      case 'ask':
        return [user(`u${n}`, each.text)]
      case 'say':
        return [says(`s${n}`, each.text)]
      case 'fold':
        return [{ ...user(`f${n}`, each.text), summary: true }]
    }
  })
  return recorded(...deepFreeze([user('u', 'Go on.'), ...messages]))
})

function used(session: RecordedSession): readonly Need[] {
  return findNeeds(session).filter((need) => need.class !== 'user-rule')
}

function segmentOf(session: RecordedSession, need: Need): number {
  return session.steps[need.step]?.segment ?? -1
}

describe('needs of any session', () => {
  it('come from all parts before the action that hold them, newest first, and from nothing that was said', () => {
    const reached = new Set<string>()
    fc.assert(
      fc.property(sessions, (session) => {
        for (const need of used(session)) {
          const sent = sentAt(session, need.step)
          const parts = sent.flatMap(({ id, parts: all }) => all.map((part, index) => ({ id, index, part })))
          const holding = parts.filter(({ part }) => holds(need.class, partText(part), need.text))
          const expected = holding.map(({ id, index, part }) => ({ message: id, part: index, from: fromOf(part) })).reverse()
          expect(need.suppliers).toEqual(expected)
          reached.add(need.class)
        }
      }),
      { numRuns: 300 },
    )
    expect([...reached].sort()).toEqual(['answer-fact', 'edit-anchor', 'error-line', 'opaque-id', 'path', 'symbol'])
  })

  it('are counted once for each time that they came', () => {
    let again = 0
    fc.assert(
      fc.property(sessions, (session) => {
        const newest = new Map<string, string>()
        for (const need of used(session)) {
          const key = `${segmentOf(session, need)} ${need.class} ${need.text}`
          const [latest] = need.suppliers
          const place = `${latest?.message}.${latest?.part}`
          expect(newest.get(key)).not.toBe(place)
          if (newest.has(key)) again += 1
          newest.set(key, place)
        }
      }),
      { numRuns: 300 },
    )
    expect(again).toBeGreaterThan(20)
  })

  it('never come from the future: what happens later changes none of them', () => {
    let compared = 0
    fc.assert(
      fc.property(sessions, fc.nat(13), (session, at) => {
        const step = session.steps[Math.min(at, session.steps.length - 1)]
        if (step === undefined) return
        const steps = session.steps.slice(0, session.steps.indexOf(step) + 1)
        const segments = session.segments.slice(0, step.segment + 1).map((messages, index) => {
          const next = messages.findIndex(({ role }, place) => place > step.length && role !== 'assistant')
          return index === step.segment && next >= 0 ? messages.slice(0, next) : messages
        })
        const causal = (given: RecordedSession) =>
          used(given).filter((need) => need.class !== 'answer-fact' && need.step < steps.length)
        expect(causal({ ...session, steps, segments })).toEqual(causal(session))
        compared += causal(session).length
      }),
      { numRuns: 300 },
    )
    expect(compared).toBeGreaterThan(100)
  })
})

describe('any judge', () => {
  it.each([true, false])('finds every need in a view of everything (recall: %s)', (canRecall) => {
    let seen = 0
    fc.assert(
      fc.property(sessions, (session) => {
        const outcomes = judgeAll(session, canRecall, (part) => part)
        expect(outcomes.filter(({ state }) => state !== 'view')).toEqual([])
        seen += outcomes.length
      }),
      { numRuns: 200 },
    )
    expect(seen).toBeGreaterThan(100)
  })

  it.each([true, false])('finds none in a view of which nothing is left (recall: %s)', (canRecall) => {
    let seen = 0
    fc.assert(
      fc.property(sessions, (session) => {
        const outcomes = judgeAll(session, canRecall, bare).filter(({ need }) => need.class !== 'user-rule')
        expect(outcomes.filter(({ state, supplier }) => state === 'view' || supplier === null)).toEqual([])
        expect(outcomes).toHaveLength(used(session).length)
        if (!canRecall) expect(outcomes.filter(({ state }) => state !== 'lost')).toEqual([])
        seen += outcomes.length
      }),
      { numRuns: 200 },
    )
    expect(seen).toBeGreaterThan(100)
  })
})

function fromOf(part: Part): string {
  return part.type === 'tool-result' ? 'result' : part.type === 'tool-call' ? 'call' : 'spoken'
}

function bare(part: Part): Part {
  if (part.type === 'tool-call') return { ...part, input: {} }
  return part.type === 'tool-result' ? { ...part, content: { type: 'text', text: '[gone]' } } : part
}

function judgeAll(session: RecordedSession, canRecall: boolean, show: (part: Part) => Part): readonly NeedOutcome[] {
  const judge = createJudge({ session, canRecall })
  const needs = Map.groupBy(findNeeds(session), ({ step }) => step)
  return session.steps.flatMap((_, step) => {
    const sent = sentAt(session, step)
    const view = sent.map((message) =>
      message.parts.every((part) => show(part) === part) ? message : { ...message, parts: message.parts.map(show) },
    )
    return judge(needs.get(step) ?? [], sent, view)
  })
}
