import { describe, expect, it } from 'vitest'
import { damageSessions } from '../hardening/damage/damage-sessions.ts'
import { damageStores } from '../hardening/damage/damage-stores.ts'

describe('damage to the log of a session', () => {
  it('never changes a message unnoticed, and is still named once the session was continued, and in a fork', async () => {
    const { counts } = await damageSessions({ times: 4, seed: 7 })
    for (const [kind, { tried, noticed, harmless, ...bad }] of counts) {
      expect({ kind, ...bad }).toEqual({ kind, silent: 0, forgotten: 0, laundered: 0 })
      expect(tried, kind).toBeGreaterThan(0)
      expect(noticed + harmless, kind).toBe(tried)
      expect(noticed, kind).toBeGreaterThan(0)
    }
  })

  it('would go unnoticed without checksums', async () => {
    const { counts } = await damageSessions({ times: 2, seed: 7, isPlain: true })
    expect([...counts.values()].reduce((sum, { silent }) => sum + silent, 0)).toBeGreaterThan(4)
  })
})

describe("damage to rows of a gateway's store", () => {
  it('never changes what the store gives out', async () => {
    for (const [kind, { tried, noticed, harmless, silent }] of await damageStores({ times: 30, seed: 7 })) {
      expect({ kind, silent }).toEqual({ kind, silent: 0 })
      expect(noticed, kind).toBeGreaterThan(tried / 2)
      expect(noticed + harmless, kind).toBe(tried)
    }
  })
})
