import type { EntryHead } from '@plimsoll/core/session'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { branchBack, branchHeads } from './branch.ts'
import type { StoredSession } from './session.ts'

it('goes the way of the whole branch, backwards, over rewinds and lost entries', () => {
  let far = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.constant(1), fc.nat(300), fc.constant(-1)), { maxLength: 300, size: 'max' }), (steps) => {
      const heads = ['header', ...steps].map((back, index): EntryHead => {
        const parent = typeof back === 'number' && back >= 0 ? `e${Math.max(0, index - Math.max(1, back))}` : 'lost'
        if (typeof back === 'number' && back > 60) far += 1
        return index === 0
          ? { type: 'header', id: 'e0', parentId: null, at: 0 }
          : { type: 'note', id: `e${index}`, parentId: parent, at: index }
      })
      const session = { heads: () => heads } as Partial<StoredSession> as StoredSession
      const leaf = heads.at(-1)?.id ?? ''
      expect([...branchBack(session, leaf)]).toEqual(branchHeads(session, leaf).toReversed())
    }),
  )
  expect(far).toBeGreaterThan(20)
})
