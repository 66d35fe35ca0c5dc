import { describe, expect, it } from 'vitest'
import { runSoak } from '../hardening/soak/soak.ts'
import { freshDatabase } from './fresh-database.ts'
import { isBuilt } from './workplace.ts'

describe.runIf(isBuilt && process.platform === 'linux')('the soak', () => {
  it('runs two rounds of all workloads, with kills and faults between them, and breaks no law', async () => {
    const { journal, memory } = await runSoak({
      workloads: ['agent', 'server', 'gateway'],
      seed: 1,
      minutes: 5,
      rounds: 2,
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
})
