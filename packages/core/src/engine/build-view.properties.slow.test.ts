import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import { applyEdits } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import { checkView } from '../results/invariants.ts'
import { toolResults } from '../results/tool-results.ts'
import { conversations, now } from '../testing/damaged-conversations.ts'
import { deepFreeze } from '../testing/messages.ts'
import { buildView } from './build-view.ts'
import { sentPlaces } from './seen.ts'

// A window that everything fits into: the last resort has separate properties.
const facts: Facts = { now, root: '/project', config: { context_window: 100_000_000 } }
const policyLists = fc.shuffledSubarray([...specPolicies])
const runs = { numRuns: 30 }
const reached: Record<string, number> = {}

/** Builds a view and counts which policies did something, so that a generator that tests nothing is found out. */
function build(messages: readonly Message[], extra: Partial<Parameters<typeof buildView>[0]> = {}) {
  const built = buildView({ messages, policies: specPolicies, facts, ...extra })
  for (const edit of built.edits) {
    const name = `${edit.policy} ${edit.kind}`
    reached[name] = (reached[name] ?? 0) + 1
  }
  return built
}

describe('promises, over generated conversations and any list of policies in any order', () => {
  it('promise 1: frozen input stays as it was', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const copy = structuredClone(messages)
        build(deepFreeze(messages), { policies })
        expect(messages).toEqual(copy)
      }),
      runs,
    )
  })

  it('promise 3: the same input gives the same bytes, whatever was worked out before', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const first = build(messages, { policies })
        const again = build(messages, { policies })
        const fresh = build(structuredClone(messages), { policies })
        expect(JSON.stringify(fresh.view)).toBe(JSON.stringify(first.view))
        expect(JSON.stringify(again)).toBe(JSON.stringify(first))
        expect(JSON.stringify(fresh.report)).toBe(JSON.stringify(first.report))
      }),
      runs,
    )
  })

  it('promise 4: a view is legal when pairs are repaired, and never less legal than the log', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const { view, report } = build(messages, { policies })
        const before = new Set(checkView(messages).map((problem) => `${problem.rule} ${problem.message}`))
        expect(checkView(view).filter((problem) => !before.has(`${problem.rule} ${problem.message}`))).toEqual([])
        if (policies.some((policy) => policy.name === 'pair-tool-calls')) expect(report.problems).toEqual([])
      }),
      runs,
    )
  })

  it('promise 4: order is kept', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const places = new Map(messages.map((message, index) => [message.id, index]))
        const kept = build(messages, { policies }).view.flatMap((message) => places.get(message.id) ?? [])
        expect(kept).toEqual(kept.toSorted((a, b) => a - b))
      }),
      runs,
    )
  })

  it('promise 5: what people and the system said is the very same object, and errors stay whole but for binary and the output limit', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const { view, edits } = build(messages, { policies })
        const said = (list: readonly Message[]) => list.filter((message) => message.role === 'user' || message.role === 'system')
        expect(said(view).every((message, index) => message === said(messages)[index])).toBe(true)
        expect(said(view).length).toBe(said(messages).length)
        const errors = new Set(toolResults(messages, facts).flatMap((result) => (result.isError ? [result.message.id] : [])))
        const lossy = edits.filter(
          (edit) => edit.kind === 'replace' && isLossy(edit.policy, policies) && errors.has(edit.message),
        )
        expect(lossy).toEqual([])
      }),
      runs,
    )
  })

  it('promise 6: what the model has not seen is changed by nothing but binary filtering and the output limit', () => {
    let unseen = 0
    fc.assert(
      fc.property(conversations, policyLists, fc.nat(), (messages, policies, pick) => {
        const sent = messages[pick % messages.length] as Message
        const { edits } = build(messages, { policies, sent: sent.id })
        const after = new Set(messages.slice(messages.indexOf(sent) + 1).map((message) => message.id))
        unseen += after.size
        expect(
          edits.filter(
            (edit) =>
              edit.kind === 'replace' &&
              (edit.policy.startsWith('trim-') || edit.policy === 'compress-old-results') &&
              after.has(edit.message),
          ),
        ).toEqual([])
      }),
      runs,
    )
    expect(unseen).toBeGreaterThan(600)
  })

  it('promise 7: the report is the list of edits, its numbers add up, and applying them gives the view', () => {
    fc.assert(
      fc.property(conversations, policyLists, (messages, policies) => {
        const { view, edits, report } = build(messages, { policies })
        expect(applyEdits(messages, edits)).toEqual(view)
        expect(report.edits.map((edit) => edit.id)).toEqual(edits.map((edit) => edit.id))
        const saved = report.edits.reduce((sum, edit) => sum + edit.tokensBefore - edit.tokensAfter, 0)
        expect(report.tokensBefore - report.tokensAfter).toBe(saved)
        expect(Object.values(report.rules).reduce((sum, rule) => sum + rule.tokensSaved, 0)).toBe(saved)
        const changed = view.filter((message) => !messages.includes(message)).length
        expect(changed === 0 || edits.length > 0).toBe(true)
      }),
      runs,
    )
  })

  it('an empty list of policies gives back the very same array', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        expect(buildView({ messages, policies: [], facts }).view).toBe(messages)
      }),
      runs,
    )
  })

  it('a second run over a view proposes nothing', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        expect(build(build(messages).view).edits).toEqual([])
      }),
      runs,
    )
  })

  it('untouched messages and parts keep their identity', () => {
    fc.assert(
      fc.property(conversations, (messages) => {
        const { view, edits } = build(messages)
        const touched = new Set(edits.flatMap((edit) => (edit.kind === 'replace' ? [`${edit.message}.${edit.part}`] : [])))
        const parts = new Map<string, Part>(
          messages.flatMap((message) => message.parts.map((part, index) => [`${message.id}.${index}`, part] as const)),
        )
        for (const message of view) {
          for (const [index, part] of message.parts.entries()) {
            const place = `${message.id}.${index}`
            if (parts.has(place) && !touched.has(place)) expect(part).toBe(parts.get(place))
          }
        }
      }),
      runs,
    )
  })
})

