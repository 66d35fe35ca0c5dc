import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { trimModes } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { wireDialects } from '../../store/gateway-record.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { startProvider } from '../testing/fake-provider.ts'
import { createStateHome } from '../testing/state-home.ts'
import type { DoctorCheck } from './check-machine.ts'

const strings = stringsFor('en').gateway.doctor

describe('plimsoll doctor', () => {
  it('verifies the bytes that arrive in every dialect and mode', async () => {
    const { run } = createStateHome()
    const { code, stdout, stderr } = await run(['doctor', '--model', 'claude-opus-5', '--json'], {
      environment: await freePort(),
    })
    const { isWell, checks } = JSON.parse(stdout) as { isWell: boolean; checks: readonly DoctorCheck[] }
    expect({ code, stderr, isWell }).toEqual({ code: 0, stderr: '', isWell: true })
    const proofs = checks.filter(({ name }) => name.startsWith('bytes:'))
    expect(proofs.map(({ name, state }) => [name, state])).toEqual(
      wireDialects.flatMap((dialect) => trimModes.map((mode) => [`bytes:${dialect}:${mode}`, 'ok'])),
    )
    expect(proofs.filter(({ text }) => text.includes('arrived unchanged')).map(({ name }) => name)).toEqual(
      wireDialects.map((dialect) => `bytes:${dialect}:observe`),
    )
    expect(checks.at(-1)?.text).toBe(strings.window('claude-opus-5', '1,000,000'))
  })

  it('gives advice for every problem and exits with 1', async () => {
    const { run, path } = createStateHome()
    const folder = join(path, 'state', 'plimsoll', 'gateway')
    mkdirSync(folder, { recursive: true })
    chmodSync(folder, 0o755)
    mkdirSync(join(path, '.config', 'plimsoll'), { recursive: true })
    const port = await takenPort()
    const environment = { XDG_CONFIG_HOME: join(path, '.config'), ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' }
    writeFileSync(join(path, '.config', 'plimsoll', 'config.yaml'), `gateway: { port: ${port} }\n`)
    const { code, stdout } = await run(['doctor'], { environment })
    expect(code).toBe(1)
    expect(stdout.split('\n').filter((line) => !line.startsWith('ok'))).toEqual([
      `problem  ${strings.openFolder('~/state/plimsoll/gateway', '755')}`,
      `    ${strings.closeFolder('~/state/plimsoll/gateway')}`,
      `problem  ${strings.portTaken(String(port))}`,
      `    ${strings.otherPort}`,
      `problem  ${strings.claudeWindow}`,
      `    ${strings.claudeAdvice}`,
      strings.problems('3'),
      '',
    ])
  })

  it('continues despite an invalid configuration, and reports that an address is not a gateway', async () => {
    const { run } = createStateHome()
    const url = `http://127.0.0.1:${await takenPort()}`
    const { code, stdout } = await run(['doctor', '--json', '--url', `${url}/`], {
      environment: { PLIMSOLL_GATEWAY__TRIM: `ghp_${'aB3d'.repeat(9)}` },
    })
    expect(stdout).not.toContain('aB3daB3d')
    const { checks } = JSON.parse(stdout) as { checks: readonly DoctorCheck[] }
    const problems = checks.filter(({ state }) => state === 'problem').map(({ text, advice }) => [text, advice])
    expect([code, checks.length > 18, problems]).toEqual([
      1,
      true,
      [
        [expect.stringContaining('PLIMSOLL_GATEWAY__TRIM: gateway.trim: expected'), strings.fixConfig],
        [strings.gatewayGone(url), strings.startGateway],
      ],
    ])
  })

  it('calls a provider only if requested, through a gateway, and shows its token count', async () => {
    const { run } = createStateHome()
    const provider = await startProvider()
    const environment = { ...(await freePort()), ANTHROPIC_API_KEY: 'sk-secret', GEMINI_API_KEY: 'sk-secret' }
    const { code, stdout } = await run(['doctor', '--live', '--upstream', provider.url], { environment })
    expect([
      code,
      provider.arrived.map(({ path, headers }) => [path, headers['x-api-key'] ?? headers['x-goog-api-key']]),
    ]).toEqual([
      0,
      [
        ['/v1/messages', 'sk-secret'],
        ['/v1beta/models/gemini-2.5-flash-lite:generateContent', 'sk-secret'],
      ],
    ])
    expect(stdout).toContain(strings.live('anthropic', 'claude-haiku-4-5', '9', '1'))
    expect(stdout).not.toContain('sk-secret')
  })
})

/** A port used by something that is not a gateway. */
async function takenPort(): Promise<number> {
  const server = createServer((_request, response) => response.end('something else'))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** Settings with a free port, because the developer may be running a gateway on the default one. */
async function freePort(): Promise<Readonly<Record<string, string>>> {
  const server = createServer()
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port))
  })
  await new Promise((resolve) => server.close(resolve))
  return { PLIMSOLL_GATEWAY__PORT: String(port) }
}
