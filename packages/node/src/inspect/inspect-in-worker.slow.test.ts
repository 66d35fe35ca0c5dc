import { gunzipSync } from 'node:zlib'
import { completeConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { SessionError } from '../session/session-error.ts'
import type { Inspection } from '../shared/inspection/inspection.ts'
import type { LogSessions } from '../shared/server-api.ts'
import { InspectError } from './inspect-facts.ts'
import { inspectInWorker } from './inspect-in-worker.ts'
import { exampleLog, type InspectAnswer } from './inspector.ts'

const example = { kind: 'log', path: exampleLog(), number: 0, id: 'example' } as const
const missingSession = { kind: 'session', sessions: '/nowhere', id: '20200101-000000-aaaaaa' } as const
const inspection = { what: 'inspection', locale: null } as const

function start(idleMs?: number) {
  const settings = { config: completeConfig({}), isWindowSet: false, day: '2026-01-05' }
  const inspector = inspectInWorker(settings, idleMs === undefined ? {} : { idleMs })
  onTestFinished(inspector.close)
  return inspector
}

function json({ bytes, isPacked }: InspectAnswer): unknown {
  return JSON.parse(Buffer.from(isPacked ? gunzipSync(bytes) : bytes).toString())
}

describe('inspectInWorker', () => {
  it('compresses a long answer on request', async () => {
    const { ask } = start()
    const plain = await ask(example, inspection)
    expect((json(plain) as Inspection).messages.ids.length).toBeGreaterThan(20)
    const page = { what: 'messages', from: 0, to: 60 } as const
    const packed = await ask(example, page, { pack: true })
    expect([packed.isPacked, plain.isPacked]).toEqual([true, false])
    expect(json(packed)).toEqual(json(await ask(example, page)))
  })

  it('rejects with the matching error type', async () => {
    const { ask } = start()
    await expect(ask(missingSession, inspection)).rejects.toBeInstanceOf(SessionError)
    await expect(ask(example, { what: 'request', id: 'none' })).rejects.toMatchObject({ code: 'no-such-request' })
    const missing = { ...example, path: `${exampleLog()}.missing` }
    await expect(ask(missing, inspection)).rejects.toMatchObject({ code: 'cannot-read', problem: { kind: 'not-found' } })
    await expect(ask({ ...example, number: 7 }, inspection)).rejects.toBeInstanceOf(InspectError)
    const log = json(await ask(example, { what: 'sessions', locale: null })) as LogSessions
    expect(log.sessions.length).toBe(1)
  })

  it('ends the thread when idle, and starts it again for the next question', async () => {
    const { ask } = start(1)
    const first = json(await ask(example, inspection))
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(json(await ask(example, inspection))).toEqual(first)
  })

  it('stops work that is aborted, and answers the next question', async () => {
    const { ask } = start()
    const under = { ...example, under: { policies: 'economy', price: 'r.10' } }
    const stop = new AbortController()
    const given = ask(under, inspection, { signal: stop.signal })
    stop.abort(new Error('went away'))
    await expect(given).rejects.toThrow('went away')
    await expect(ask(under, inspection, { signal: stop.signal })).rejects.toThrow('went away')
    const answer = json(await ask(under, inspection, { signal: new AbortController().signal })) as Inspection
    expect(answer.session.under).toEqual({ policies: 'economy', price: 'r.10' })
  })

  it('reports the progress of a simulation', async () => {
    const { ask } = start()
    const shares: number[] = []
    await ask({ ...example, under: { policies: 'economy', price: 'r.10' } }, inspection, {
      progress: (share) => shares.push(share),
    })
    expect(shares.length).toBeGreaterThan(0)
    expect(shares.every((share) => share > 0 && share <= 1)).toBe(true)
  })

  it('continues work for other callers if one of them aborts', async () => {
    const { ask } = start()
    const under = { ...example, under: { policies: 'spec', price: 'r.10' } }
    const stop = new AbortController()
    const given = ask(under, inspection, { signal: stop.signal })
    const other = ask(under, inspection)
    stop.abort(new Error('went away'))
    await expect(given).rejects.toThrow('went away')
    expect((json(await other) as Inspection).edits.length).toBeGreaterThan(0)
  })

  it('can be warmed up before the first question', async () => {
    const inspector = start(1)
    const first = json(await inspector.ask(example, inspection))
    inspector.warmUp?.()
    // Longer than it takes to start, and to end again.
    await new Promise((resolve) => setTimeout(resolve, 400))
    inspector.warmUp?.()
    expect(json(await inspector.ask(example, inspection))).toEqual(first)
    await inspector.close()
    inspector.warmUp?.()
    await inspector.close()
  })

  it('answers many questions at once', async () => {
    const { ask } = start()
    const pages = Array.from({ length: 20 }, (_, from) => ask(example, { what: 'messages', from, to: from + 1 }))
    const numbers = (await Promise.all(pages)).map((answer) => (json(answer) as readonly { number: number }[])[0]?.number)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, number) => number))
  })
})
