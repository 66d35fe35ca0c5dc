import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Edit, ReplaceEdit } from '../edit.ts'
import { type BuildViewInput, buildView } from '../engine/build-view.ts'
import type { Facts } from '../facts.ts'
import { callInput, type Message, type Part, resultText } from '../message.ts'
import { recall } from '../recall/recall.ts'
import { checkView } from '../results/invariants.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { deepFreeze } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { workingSessions } from '../testing/working-sessions.ts'
import { handleOf } from '../text/hash.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { isStub } from './economy/stub-text.ts'
import { economyPolicies } from './economy-policies.ts'

const cold: Facts = { now, root: '/project', cold: true }
const warm: Facts = { ...cold, cold: false }
const runs = { numRuns: 8 }
const sessions = fc.oneof(workingSessions, conversations)

function build(messages: readonly Message[], facts: Facts = cold, extra: Partial<BuildViewInput> = {}) {
  return buildView({ messages: deepFreeze(messages), policies: economyPolicies, facts, ...extra })
}

/** Plans as for a cache that holds everything, which `immediate` never does. */
function plan(messages: readonly Message[], facts: Facts) {
  return economyPolicies.slice(2, -1).flatMap((policy) => policy.plan(messages, facts))
}

describe('economy policies', () => {
  it('the same messages give the same view, whatever was planned before', () => {
    fc.assert(
      fc.property(sessions, (messages) => {
        const first = build(messages)
        expect(build(messages).edits).toEqual(first.edits)
        expect(JSON.stringify(build(structuredClone(messages)).view)).toBe(JSON.stringify(first.view))
      }),
      runs,
    )
  })

  it('every handle in a view brings its original back bit for bit', () => {
    const served: Record<string, number> = {}
    fc.assert(
      fc.property(sessions, (messages) => {
        const { view, edits } = build(messages)
        const source = sourceOf(messages, edits)
        for (const [, handle = ''] of JSON.stringify(view).matchAll(/\brecall ([0-9a-f]{12})/g)) {
          const answer = recall({ handle }, source, { facts: cold })
          expect(answer).toMatchObject({ kind: 'found', original: { handle } })
          expect(handleOf(answer.text)).toBe(handle)
        }
        for (const { policy } of edits) served[policy] = (served[policy] ?? 0) + 1
      }),
      // Enough of them that every policy is reached whatever comes.
      { numRuns: 25 },
    )
    for (const name of ['cut-long-output', 'shorten-written-arguments', 'stub-old-results', 'drop-old-reasoning'])
      expect(served[name] ?? 0, `the generator must reach ${name}`).toBeGreaterThan(15)
  })

  it('a view is legal, its user text untouched, and nothing in it longer than it was', () => {
    fc.assert(
      fc.property(sessions, (messages) => {
        const { view, edits, report } = build(messages)
        expect(report.tokensAfter).toBeLessThanOrEqual(report.tokensBefore + 200)
        expect(checkView(view).filter(({ rule }) => !checkView(messages).some((known) => known.rule === rule))).toEqual([])
        const parts = new Map(messages.map(({ id, parts: list }) => [id, list]))
        for (const edit of edits) {
          if (edit.kind !== 'replace') continue
          const was = parts.get(edit.message)?.[edit.part]
          if (was !== undefined) expect(countPart(edit.with, estimator)).toBeLessThanOrEqual(countPart(was, estimator))
        }
        for (const message of messages)
          if (message.role === 'user') expect(view.filter(({ id }) => id === message.id)).toEqual([message])
      }),
      runs,
    )
  })

  it('arguments stay an object with the same fields, or JSON of one', () => {
    let shortened = 0
    fc.assert(
      fc.property(workingSessions, (messages) => {
        for (const edit of build(messages).edits) {
          if (edit.policy !== 'shorten-written-arguments' || edit.kind !== 'replace' || edit.with.type !== 'tool-call') continue
          const was = messages.find(({ id }) => id === edit.message)?.parts[edit.part] as Part & { type: 'tool-call' }
          expect(typeof edit.with.input).toBe(typeof was.input)
          const [before, after] = [callInput(was), callInput(edit.with)]
          expect(Object.keys(after ?? {})).toEqual(Object.keys(before ?? {}))
          expect(after?.['file_path']).toEqual(before?.['file_path'])
          shortened += 1
        }
      }),
      runs,
    )
    expect(shortened).toBeGreaterThan(10)
  })

  it('no policy changes a result again that it has changed, in a view that is read as a log', () => {
    fc.assert(
      fc.property(workingSessions, (messages) => {
        const { view, edits } = build(messages)
        const again = build(view).edits.filter(({ policy }) => policy !== 'shorten-written-arguments')
        // A result that was only cut again may still become a stub, if a newer copy counts as complete in the view.
        const touched = new Set(edits.flatMap((edit) => (isFinal(edit) ? [`${edit.policy} ${edit.message}.${edit.part}`] : [])))
        expect(
          again.filter((edit) => edit.kind === 'replace' && touched.has(`${edit.policy} ${edit.message}.${edit.part}`)),
        ).toEqual([])
      }),
      runs,
    )
  })

  it('while something is cached, reads change only in favour of a newer copy that is shown whole', () => {
    let superseded = 0
    fc.assert(
      fc.property(workingSessions, (messages) => {
        const kinds = new Map(
          messages.flatMap(({ parts }) =>
            parts.flatMap((part) => (part.type === 'tool-call' ? [[part.callId, part.tool] as const] : [])),
          ),
        )
        for (const edit of plan(messages, warm)) {
          if (edit.policy !== 'stub-old-results' || edit.kind !== 'replace' || edit.with.type !== 'tool-result') continue
          if (kinds.get(edit.with.callId ?? '') !== 'Read' || JSON.stringify(edit.with).includes('Error: it')) continue
          expect(edit.why).toBe('the same lines are shown in full further down')
          superseded += 1
        }
      }),
      runs,
    )
    expect(superseded).toBeGreaterThan(5)
  })

  it('what was cut at first sight reads the same however the conversation goes on', () => {
    let cuts = 0
    fc.assert(
      fc.property(workingSessions, fc.nat(), (messages, number) => {
        const cutsOf = (list: readonly Message[]) => build(list).edits.filter(({ policy }) => policy === 'cut-long-output')
        const early = cutsOf(messages.slice(0, (number % messages.length) + 1))
        expect(cutsOf(messages).slice(0, early.length)).toEqual(early)
        cuts += early.length
      }),
      runs,
    )
    expect(cuts).toBeGreaterThan(2)
  })

  it('results that were not sent yet and pinned messages are not stubbed', () => {
    fc.assert(
      fc.property(workingSessions, fc.nat(), (messages, number) => {
        const sent = messages[number % messages.length]?.id as string
        const last = messages.findIndex(({ id }) => id === sent)
        const pins = messages.filter((_message, index) => index % 3 === number % 3).map(({ id }) => id)
        const { edits } = build(messages, { ...cold, pins }, { sent })
        for (const edit of edits) {
          if (edit.kind !== 'replace') continue
          expect(pins).not.toContain(edit.message)
          if (edit.policy === 'stub-old-results')
            expect(messages.findIndex(({ id }) => id === edit.message)).toBeLessThanOrEqual(last)
        }
      }),
      runs,
    )
  })
})

function isFinal(edit: Edit): edit is ReplaceEdit {
  if (edit.kind !== 'replace') return false
  return edit.policy !== 'stub-old-results' || (edit.with.type === 'tool-result' && isStub(resultText(edit.with)))
}
