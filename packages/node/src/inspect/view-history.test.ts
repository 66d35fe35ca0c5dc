import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createViewHistory } from './inspect-under.ts'

const pool: readonly Message[] = Array.from({ length: 6 }, (_, index) => ({ id: `m${index}`, role: 'user', parts: [] }))

describe('createViewHistory', () => {
  it('gives back every view, whatever came before and after it', () => {
    let kept = 0
    const view = fc.array(fc.constantFrom(...pool), { maxLength: 8 })
    fc.assert(
      fc.property(fc.array(view, { maxLength: 12 }), (views) => {
        const history = createViewHistory()
        for (const one of views) history.add(one)
        expect(views.map((_, index) => history.at(index))).toEqual(views)
        if (views.some((one, index) => index > 0 && one.length > 1 && one[0] === views[index - 1]?.[0])) kept += 1
      }),
    )
    expect(kept).toBeGreaterThan(0)
  })

  it('returns null for an unknown request', () => {
    expect(createViewHistory().at(0)).toBeNull()
  })
})