it('path independence: under immediate timing a conversation carried step by step and a single call give the same view', () => {
  let steps = 0
  fc.assert(
    fc.property(conversations, fc.array(fc.nat(), { minLength: 1, maxLength: 6 }), (messages, cuts) => {
      const ends = [...new Set(cuts.map((cut) => (cut % messages.length) + 1))].sort((a, b) => a - b)
      let conversation = createConversation({ policies: specPolicies })
      let sent: string | null = null
      for (const end of ends) {
        const list = messages.slice(0, end)
        const carried = conversation.next(list, facts)
        const once = build(structuredClone(list), sentPlaces(list, sent))
        expect(JSON.stringify(carried.messages)).toBe(JSON.stringify(once.view))
        conversation.accepted()
        sent = list.at(-1)?.id ?? null
        // Every second time the state goes through a file.
        if (end % 2 === 0)
          conversation = createConversation({ policies: specPolicies, state: JSON.parse(JSON.stringify(conversation.state())) })
        steps += 1
      }
    }),
    runs,
  )
  expect(steps).toBeGreaterThan(60)
})

/** Policies that keep errors in full; digests do so only together with the others. */
function isLossy(policy: string, running: readonly { readonly name: string }[]): boolean {
  if (policy === 'compress-old-results') return running.some(({ name }) => name.startsWith('trim-'))
  return policy.startsWith('trim-')
}

afterAll(() => {
  for (const name of [
    'pair-tool-calls insert',
    'pair-tool-calls fold',
    'filter-binary replace',
    'trim-outdated-commands replace',
    'trim-repeated-reads replace',
    'compress-old-results replace',
    'limit-tool-output replace',
  ]) {
    expect(reached[name] ?? 0, `the generator must reach ${name}`).toBeGreaterThan(25)
  }
})
