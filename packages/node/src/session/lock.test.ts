import { readdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { acquireLock } from './lock.ts'
import { temporarySessions } from './testing/sessions.ts'

const dead = (token: string) => `${JSON.stringify({ pid: 2 ** 22 + 1, start: 'x:1', host: hostname(), token })}\n`

describe('a lock whose owner is dead', () => {
  it('is taken over by exactly one of many that try at once', async () => {
    const folder = temporarySessions()
    const path = join(folder, 'lock')
    for (let round = 0; round < 40; round += 1) {
      writeFileSync(path, dead(`token-${round}`))
      const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => acquireLock(path)))
      const locks = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []))
      expect(locks).toHaveLength(1)
      for (const outcome of outcomes) {
        if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ problem: { kind: 'in-use', pid: process.pid } })
      }
      await locks[0]?.release()
      expect(readdirSync(folder)).toEqual([])
    }
  })

  it('is taken over even if a process died while taking it over', async () => {
    const folder = temporarySessions()
    const path = join(folder, 'lock')
    writeFileSync(path, dead('first'))
    writeFileSync(`${path}.first`, dead('second'))
    writeFileSync(`${path}.first.second`, dead('third'))
    const lock = await acquireLock(path)
    expect(readdirSync(folder)).toEqual(['lock'])
    await lock.release()
  })
})

describe('a lock', () => {
  it('is not released by its first owner if it was removed by hand and taken by another', async () => {
    const folder = temporarySessions()
    const path = join(folder, 'lock')
    const first = await acquireLock(path)
    writeFileSync(path, dead('other'))
    await first.release()
    expect(readdirSync(folder)).toEqual(['lock'])
  })

  it('removes files of processes that were killed while trying to get it', async () => {
    const folder = temporarySessions()
    const path = join(folder, 'lock')
    for (const name of ['lock.1b9d6bcd.new', 'lock.old-token', 'lock.old-token.2c5ea4c0.new', 'log.jsonl'])
      writeFileSync(join(folder, name), dead('other'))
    const lock = await acquireLock(path)
    expect(readdirSync(folder).toSorted()).toEqual(['lock', 'log.jsonl'])
    await lock.release()
  })

  it('reports what could not be written if its folder does not exist', async () => {
    const path = join(temporarySessions(), 'none', 'lock')
    await expect(acquireLock(path)).rejects.toMatchObject({ problem: { kind: 'cannot-write', file: path, code: 'ENOENT' } })
  })
})
