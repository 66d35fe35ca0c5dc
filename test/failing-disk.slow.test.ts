import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createFailingDisk } from '../hardening/soak/faults/failing-disk.ts'
import { createSession } from '../packages/node/src/session/create-session.ts'
import { openSession, readSession } from '../packages/node/src/session/open-session.ts'
import { pathsOf } from '../packages/node/src/session/session-folder.ts'
import { said } from '../packages/node/src/session/testing/sessions.ts'
import { startFakeUpstream } from './gateway/fake-upstream.ts'
import { runBeside, startGatewayProcess } from './gateway/gateway-process.ts'
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

/** Null if this user has no loop devices. */
function failingDisk() {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-eio-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const disk = createFailingDisk(join(home, 'disk'))
  if (disk !== null) onTestFinished(disk.remove)
  return { home, disk }
}

describe('a disk that fails with EIO', () => {
  it('loses nothing of a session that was acknowledged, and says why nothing more can be stored', async ({ skip }) => {
    const { disk } = failingDisk()
    if (disk === null) return skip()
    const sessions = join(disk.folder, 'sessions')
    const session = await createSession(sessions)
    await session.append([said('m1', 'one'), said('m2', long('two'))])
    const stored = readFileSync(pathsOf(session.folder).log)
    disk.fail()
    const failing = { problem: { kind: expect.stringMatching(/^cannot-(?:write|restore)$/) as string, code: 'EIO' } }
    await expect(session.append([said('m3', long('three'))])).rejects.toMatchObject(failing)
    disk.heal()
    await session.close().catch(() => undefined)
    expect(readFileSync(pathsOf(session.folder).log).subarray(0, stored.length).equals(stored)).toBe(true)
    const again = await openSession(sessions, session.id)
    await again.append([said('m4', 'four')])
    await again.close()
    const read = await readSession(sessions, session.id)
    expect(read.state().messages.map(({ id }) => id)).toEqual(expect.arrayContaining(['m1', 'm2', 'm4']))
    await read.close()
  })

  it.runIf(isBuilt)('lets a gateway go on without new trimming, and says so', async ({ skip }) => {
    const { home, disk } = failingDisk()
    if (disk === null) return skip()
    const upstream = await startFakeUpstream(() => ({ text: 'Go on.' }))
    onTestFinished(upstream.close)
    const store = join(disk.folder, 'store.sqlite')
    const config = {
      gateway: { trim: 'safe', store, upstreams: { anthropic: upstream.url }, limits: { plan_milliseconds: 120_000 } },
    } as const
    const gateway = await startGatewayProcess(home, config)
    onTestFinished(gateway.stop)
    const send = async (name: string): Promise<string> => {
      const headers = { 'content-type': 'application/json', 'x-api-key': key, 'anthropic-version': '2023-06-01' }
      const answer = await fetch(`${gateway.url}/v1/messages`, { method: 'POST', headers, body: JSON.stringify(body(name)) })
      expect(answer.status).toBe(200)
      await answer.text()
      return String(upstream.of(key).at(-1)?.body)
    }
    const ready = async () => {
      const answer = await fetch(`${gateway.url}/readyz`)
      return { status: answer.status, text: await answer.text() }
    }
    const logged = () => gateway.log().split('\n').filter((line) => line.includes('gateway_store')) // biome-ignore format: one idea

    const first = await send('first')
    expect(first.length).toBeLessThan(20_000)
    disk.fail()
    // The disk is asked while the upstream answers: the first requests after it failed may still be trimmed.
    let number = 0
    const isUntrimmed = async () => {
      number += 1
      return (await send(`later ${number}`)) === JSON.stringify(body(`later ${number}`))
    }
    await vi.waitFor(async () => expect(await isUntrimmed()).toBe(true), { timeout: 30_000 })
    expect((await send('first')) === first).toBe(true)
    // A write that only reaches memory seems to work, until the disk is asked.
    const isNotReady = async () => {
      await isUntrimmed()
      expect(await ready()).toMatchObject({ status: 503 })
    }
    await vi.waitFor(isNotReady, { timeout: 30_000 })
    // A failing disk may show in several ways.
    expect(logged().length).toBeGreaterThan(0)
    expect(logged().filter((line) => !line.includes('reports errors') && !line.includes('can be written again'))).toEqual([])
    if (!disk.heal()) return skip()
    await vi.waitFor(async () => expect(await ready()).toEqual({ status: 200, text: 'ready\n' }), { timeout: 30_000 })
    expect((await runBeside(home, ['recall', handleOf(long('first'))], {})).stdout.trim() === long('first')).toBe(true)
  })
})
