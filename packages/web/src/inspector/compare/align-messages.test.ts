import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { alignMessages, foldSteps, type MessageStep, messageKey, onlyGoesOn, sameFromStart } from './align-messages.ts'

const said = (id: string, text: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text }] })
const told = (text: string) => text.split(' ').map((word) => said(word[0] ?? '', word.slice(1)))

describe('alignMessages', () => {
  it('pairs messages with the same id and reports whether they changed', () => {
    expect(alignMessages(told('a1 b1 c1'), told('a1 b2 c1 d1'))).toEqual([
      { kind: 'same', before: 0, after: 0 },
      { kind: 'changed', before: 1, after: 1 },
      { kind: 'same', before: 2, after: 2 },
      { kind: 'added', after: 3 },
    ])
  })

  it('pairs equal messages with different ids', () => {
    expect(alignMessages(told('a1 x7 c1'), told('a1 s0 y7 c1'))).toEqual([
      { kind: 'same', before: 0, after: 0 },
      { kind: 'added', after: 1 },
      { kind: 'same', before: 1, after: 2 },
      { kind: 'same', before: 2, after: 3 },
    ])
  })

  it('reports a compaction as removed messages and one summary', () => {
    expect(alignMessages(told('a1 b1 c1 d1'), told('s9 d1'))).toEqual([
      { kind: 'removed', before: 0 },
      { kind: 'removed', before: 1 },
      { kind: 'removed', before: 2 },
      { kind: 'added', after: 0 },
      { kind: 'same', before: 3, after: 1 },
    ])
  })

  it('ignores data that a model never sees', () => {
    const result = (metadata: Readonly<Record<string, unknown>>): Message => ({
      id: 'r',
      role: 'tool',
      parts: [{ type: 'tool-result', callId: 'c', tool: 'run', content: { type: 'text', text: 'ok' }, metadata }],
    })
    expect(alignMessages([result({ exit: 0 })], [result({ exit: 1 })])).toEqual([{ kind: 'same', before: 0, after: 0 }])
  })

  it('gives the second request when its steps are applied to the first, each message once and in order', () => {
    const reached = { same: 0, changed: 0, removed: 0, added: 0 }
    const ids = fc.integer({ min: 0, max: 12 }).map(String)
    const list = fc.array(fc.tuple(ids, fc.constantFrom('x', 'y', 'z')), { maxLength: 16 })
    const lists = fc.array(
      list.map((pairs) => pairs.map(([id, text]) => said(id, text))),
      { minLength: 2, maxLength: 2 },
    )
    fc.assert(
      fc.property(lists, ([before = [], after = []]) => {
        const steps = alignMessages(before, after)
        const second = steps.flatMap((step) => {
          if (step.kind === 'removed') return []
          if (step.kind === 'same') {
            // Takes unchanged messages from the first request, which proves that they are equal.
            expect(messageKey(before[step.before] as Message)).toBe(messageKey(after[step.after] as Message))
            return [{ ...(before[step.before] as Message), id: (after[step.after] as Message).id }]
          }
          return [after[step.after] as Message]
        })
        expect(second).toEqual(after)
        const first = steps.flatMap((step) => (step.kind === 'added' ? [] : [step.before]))
        expect(first).toEqual(before.map((_, index) => index))
        for (const { kind } of steps) reached[kind] += 1
      }),
      { numRuns: 400 },
    )
    for (const count of Object.values(reached)) expect(count).toBeGreaterThan(50)
  })

  it('finds no difference between a request and itself, at any size', () => {
    const many = Array.from({ length: 20_000 }, (_, index) => said(`m${index}`, `${index % 7}`))
    const steps = alignMessages(many, many)
    expect([steps.length, sameFromStart(steps), onlyGoesOn(steps)]).toEqual([20_000, 20_000, true])
  })
})

describe('where a cache holds', () => {
  it.each([
    ['goes on', 'a1 b1', 'a1 b1 c1', 2, true],
    ['changes in the middle', 'a1 b1 c1', 'a1 b2 c1', 1, false],
    ['is cut at the end', 'a1 b1', 'a1', 1, false],
    ['is new from the beginning', 'a1', 'b2', 0, false],
  ])('a request that %s', (_name, before, after, same, goesOn) => {
    const steps = alignMessages(told(before), told(after))
    expect([sameFromStart(steps), onlyGoesOn(steps)]).toEqual([same, goesOn])
  })
})

const kinds = { '.': 'same', '~': 'changed', '-': 'removed', '+': 'added' } as const
const stepsOf = (text: string) =>
  [...text].map((sign, place): MessageStep => {
    const kind = kinds[sign as keyof typeof kinds]
    return kind === 'removed'
      ? { kind, before: place }
      : kind === 'added'
        ? { kind, after: place }
        : { kind, before: place, after: place }
  })
const foldedSteps = (text: string) =>
  foldSteps(stepsOf(text)).map((shown) => (shown.isFolded ? `${shown.kind} ${shown.steps.length}` : shown.step.kind))

describe('foldSteps', () => {
  it('collapses unchanged messages and long runs of one kind', () => {
    expect(foldedSteps('.....~...')).toEqual(['same 4', 'same', 'changed', 'same', 'same 2'])
    expect(foldedSteps('-------.')).toEqual(['removed', 'removed', 'removed', 'removed 4', 'same'])
    expect(foldedSteps('---+++')).toEqual(['removed', 'removed', 'removed', 'added', 'added', 'added'])
  })

  it('leaves nothing out', () => {
    const folded = { same: 0, changed: 0, removed: 0, added: 0 }
    const text = fc.array(fc.constantFrom('.', '.....', '~', '-', '--------', '+', '++++++++'), { maxLength: 12 })
    fc.assert(
      fc.property(text, (signs) => {
        const steps = stepsOf(signs.join(''))
        const shown = foldSteps(steps)
        expect(shown.flatMap((part) => (part.isFolded ? part.steps : [part.step]))).toEqual(steps)
        for (const part of shown) if (part.isFolded) folded[part.kind] += 1
      }),
    )
    expect(folded.changed).toBe(0)
    for (const kind of ['same', 'removed', 'added'] as const) expect(folded[kind]).toBeGreaterThan(20)
  })
})
