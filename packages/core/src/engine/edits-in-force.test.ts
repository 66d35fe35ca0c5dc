import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Edit } from '../edit.ts'
import { createEditsInForce } from './edits-in-force.ts'

/** Few ids and few contents, so that ids come twice and the same decision is made by several objects. */
const edits = fc
  .record({ id: fc.constantFrom('a', 'b', 'c', 'd'), text: fc.constantFrom('x', 'y') })
  .map(({ id, text }): Edit => {
    return { id, policy: 'p', kind: 'replace', message: id, part: 0, with: { type: 'text', text }, why: '' }
  })

it('an edit is in force that is one of them, or decides the same as the last of its id, in whatever order they are asked about', () => {
  const seen = { object: 0, content: 0, neither: 0 }
  fc.assert(
    fc.property(
      fc.array(edits, { maxLength: 6 }),
      fc.array(edits, { maxLength: 3 }),
      fc.infiniteStream(fc.nat()),
      (old, others, picks) => {
        const inForce = createEditsInForce(old)
        const all = [...old, ...others, ...old]
        for (let times = 0; times < all.length * 2; times += 1) {
          const edit = all[(picks.next().value as number) % all.length] as Edit
          const last = old.findLast(({ id }) => id === edit.id)
          const isSame = last !== undefined && JSON.stringify(last) === JSON.stringify(edit)
          expect(inForce.has(edit)).toBe(old.includes(edit) || isSame)
          seen[old.includes(edit) ? 'object' : isSame ? 'content' : 'neither'] += 1
        }
      },
    ),
    { numRuns: 300 },
  )
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(100)
})

it('a message was inserted under a name only if an insertion has it', () => {
  const insert: Edit = {
    id: 'i',
    policy: 'x',
    why: '',
    kind: 'insert',
    after: null,
    message: { id: 'm', role: 'user', parts: [] },
  }
  const replace: Edit = {
    id: 'r',
    policy: 'x',
    why: '',
    kind: 'replace',
    message: 'm',
    part: 0,
    with: { type: 'text', text: '' },
  }
  const inForce = createEditsInForce([insert, replace])
  expect(['i', 'r', 'm', ''].map(inForce.hasInsert)).toEqual([true, false, false, false])
})
