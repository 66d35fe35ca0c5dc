import { describe, expect, it } from 'vitest'
import { type Edit, isSameDecision } from '../edit.ts'

const edit: Edit = {
  id: 'a',
  policy: 'p',
  kind: 'replace',
  message: 'm',
  part: 0,
  with: { type: 'text', text: 'x' },
  why: 'it is old',
}

describe('isSameDecision', () => {
  it.each<[name: string, other: Edit, expected: boolean]>([
    ['the same object', edit, true],
    ['a copy read from JSON', structuredClone(edit), true],
    ['another id and reason', { ...edit, id: 'b', why: 'because' }, true],
    ['another policy', { ...edit, policy: 'q' }, false],
    ['another message', { ...edit, message: 'n' }, false],
    ['another text', { ...edit, with: { type: 'text', text: 'y' } }, false],
  ])('%s', (_name, other, expected) => {
    expect([isSameDecision(edit, other), isSameDecision(edit, other), isSameDecision(other, edit)]).toEqual(
      Array.from({ length: 3 }, () => expected),
    )
  })

  it('compares the content of the same two edits once', () => {
    let looked = 0
    const watched = {
      ...edit,
      get with() {
        looked += 1
        return edit.with
      },
    }
    const answers = Array.from({ length: 5 }, () => isSameDecision(edit, watched))
    expect([answers.every(Boolean), looked]).toEqual([true, 1])
  })
})
