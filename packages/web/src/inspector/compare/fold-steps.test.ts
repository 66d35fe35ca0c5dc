import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { MessageStep } from './align-messages.ts'
import { foldSteps } from './fold-steps.ts'

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
const told = (text: string) =>
  foldSteps(stepsOf(text)).map((shown) => (shown.isFolded ? `${shown.kind} ${shown.steps.length}` : shown.step.kind))

describe('foldSteps', () => {
  it('folds what is the same, and long runs of one kind', () => {
    expect(told('.....~...')).toEqual(['same 4', 'same', 'changed', 'same', 'same 2'])
    expect(told('-------.')).toEqual(['removed', 'removed', 'removed', 'removed 4', 'same'])
    expect(told('---+++')).toEqual(['removed', 'removed', 'removed', 'added', 'added', 'added'])
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
