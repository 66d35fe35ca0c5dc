import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inspectedName, inspectorPlace, inspectRoute, namedSession } from './routes.ts'

describe('inspectorPlace', () => {
  it.each([
    ['', { tab: 'overview', number: null }],
    ['timeline', { tab: 'timeline', number: null }],
    ['messages/41', { tab: 'messages', number: 41 }],
    ['messages/-1', { tab: 'messages', number: null }],
    ['nowhere/7', { tab: 'overview', number: 7 }],
  ])('%s', (path, expected) => expect(inspectorPlace(...path.split('/'))).toEqual(expected))
})

describe('the address of an inspected session', () => {
  it('names the session, the policy set, the part and the message', () => {
    expect(inspectRoute('example')).toBe('/inspect/example/overview')
    expect(inspectRoute('example', 'ledger', null, 'economy')).toBe('/inspect/example@economy/ledger')
    expect(inspectRoute('0123456789abcdef.1', 'messages', 4, 'spec')).toBe('/inspect/0123456789abcdef.1@spec/messages/4')
  })

  it('is read as it was written', () => {
    let named = 0
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.option(fc.string({ unit: 'grapheme', minLength: 1 })),
        (id, under) => {
          if (under !== null) named += 1
          const [, , part = ''] = inspectRoute(id, 'overview', null, under).split('/')
          expect(inspectedName(part)).toEqual({ id, under })
        },
      ),
    )
    expect(named).toBeGreaterThan(0)
  })

  it('accepts anything a user types', () => {
    expect([inspectedName('a%ZZ@%'), inspectedName('a@'), inspectedName('')]).toEqual([
      { id: 'a%ZZ', under: '%' },
      { id: 'a', under: null },
      { id: '', under: null },
    ])
  })
})

it('ignores a made-up address without an error', () => {
  expect(['%zz', '%E0%A4%A', 'a%2Fb', 'example@economy'].map(namedSession)).toEqual(['%zz', '%E0%A4%A', 'a/b', 'example'])
})
