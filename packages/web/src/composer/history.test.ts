import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { newerSaid, olderSaid, type Recalled } from './history.ts'

const empty: Recalled = { text: '', place: null }

describe('olderSaid', () => {
  it('begins with what was said last', () => {
    expect(olderSaid(['one', 'two'], empty)).toStrictEqual({ text: 'two', place: { index: 1, draft: '' } })
  })

  it('meets what was said several times in a row once', () => {
    const two = olderSaid(['one', 'two', 'two'], empty)
    expect(two && olderSaid(['one', 'two', 'two'], two)).toStrictEqual({ text: 'one', place: { index: 0, draft: '' } })
  })

  it('does not touch what was typed', () => {
    expect(olderSaid(['one'], { text: 'half a sent', place: null })).toBeNull()
    expect(olderSaid(['one', 'two'], { text: 'two, changed', place: { index: 1, draft: '' } })).toBeNull()
  })

  it('ends at the first', () => {
    expect(olderSaid(['one'], { text: 'one', place: { index: 0, draft: '' } })).toBeNull()
    expect(olderSaid([], empty)).toBeNull()
  })
})

describe('newerSaid', () => {
  it('comes back to what stood in the field', () => {
    expect(newerSaid(['one'], { text: 'one', place: { index: 0, draft: '' } })).toStrictEqual(empty)
  })

  it('does nothing where nobody went back', () => {
    expect(newerSaid(['one'], empty)).toBeNull()
  })

  it('undoes going back, step by step', () => {
    let steps = 0
    fc.assert(
      fc.property(fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 8 }), (history) => {
        const shown: Recalled[] = [empty]
        for (;;) {
          const older = olderSaid(history, shown.at(-1) ?? empty)
          if (older === null) break
          shown.push(older)
          steps += 1
        }
        const texts = shown.map(({ text }) => text)
        const back = texts.slice(0, -1).reduce<Recalled[]>(
          (list) => {
            const newer = newerSaid(history, list[0] ?? empty)
            return newer === null ? list : [newer, ...list]
          },
          [shown.at(-1) ?? empty],
        )
        expect(back.map(({ text }) => text)).toStrictEqual(texts)
      }),
    )
    expect(steps).toBeGreaterThan(50)
  })
})
