import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome } from '../testing/state-home.ts'
import { listenNearby } from './serve-options.ts'

const strings = stringsFor('en').server.serve
const token = 'a-token-of-my-own-choice'

describe('plimsoll serve', () => {
  it.each([
    ['a public address', ['--host', '0.0.0.0'], strings.needsPublic('0.0.0.0')],
    ['a public address with a token but without --public', ['--host', '::', '--token', token], strings.needsPublic('::')],
    ['a public address without a token', ['--host', '192.0.2.1', '--public'], strings.needsToken('192.0.2.1')],
    ['an invalid address', ['--host', 'http://x'], strings.badHost('"http://x"')],
    ['an invalid port', ['--port', '65536'], strings.badPort('"65536"')],
    ['a token that is easy to guess', ['--token', 'short'], strings.badToken('--token')],
  ])('refuses %s and explains what to do', async (_name, options, sentence) => {
    const { run } = createStateHome()
    const { code, stdout, stderr } = await run(['serve', '--model', 'offline', '--root', tmpdir(), ...options])
    expect({ code, stdout, stderr }).toEqual({ code: 2, stdout: '', stderr: `error: ${sentence}\n` })
  })

  it('never prints an invalid token', async () => {
    const { run } = createStateHome()
    const environment = { PLIMSOLL_SERVER_TOKEN: 'a secret!' }
    const { stderr } = await run(['serve', '--model', 'offline', '--root', tmpdir()], { environment })
    expect(stderr).toBe(`error: ${strings.badToken('PLIMSOLL_SERVER_TOKEN')}\n`)
  })

  it('reports that the requested port is taken', async () => {
    const { run } = createStateHome()
    const port = String(await takenPort())
    const { code, stdout, stderr } = await run(['serve', '--model', 'offline', '--root', tmpdir(), '--port', port])
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: `error: ${strings.portTaken(port)}\n` })
  })

  it('reports an address that this machine does not have', async () => {
    const { run } = createStateHome()
    const options = ['--host', '192.0.2.1', '--public', '--token', token, '--port', '0']
    const { code, stderr } = await run(['serve', '--model', 'offline', '--root', tmpdir(), ...options])
    const reason = strings.listenReason('EADDRNOTAVAIL')
    expect({ code, stderr }).toEqual({ code: 1, stderr: `error: ${strings.cannotListen('192.0.2.1', '0', reason)}\n` })
  })

  it('prints the address with the token after the #, and stops on a signal', async () => {
    const { run } = createStateHome()
    const stop = new AbortController()
    const served = run(['serve', '--model', 'offline', '--root', tmpdir(), '--port', '0', '--token', token], {
      interrupted: stop.signal,
    })
    stop.abort()
    const { code, stdout, stderr } = await served
    expect({ code, stderr }).toEqual({ code: 0, stderr: `${strings.closing}\n` })
    expect(stdout).toMatch(/^Plimsoll is running at http:\/\/127\.0\.0\.1:\d+\/#token=a-token-of-my-own-choice\n.+\n$/)
  })

  it('keeps the token for the next start, in a file that no one else can read, and replaces one that others could write', async () => {
    const { run, path } = createStateHome()
    const start = async () => {
      const options = ['serve', '--model', 'offline', '--root', tmpdir(), '--port', '0', '--json']
      const { stdout } = await run(options, { interrupted: AbortSignal.abort() })
      return JSON.parse(stdout) as { address: string; port: number; token: string }
    }
    const { address, port, token: first } = await start()
    expect(first).toMatch(/^[\w-]{43}$/)
    expect(address).toBe(`http://127.0.0.1:${port}/#token=${first}`)
    expect((await start()).token).toBe(first)
    const file = join(path, 'state', 'plimsoll', 'server-token')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    chmodSync(file, 0o666)
    const { token: next } = await start()
    expect(next).not.toBe(first)
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([`${next}\n`, 0o600])
  })

  it('has help in both languages', async () => {
    const { run } = createStateHome()
    const [english, chinese] = await Promise.all(
      ['en_GB.UTF-8', 'zh_CN.UTF-8'].map((LANG) => run(['serve', '--help'], { environment: { LANG }, terminal: 200 })),
    )
    expect(english?.stdout).toContain(strings.help.public)
    expect(chinese?.stdout).toContain(stringsFor('zh').server.serve.help.public)
  })
})

