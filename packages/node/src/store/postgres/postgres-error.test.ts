import { describe, expect, it } from 'vitest'
import { StoreError } from '../gateway-store.ts'
import { isTransient, postgresError } from './postgres-database.ts'

const thrown = (code: string) => Object.assign(new Error('secret words'), { code, detail: 'secret words' })

describe('a problem with PostgreSQL', () => {
  it.each([
    ['53100', 'full', 'The PostgreSQL store is full (53100)'],
    ['25006', 'unreachable', 'may not write to the PostgreSQL store (25006)'],
    ['28P01', 'unreachable', 'Check user, password and database'],
    ['42P01', 'broken', 'is damaged or does not belong to Plimsoll (42P01)'],
    ['57P03', 'unreachable', 'does not respond (57P03)'],
    ['ECONNREFUSED', 'unreachable', 'does not respond (ECONNREFUSED)'],
    ['secret words', 'unreachable', 'does not respond. Check'],
  ])('with the code %s is %s', (code, kind, words) => {
    const problem = postgresError(thrown(code))
    expect([problem.kind, problem.message.includes(words), problem.message.includes('secret'), problem.cause]).toEqual([
      kind,
      true,
      false,
      undefined,
    ])
  })

  it('stays unchanged if it is already a StoreError', () => {
    const problem = new StoreError('newer', 'newer')
    expect(postgresError(problem)).toBe(problem)
  })

  it.each([undefined, null, 'words', 5, new Error('secret words')])('is reported without the message of %s', (error) => {
    expect(postgresError(error).message).toBe(
      "The PostgreSQL store does not respond. Check that it is running and that the store's URL is right.",
    )
  })

  it('is retried only if a connection was lost or two calls collided', () => {
    const codes = ['ECONNRESET', '57P01', '40P01', 'ECONNREFUSED', '57P03', '53100', '28P01']
    expect(codes.filter((code) => isTransient(thrown(code)))).toEqual(['ECONNRESET', '57P01', '40P01'])
    expect([isTransient(new Error('Connection terminated unexpectedly')), isTransient(null)]).toEqual([true, false])
  })
})
