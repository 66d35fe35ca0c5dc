import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { replayInWorkers } from './replay-in-workers.ts'
import type { JobSession, ReplayJob } from './replay-job.ts'
import { recordedFile } from './testing/recorded-file.ts'

const chosen = { asked: { sets: ['raw', 'spec-immediate'], rows: ['r.10', 'r.05'] }, common: [] }

describe('replayInWorkers', () => {
  it('replays jobs by every set in order, several jobs per thread', async () => {
    const jobs = [jobOf('one', 6), jobOf('two', 12), jobOf('three', 6), jobOf('four', 3)]
    const done: string[] = []
    const outcomes = await replayInWorkers(jobs, { ...chosen, workers: 2, done: ({ name }) => done.push(name) })
    expect(done.toSorted()).toEqual(['four', 'one', 'three', 'two'])
    const [raw, spec] = outcomes.get('two')?.runs ?? []
    expect(raw).toMatchObject({ session: 'two', requests: 13, hasTimes: true })
    expect([raw?.bills.length, spec?.bills.length]).toEqual([2, 2])
    expect(raw?.bills[0]?.retention.needs).toBeGreaterThan(0)
    expect(raw?.brokenGates).toBeUndefined()
    expect(spec?.brokenGates).toBeUndefined()
    expect(raw?.latencies).toHaveLength(13)
  })

  it('returns the same result for the same sessions in any thread', async () => {
    const jobs = [jobOf('one', 6), jobOf('two', 9)]
    const bills = async (workers: number) => {
      const outcomes = await replayInWorkers(jobs, { ...chosen, workers })
      return ['one', 'two'].map((name) => outcomes.get(name)?.runs?.map((run) => run.bills))
    }
    expect(await bills(1)).toEqual(await bills(2))
  })

  it('reports the problem with a session and continues', async () => {
    const good = jobOf('good', 3)
    const gone: ReplayJob = { path: '/nonexistent/log.json', sessions: [sessionOf('gone', 0)] }
    const missing: ReplayJob = { path: good.path, sessions: [sessionOf('missing', 7)] }
    const outcomes = await replayInWorkers([gone, missing, good], { ...chosen, workers: 1 })
    expect(outcomes.get('gone')).toEqual({ reason: 'not-found' })
    expect(outcomes.get('missing')).toEqual({ reason: 'the session is gone' })
    expect(outcomes.get('good')?.runs).toHaveLength(2)
  })

  it('replays each session in its own case if no sets are named', async () => {
    const job = jobOf('one', 6)
    const { own, runs } = (await replayInWorkers([job], { asked: null, common: [], workers: 1 })).get('one') ?? {}
    const price = { model: 'gpt-5.5', price: 'gpt-5.5', isPriced: true }
    expect(own).toMatchObject({ agent: 'openai-chat', entry: 'library', set: 'economy', ...price })
    expect(runs?.map(({ requests, account }) => [requests, account?.reported, (account?.recorded.dollars ?? 0) > 0])).toEqual([
      [7, 0, true],
    ])
  })

  it('reports how far a session is, and leaves the others without an outcome once it is stopped', async () => {
    const stop = new AbortController()
    const shares: number[] = []
    const outcomes = await replayInWorkers([jobOf('one', 120), jobOf('two', 6)], {
      ...chosen,
      workers: 1,
      signal: stop.signal,
      progress({ name }, share) {
        expect(name).toBe('one')
        shares.push(share)
        stop.abort()
      },
    })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.every((share) => share > 0 && share < 1)).toBe(true)
    expect(outcomes).toEqual(new Map())
  })

  it('returns nothing without jobs', async () => expect(await replayInWorkers([], chosen)).toEqual(new Map()))
})

function jobOf(name: string, requests: number): ReplayJob {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-replay-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, `${name}.json`)
  writeFileSync(path, recordedFile(requests))
  return { path, sessions: [{ ...sessionOf(name, 0), requests }] }
}

function sessionOf(name: string, number: number): JobSession {
  return { name, number, requests: 1, at: 0 }
}