describe('the default port', () => {
  const refuse = (code: string) => Promise.reject(Object.assign(new Error(code), { code }))

  it('is the next free one', async () => {
    const listen = (port?: number) => (port === 3 ? Promise.resolve({ port: 3 }) : refuse('EADDRINUSE'))
    expect(await listenNearby({ listen }, { host: '127.0.0.1', ports: [1, 2, 3, 4] }, stringsFor('en'))).toBe(3)
  })

  it('is reported as taken if all candidates are', async () => {
    const listen = () => refuse('EADDRINUSE')
    const listening = listenNearby({ listen }, { host: '127.0.0.1', ports: [1, 2, 3] }, stringsFor('en'))
    await expect(listening).rejects.toThrow(strings.portsTaken('1', '3'))
  })
})

const binary = fileURLToPath(new URL('../../../bin/plimsoll.js', import.meta.url))
const isBuilt = existsSync(new URL('../../../dist/cli/agent/serve-command.js', import.meta.url))

describe.runIf(isBuilt)('the process', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('answers until %s and exits cleanly', async (signal) => {
    const { child, address, home, exit } = await startProcess()
    const { origin, hash } = new URL(address)
    const headers = { authorization: `Bearer ${hash.slice('#token='.length)}` }
    const hello = await fetch(`${origin}/api/hello`, { headers })
    expect([hello.status, await hello.json()]).toEqual([200, expect.objectContaining({ root: home })])
    child.kill(signal)
    expect(await exit).toEqual({ code: 0, signal: null })
  })

  it.runIf(process.platform === 'linux')(
    'opens a browser through a file that only its user can read, and removes it',
    async () => {
      const programs = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-programs-')))
      onTestFinished(() => rmSync(programs, { recursive: true, force: true }))
      const seen = join(programs, 'seen')
      // Renamed into place, so that the test never reads half a file.
      const script = `#!/bin/sh\n{ stat -c %a "$1"; cat "$1"; echo "$1"; } > ${seen}.new\nmv ${seen}.new ${seen}\n`
      writeFileSync(join(programs, 'xdg-open'), script, { mode: 0o755 })
      const { child, address, exit } = await startProcess(['--open'], { PATH: `${programs}:${process.env['PATH'] ?? ''}` })
      while (!existsSync(seen)) await new Promise((resolve) => setTimeout(resolve, 10))
      const [rights, page, path = ''] = readFileSync(seen, 'utf8').split('\n')
      expect([rights, page?.includes(`content="0;url=${address}"`), existsSync(path)]).toEqual(['600', true, true])
      child.kill('SIGTERM')
      expect([await exit, existsSync(path)]).toEqual([{ code: 0, signal: null }, false])
    },
  )

  it('takes its token from the environment and hides it from commands the agent runs', async () => {
    const { address } = await startProcess(['--mode', 'auto'], { PLIMSOLL_SERVER_TOKEN: token })
    const { origin, hash } = new URL(address)
    expect(hash).toBe(`#token=${token}`)
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const post = (path: string, body: unknown) =>
      fetch(`${origin}/api/sessions${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { id } = (await (await post('', {})).json()) as { id: string }
    const stream = (await fetch(`${origin}/api/sessions/${id}/events`, { headers })).body as ReadableStream<Uint8Array>
    await post(`/${id}/turn`, { text: 'run env' })
    let text = ''
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk
      if (text.includes('event: turn_end')) break
    }
    expect(text).toContain('PATH=')
    expect(text).not.toContain(token)
  })

  it('exits at once on a second signal', async () => {
    const { child, exit } = await startProcess()
    child.kill('SIGTERM')
    child.kill('SIGTERM')
    const { code, signal } = await exit
    // It may have finished before the second signal arrived.
    expect([0, null]).toContain(code)
    expect([null, 'SIGTERM']).toContain(signal)
  })
})

async function startProcess(options: readonly string[] = [], variables: Readonly<Record<string, string>> = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-serve-')))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const { PATH, NODE_COMPILE_CACHE } = process.env
  const environment = { PATH, NODE_COMPILE_CACHE, HOME: home, XDG_STATE_HOME: home, TMPDIR: home, LANG: 'C', ...variables }
  const child = spawn(process.execPath, [binary, 'serve', '--model', 'offline', '--port', '0', '--json', ...options], {
    cwd: home,
    env: environment,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exit = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  const line = await new Promise<string>((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('\n')) resolve(text)
    })
    child.stdout.once('end', () => reject(new Error(`ended with ${text}`)))
  })
  return { child, home, exit, ...(JSON.parse(line) as { address: string; port: number; token: string }) }
}

async function takenPort(): Promise<number> {
  const server: Server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return (server.address() as { port: number }).port
}
