import { describe, expect, it } from 'vitest'
import { whatIfChoices } from '../inspect/what-if-choices.ts'
import { startClient } from './testing/session-client.ts'

describe('GET /api/inspect/:id/what-if', () => {
  it('names every policy set and price that can be asked for', async () => {
    const client = await startClient()
    const { status, body } = await client.get('/inspect/example/what-if')
    expect([status, body]).toEqual([200, whatIfChoices()])
  })
})
