import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { loadConfig } from '../packages/node/src/config/load-config.ts'
import { root } from './source-files.ts'
import { isBuilt } from './workplace.ts'

const read = (name: string) => readFileSync(`${root}/deploy/${name}`, 'utf8')
const binary = `${root}/packages/node/bin/plimsoll.js`

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly volumes?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly read_only?: boolean
  readonly ports?: readonly string[]
  readonly stop_grace_period?: string
}

/** The list in `CMD ["…"]` of an instruction. */
function listAfter(text: string, instruction: string): readonly string[] {
  const lists = [...text.matchAll(/^ *(\w+) (\[".*\])$/gm)].filter(([, name]) => name === instruction)
  return JSON.parse(lists.at(-1)?.[2] ?? '[]') as readonly string[]
}

const dockerfile = read('Dockerfile')
const health = JSON.parse(/HEALTHCHECK [^\n]*\n\s*CMD (\[.*\])/.exec(dockerfile)?.[1] ?? '[]') as readonly string[]

describe('the compose file', () => {
  const { services, volumes } = parse(read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly volumes: Readonly<Record<string, null>>
  }
  const gateways = Object.entries(services).filter(([name]) => name.startsWith('gateway-'))

  it('has two gateways that cannot write to their image and wait for the database', () => {
    expect(gateways.map(([name]) => name)).toEqual(['gateway-1', 'gateway-2'])
    for (const [, gateway] of gateways) {
      expect(gateway).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        depends_on: { database: { condition: 'service_healthy' } },
      })
      expect(existsSync(join(root, 'deploy', gateway.build?.context ?? '', gateway.build?.dockerfile ?? 'x'))).toBe(true)
      expect(Number.parseInt(gateway.stop_grace_period ?? '', 10)).toBeGreaterThan(30)
    }
  })

  it('names only services, volumes and files that exist', () => {
    const named = Object.values(services).flatMap(({ depends_on }) => Object.entries(depends_on ?? {}))
    for (const [name, { condition }] of named) {
      expect(Object.keys(services)).toContain(name)
      // A gateway's health check is in its image.
      if (condition === 'service_healthy')
        expect(services[name]?.healthcheck !== undefined || services[name]?.build !== undefined).toBe(true)
    }
    for (const place of Object.values(services).flatMap((service) => service.volumes ?? [])) {
      const [from = ''] = place.split(':')
      expect(from.startsWith('./') ? existsSync(`${root}/deploy/${from}`) : Object.keys(volumes).includes(from)).toBe(true)
    }
    const behind = [...read('balancer.conf').matchAll(/^\s*server ([\w-]+):(\d+)/gm)].map(([, name, port]) => [name, port])
    expect(behind).toEqual(gateways.map(([name]) => [name, '7478']))
    expect(services['balancer']?.ports).toEqual(['127.0.0.1:7478:7478'])
  })

  it('sets only variables that Plimsoll reads, to valid values', async () => {
    const filled = Object.entries(gateways[0]?.[1].environment ?? {}).map(([name, value]) => [
      name,
      value.replace(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, _variable, kind, rest) =>
        kind === '-' ? rest : 'secret-secret-secret',
      ),
    ])
    const home = temporaryFolder()
    const environment = { HOME: home, ...Object.fromEntries(filled) } as Record<string, string>
    const { config, warnings } = await loadConfig({ projectFolder: home, environment })
    expect(warnings).toEqual([])
    expect(config.gateway).toMatchObject({ trim: 'observe', store: 'postgres://plimsoll:secret-secret-secret@database/plimsoll' })
    expect(Object.keys(environment).filter((name) => name.startsWith('PLIMSOLL_'))).toContain('PLIMSOLL_GATEWAY_TOKEN')
  })
})

describe.runIf(isBuilt)('the container and the unit', () => {
  it('start a gateway with flags that exist, as a user without rights', () => {
    const unit = /^ExecStart=\/usr\/bin\/env plimsoll (.*)$/m.exec(read('plimsoll-gateway.service'))?.[1]?.split(' ') ?? []
    const help = spawnSync(process.execPath, [binary, 'gateway', '--help'], { encoding: 'utf8' }).stdout
    for (const command of [listAfter(dockerfile, 'CMD'), unit]) {
      expect(command[0]).toBe('gateway')
      const flags = command.filter((word) => word.startsWith('--'))
      expect(flags.length).toBeGreaterThan(1)
      for (const flag of flags) expect(help).toContain(` ${flag} `)
    }
    expect(dockerfile).toMatch(/^USER node$/m)
    expect(read('plimsoll-gateway.service')).toMatch(/^DynamicUser=yes$/m)
  })

  it('is healthy as long as it runs, and refuses to start or to answer without the token', { timeout: 120_000 }, async () => {
    const home = temporaryFolder()
    // The same command on a free port of the loopback.
    const command = listAfter(dockerfile, 'CMD').map((word) => (word === '0.0.0.0' ? '127.0.0.1' : word === '7478' ? '0' : word))
    const environment = { PATH: process.env['PATH'] ?? '', HOME: '/nonexistent', XDG_STATE_HOME: home, XDG_CACHE_HOME: home }
    const bare = spawnSync(process.execPath, [binary, ...listAfter(dockerfile, 'CMD')], { env: environment, encoding: 'utf8' })
    expect([bare.status, bare.stderr]).toEqual([2, expect.stringContaining('PLIMSOLL_GATEWAY_TOKEN')])
    const env = { ...environment, PLIMSOLL_GATEWAY_TOKEN: 'a-token-of-some-length' }
    const child = spawn(process.execPath, [binary, ...command, '--json'], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { address, port } = JSON.parse(String(line).split('\n')[0] ?? '') as { readonly address: string; readonly port: number }
    const check = () =>
      spawnSync(
        process.execPath,
        health.slice(1).map((word) => word.replace('7478', `${port}`)),
      ).status
    expect(health[0]).toBe('node')
    expect(check()).toBe(0)
    const asked = { method: 'POST', body: '{}' }
    expect((await fetch(`${address}/v1/messages`, asked)).status).toBe(401)
    child.kill('SIGTERM')
    await once(child, 'close')
    expect(check()).toBe(1)
  })
})

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-operations-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
