import { execFileSync } from 'node:child_process'
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openTerminal } from '../packages/node/src/cli/chat/testing/open-terminal.ts'
import { startOtlpReceiver } from '../packages/node/src/gateway/testing/otlp-receiver.ts'
import { codeBlocks } from './documents.ts'
import { startFakeUpstream } from './gateway/fake-upstream.ts'
import { installPackages } from './install-packages.ts'
import { shareInFile, whenOver } from './share-in-file.ts'
import { root } from './source-files.ts'
import { toolPath } from './tools/tool-path.ts'
import { createWorkplace, type Workplace } from './workplace.ts'

const isBuilt = existsSync(`${root}/packages/node/dist/web/index.html`)

/** The pinned Node, and the oldest supported version if it is installed. */
const nodes = [`${root}/node_modules/node/bin/node`, toolPath('node-22-linux-x64', 'bin/node')]
  .filter((path) => existsSync(path))
  .map((path) => ({ path, version: execFileSync(path, ['--version'], { encoding: 'utf8' }).trim() }))

const version = (JSON.parse(readFileSync(`${root}/packages/node/package.json`, 'utf8')) as { readonly version: string }).version

describe.runIf(isBuilt)('plimsoll, packed and installed into an empty folder', () => {
  const installed = shareInFile(installPackages)

  it('is tested on the pinned Node first', () => {
    expect(nodes.map((node) => node.version)).toContainEqual(expect.stringMatching(/^v24\./))
  })

  it('takes less than 70 MB with all its dependencies', () => {
    const megabytes = bytesOnDisk(join(installed(), 'node_modules')) / 2 ** 20
    expect(megabytes).toBeGreaterThan(20)
    expect(megabytes).toBeLessThan(70)
  })

  describe.each(nodes)('on Node $version', ({ path: node }) => {
    const at = (files: Readonly<Record<string, string>> = {}): Workplace =>
      createWorkplace(files, { node, command: join(installed(), 'node_modules/.bin/plimsoll') })

    it('prints its version and its commands', async () => {
      const place = at()
      expect(await place.run('--version')).toEqual({ code: 0, stdout: `${version}\n`, stderr: '' })
      const { code, stdout, stderr } = await place.run('--help')
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(/^Usage: plimsoll [^]*^ {2}serve /m)
    })

    // Things that do not depend on the Node version are tested on the first.
    const isFirst = node === nodes[0]?.path

    it.runIf(isFirst)('shows an example without a key or logs', async () => {
      const { code, stdout } = await at().run()
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: expect.stringMatching(/^Plimsoll · example conversation\n[^]*tool results/),
      })
    })

    it('views a conversation and counts it exactly', async () => {
      const conversation = readFileSync(`${root}/packages/node/example/conversation.json`, 'utf8')
      const { code, stdout } = await at({ 'conversation.json': conversation }).run(
        'view',
        'conversation.json',
        '--exact',
        '--json',
      )
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({ messages: expect.any(Array), report: { edits: expect.any(Array) } })
    })

    it.runIf(isFirst)('runs the task of its README with the offline model, and finds the parts of its other tools', async () => {
      const [command, answer] = codeBlocks(readFileSync(`${root}/packages/node/README.md`, 'utf8')).slice(1)
      const task = /^npx plimsoll -p '(.*)' --mode auto\n$/.exec(command?.text ?? '')?.[1] ?? ''
      const place = at({ 'src/tide.ts': 'export const highWater = 6\n' })
      expect(await place.run('-p', task, '--mode', 'auto')).toMatchObject({ code: 0, stdout: answer?.text })
      // The search is a separate program and the map needs a grammar; both come from other packages.
      expect(await place.run('-p', 'search highWater; map', '--mode', 'auto')).toMatchObject({ code: 0, stdout: lookedAround })
    })

    it('serves the web app with all its files', async () => {
      const server = at().start('serve', '--port', '0', '--json')
      await server.printed(/\n/)
      const { address } = JSON.parse(server.text()) as { readonly address: string }
      const page = await fetch(address)
      const html = await page.text()
      const assets = [...html.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map((match) => match[1] as string)
      expect(page.status).toBe(200)
      expect(assets.length).toBeGreaterThanOrEqual(2)
      const answers = await Promise.all(assets.map((asset) => fetch(new URL(asset, address))))
      expect(answers.map((answer) => answer.status)).toEqual(assets.map(() => 200))
      await Promise.all(answers.map((answer) => answer.arrayBuffer()))
    })

    it.runIf(isFirst)('writes a conversation as one page, with licences', async () => {
      const conversation = readFileSync(`${root}/packages/node/example/conversation.json`, 'utf8')
      const place = at({ 'conversation.json': conversation })
      expect(await place.run('inspect', 'conversation.json', '--html', 'report.html')).toMatchObject({ code: 0 })
      expect(place.read('report.html')).toMatch(/^<!doctype html>[^]*Copyright \(c\) Meta Platforms/i)
    })

    it.runIf(isFirst)('chats in a terminal', async () => {
      const { folder, environment } = at()
      const program = [node, join(installed(), 'node_modules/.bin/plimsoll')] as const
      const terminal = openTerminal({ args: ['chat'], folder, environment, program })
      onTestFinished(terminal.end)
      await terminal.shows('› Describe a task')
    })

    it.runIf(isFirst)('is a client and a server of the Model Context Protocol', async () => {
      const place = at()
      const own = { command: node, args: [join(installed(), 'node_modules/.bin/plimsoll'), 'mcp'] }
      writeSettings(place, { mcp_servers: { own } })
      const events = await place.task('list .')
      expect(events.map(({ type }) => type)).toContain('turn_end')
      expect(events.filter(({ data }) => data['code'] === 'tools_trouble')).toEqual([])
    })

    it('relays a request byte for byte, and reports it as a metric and as a trace', async () => {
      const collector = await startOtlpReceiver()
      whenOver(() => collector.close())
      const upstream = await startFakeUpstream(() => ({ text: 'high water at six' }))
      whenOver(() => upstream.close())
      const place = at()
      const telemetry = { otlp_endpoint: collector.endpoint }
      writeSettings(place, { gateway: { upstreams: { anthropic: upstream.url }, telemetry } })
      const gateway = place.start('gateway', '--port', '0', '--json')
      await gateway.printed(/\n/)
      const { address } = JSON.parse(gateway.text()) as { readonly address: string }
      const body = '{ "model":"claude-sonnet-5", "max_tokens":100, "messages":[{"role":"user","content":"When is high water?"}] }'
      const answer = await fetch(`${address}/v1/messages`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': 'none' },
        body,
      })
      expect({ status: answer.status, text: await answer.text() }).toEqual({
        status: 200,
        text: expect.stringContaining('high water at six'),
      })
      expect(upstream.exchanges.map((exchange) => exchange.body.toString())).toEqual([body])
      expect(await (await fetch(`${address}/metrics`)).text()).toContain('plimsoll_requests_total{')
      await expect.poll(() => collector.spans.map(({ name }) => name)).toEqual(['chat claude-sonnet-5'])
    })

    it.runIf(isFirst)('passes its own doctor', async () => {
      const { code, stdout } = await at().run('doctor')
      expect({ code, last: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, last: 'No problems found.' })
    })
  })
})

function writeSettings({ environment }: Workplace, settings: object): void {
  const path = join(environment['XDG_CONFIG_HOME'] as string, 'plimsoll/config.yaml')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, JSON.stringify(settings))
}

/** As `du` counts. */
function bytesOnDisk(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return entries.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks * 512, 0)
}

const lookedAround = `What the offline model did:
- search highWater: 1 match in 1 file
  src/tide.ts:1:export const highWater = 6
- map: Map of .: 1 symbol in 1 source file.
  src/tide.ts
    1: export const highWater = 6
`
