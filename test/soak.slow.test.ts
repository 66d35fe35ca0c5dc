import { describe, expect, it } from 'vitest'
import { runNeighbours } from '../hardening/soak/neighbours/run-neighbours.ts'
import { runSoak } from '../hardening/soak/soak.ts'
import { freshDatabase } from './fresh-database.ts'
import { isBuilt } from './workplace.ts'

describe.runIf(isBuilt && process.platform === 'linux')('the soak', () => {
  it('runs all workloads, with kills and faults, and breaks no law', async () => {
    const { journal, memory } = await runSoak({
      workloads: ['agent', 'server', 'gateway'],
      seed: 1,
      minutes: 5,
      rounds: 1,
      kills: { agent: 0, gateway: 0, writer: 0 },
      isPatient: false,
      isSmall: true,
      database: await freshDatabase(),
    })
    expect(journal.laws().flatMap(({ law, examples }) => examples.map((example) => `${law}: ${example}`))).toEqual([])
    // Every law was checked at least once.
    const looked = new Set(journal.laws().map(({ law }) => law))
    expect(
      [
        'acknowledged messages are stored bit for bit',
        'clients get answers in the agreed form',
        'clients get the upstream’s bytes or an error in their dialect',
        'commands end with a code and a sentence',
        'logs have only reported problems',
        'no process is left behind',
        'no secret in files, logs or answers',
        'recorded requests can be rebuilt',
      ].filter((law) => !looked.has(law as never)),
    ).toEqual([])
    expect(memory.map(({ name }) => name)).toEqual(['server', 'gateway right'])
  })

  it('kills agents, gateways and writers, and finds everything that they reported as stored, and no process', async () => {
    const kills = { agent: 2, gateway: 2, writer: 3 }
    const { journal } = await runSoak({
      workloads: ['crashes'],
      seed: 3,
      minutes: 5,
      rounds: 100,
      kills,
      isPatient: false,
      isSmall: true,
    })
    expect(journal.laws().flatMap(({ law, examples }) => examples.map((example) => `${law}: ${example}`))).toEqual([])
    const counted = (what: string) => journal.counts().get(`crashes: ${what} killed`)
    expect([counted('agents'), counted('gateways'), counted('writers')]).toEqual([2, 2, 3])
    const looked = new Set<string>(journal.laws().map(({ law }) => law))
    expect(looked).toContain('what was written before a kill is there')
    expect(looked).toContain('no process is left behind')
  })

  it('serves tenants beside a hostile one: none fails, and the hostile one is refused', async () => {
    const { pairs, failures } = await runNeighbours({
      runs: 1,
      seconds: 1,
      tenants: 5,
      halfOpen: 60,
      limits: { max_connections_per_client: 10, shutdown_seconds: 1 },
    })
    expect(failures).toEqual([])
    for (const { alone, beside } of pairs) {
      expect(alone.requests).toBeGreaterThan(0)
      expect(beside.requests).toBeGreaterThan(0)
      expect(Object.keys(beside.hostile).filter((what) => what.endsWith(': 429'))).not.toEqual([])
    }
  })
})
