import { describe, expect, it } from 'vitest'
import type { AgentError } from '../../../node/src/shared/event.ts'
import { overflowKey } from './overflow-account.tsx'

describe('overflowKey', () => {
  it('is the same for a repeated report of one overflow, and different for the next overflow', () => {
    const one = overflow({ request: 'r1', requested: 10, max: 5 })
    expect(overflowKey(structuredClone(one))).toBe(overflowKey(one))
    expect(overflowKey(overflow({ request: 'r2', requested: 10, max: 5 }))).not.toBe(overflowKey(one))
  })
})

function overflow(details: Readonly<Record<string, unknown>>): AgentError {
  return { code: 'CONTEXT_LENGTH_EXCEEDED', message: 'too long', suggestion: null, details }
}
