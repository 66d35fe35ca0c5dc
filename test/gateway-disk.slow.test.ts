import { chmodSync, chownSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createSmallDisk } from '../hardening/soak/faults/small-disk.ts'
import { connectTo } from '../packages/node/src/store/testing/postgres-server.ts'
import { freshDatabase } from './fresh-database.ts'
import { startFakeUpstream } from './gateway/fake-upstream.ts'
import { type GatewayProcess, runBeside, startGatewayProcess } from './gateway/gateway-process.ts'
import { isBuilt } from './workplace.ts'

const key = 'test-key'
const long = (name: string) => Array.from({ length: 3000 }, (_, line) => `${name} ${line}`).join('\n')

/** A conversation with one long result. */
const body = (name: string) => ({
  model: 'claude-opus-5',
  max_tokens: 100,
  messages: [
    { role: 'user', content: `look at ${name}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `call-${name}`, name: 'Bash', input: { command: name } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `call-${name}`, content: long(name) }] },
  ],
})

/** What a test does with a gateway in front of an upstream, whose lines about its store it reads. */
function useGateway(gateway: GatewayProcess, upstream: Awaited<ReturnType<typeof startFakeUpstream>>) {
  return {
    /** The request as the upstream got it. */
    send: async (name: string): Promise<string> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' }
      const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body(name)) })
      expect(answer.status).toBe(200)
      await answer.text()
      return String(upstream.of(key).at(-1)?.body)
    },
    ready: async () => {
      const answer = await fetch(`${gateway.url}/readyz`)
      return { status: answer.status, text: await answer.text() }
    },
    logged: () => gateway.log().split('\n').filter((line) => line.includes('gateway_store')), // biome-ignore format: one idea
  }
}

describe.runIf(isBuilt)('a gateway whose disk', () => {
  it('is full goes on without new trimming, says so once, and gives back what it stored', async ({ skip }) => {
    const home = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    const disk = createSmallDisk(join(home, 'disk'), 3000)
    // Only root can mount a file system of a given size.
    if (disk === null) return skip()
    onTestFinished(disk.remove)
    const upstream = await startFakeUpstream(() => ({ text: 'Go on.' }))
    onTestFinished(upstream.close)
    const store = join(disk.folder, 'store.sqlite')
    const upstreams = { anthropic: upstream.url }
    const limits = { plan_milliseconds: 120_000 }
    const config = { gateway: { trim: 'safe', store, upstreams, limits } } as const
    const gateway = await startGatewayProcess(home, config)
    onTestFinished(gateway.stop)

    const { send, ready, logged } = useGateway(gateway, upstream)
    const recalled = async (name: string) => (await runBeside(home, ['recall', handleOf(long(name))], {})).stdout.trim()

    expect(await ready()).toEqual({ status: 200, text: 'ready\n' })
    const first = await send('first')
    expect(first.length).toBeLessThan(20_000)
    expect(await recalled('first')).toBe(long('first'))

    disk.fill()
    // Every byte as it came, and what was decided before stays as it was.
    expect(await send('second')).toBe(JSON.stringify(body('second')))
    expect(await send('first')).toBe(first)
    expect(await ready()).toEqual({ status: 503, text: 'the store is full\n' })
    expect(await send('third')).toBe(JSON.stringify(body('third')))
    expect(await ready()).toMatchObject({ status: 503 })
    expect(logged()).toEqual([expect.stringContaining('The store is full')])
    expect(await recalled('first')).toBe(long('first'))

    disk.free()
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 200, text: 'ready\n' }), { timeout: 30_000 })
    expect((await send('fourth')).length).toBeLessThan(20_000)
    expect(logged()).toEqual([expect.anything(), expect.stringContaining('can be written again')])

    await gateway.stop()
    disk.forbid()
    expect(await recalled('first')).toBe(long('first'))
    expect(await recalled('fourth')).toBe(long('fourth'))
    await expect(startGatewayProcess(home, config)).rejects.toThrow('is read-only')
  })
})

describe.runIf(isBuilt)('a gateway whose PostgreSQL', () => {
  it('has a full disk, and then may not write, goes on without new trimming, and says why', async ({ skip }) => {
    const home = mkdtempSync(join(tmpdir(), 'plimsoll-disk-'))
    onTestFinished(() => rmSync(home, { recursive: true, force: true }))
    chmodSync(home, 0o755)
    const disk = createSmallDisk(join(home, 'disk'), 24_000)
    if (disk === null) return skip()
    onTestFinished(disk.remove)
    // The journal of the server stays on its own disk: without room for that, it ends.
    const other = await freshDatabase()
    const admin = await connectTo(other)
    onTestFinished(() => admin.end())
    const { rows } = await admin.query<{ readonly data_directory: string }>('show data_directory')
    chownSync(disk.folder, statSync(rows[0]?.data_directory ?? '').uid, -1)
    await admin.query(`create tablespace small location '${disk.folder}'`)
    await admin.query('create database on_small tablespace small')
    onTestFinished(async () => {
      disk.free()
      await admin.query('drop database on_small with (force)')
      await admin.query('drop tablespace small')
    })

    const upstream = await startFakeUpstream(() => ({ text: 'Go on.' }))
    onTestFinished(upstream.close)
    const store = Object.assign(new URL(other), { pathname: '/on_small' }).href
    const limits = { plan_milliseconds: 120_000 }
    const config = { gateway: { trim: 'safe', store, upstreams: { anthropic: upstream.url }, limits } } as const
    const gateway = await startGatewayProcess(home, config)
    onTestFinished(gateway.stop)
    const { send, ready, logged } = useGateway(gateway, upstream)
    const recalled = async (name: string) =>
      (await runBeside(home, ['recall', handleOf(long(name))], { ANTHROPIC_API_KEY: key })).stdout.trim()

    const first = await send('first')
    expect(first.length).toBeLessThan(20_000)
    disk.fill()
    for (const name of ['second', 'third', 'fourth']) expect(await send(name)).toBe(JSON.stringify(body(name)))
    expect(await send('first')).toBe(first)
    expect(await ready()).toEqual({ status: 503, text: 'the store is full\n' })
    expect(logged()).toEqual([expect.stringContaining('The PostgreSQL store is full (53100)')])
    expect(await recalled('first')).toBe(long('first'))

    disk.free()
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 200, text: 'ready\n' }), {
      timeout: 60_000,
      interval: 300,
    })
    expect((await send('fifth')).length).toBeLessThan(20_000)
    expect(logged()).toEqual([expect.anything(), expect.stringContaining('can be written again')])

    await admin.query('alter database on_small set default_transaction_read_only = on')
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = 'on_small'")
    expect(await send('sixth')).toBe(JSON.stringify(body('sixth')))
    expect(await send('first')).toBe(first)
    expect(await ready()).toMatchObject({ status: 503 })
    expect(logged().slice(2)).toEqual([expect.stringContaining('may not write to the PostgreSQL store (25006)')])
    expect(await recalled('fifth')).toBe(long('fifth'))
  })
})
