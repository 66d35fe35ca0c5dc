import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/client'
import { InMemoryTransport } from '@modelcontextprotocol/server'
import { recallTool } from '@plimsoll/core'
import { defaultConfig } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createRecallServer } from '../../mcp/recall-server.ts'
import { openGatewayStore } from '../../store/open-gateway-store.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { longRequest, tinyRequest } from '../setup/prove-bytes.ts'
import { startProvider } from '../testing/fake-provider.ts'
import { runCaptured } from '../testing/run-captured.ts'
import { type RunningCommand, startCommand } from '../testing/running-command.ts'

const strings = stringsFor('en')
const gatewayStrings = strings.gateway
const token = 'a-token-of-my-own-choice'

describe('plimsoll gateway', () => {
  it('prints its address, mode and usage at the start, and totals at the end', async () => {
    const { environment } = machine()
    const provider = await startProvider()
    const gateway = start(['--upstream', provider.url], environment)
    const address = /^Gateway listening on (http:\/\/127\.0\.0\.1:\d+)$/.exec(await gateway.firstLine())?.[1] ?? ''
    const { path, headers, body } = tinyRequest('anthropic')
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    expect([answer.status, provider.arrived.map((request) => request.body.equals(Buffer.from(body)))]).toEqual([200, [true]])
    await answer.text()
    const code = await gateway.stop()
    const [last, ...lines] = gateway.stdout().trimEnd().split('\n').reverse()
    expect({ code, stderr: gateway.stderr(), stdout: lines.reverse() }).toEqual({
      code: 0,
      stderr: `${gatewayStrings.closing}\n`,
      stdout: [
        gatewayStrings.ready(address),
        `${gatewayStrings.mode('observe')}   ${gatewayStrings.nothingChanges}`,
        ...['anthropic', 'openai', 'gemini'].map((company) => gatewayStrings.upstream(company, provider.url)),
        gatewayStrings.store('~/state/plimsoll/gateway/store.sqlite'),
        gatewayStrings.howToWire(`eval "$(plimsoll env claude --port ${new URL(address).port})"`),
        gatewayStrings.howToRun('plimsoll run -- claude'),
        gatewayStrings.howToStop,
      ],
    })
    expect(last).toMatch(/^requests: 1, input tokens: \d+; bytes changed: 0; requests without a known price: 1$/)
  })

  it('prints JSON at the start and at the end with --json', async () => {
    const { environment } = machine()
    const provider = await startProvider()
    const gateway = start(
      ['--json', '--trim', 'safe', '--upstream', provider.url, '--upstream', 'gemini=https://other.example/v1beta'],
      environment,
    )
    const ready = JSON.parse(await gateway.firstLine()) as { readonly address: string; readonly port: number }
    await gateway.stop()
    const { url } = provider
    expect([ready, JSON.parse(gateway.stdout().trimEnd().split('\n')[1] ?? '')]).toEqual([
      {
        address: `http://127.0.0.1:${ready.port}`,
        port: ready.port,
        mode: 'safe',
        upstreams: { anthropic: url, 'openai-chat': url, 'openai-responses': url, gemini: 'https://other.example/v1beta' },
        store: '~/state/plimsoll/gateway/store.sqlite',
      },
      { requests: 0, changed: 0, tokensBefore: 0, tokensAfter: 0, paid: 0, untrimmed: 0, unpriced: 0 },
    ])
  })

  it('lets the user recall trimmed content, and the model through MCP', async () => {
    const { environment, store: location } = machine()
    const provider = await startProvider()
    const gateway = start(['--json', '--trim', 'safe', '--upstream', provider.url], environment)
    const { address } = JSON.parse(await gateway.firstLine()) as { readonly address: string }
    const { path, headers, body, around } = longRequest('anthropic', 'call-1')
    const answer = await fetch(`${address}${path}`, { method: 'POST', headers, body: new Uint8Array(body) })
    expect(answer.headers.get('x-plimsoll-rules')).toBe('limit-tool-output')
    await answer.text()
    await gateway.stop()
    expect(gateway.stdout()).toContain('"changed":1')

    const store = await openGatewayStore(location, { now: Date.now })
    onTestFinished(store.close)
    const [tenant = ''] = await store.tenants()
    const handle = (await store.originals(tenant, ''))[0]?.handle ?? ''
    const original = Buffer.from(body)
      .subarray(around?.before, body.byteLength - (around?.behind ?? 0))
      .toString()
    const recalled = await runCaptured(['recall', handle], { environment })
    expect(recalled).toEqual({ code: 0, stdout: original, stderr: '' })
    expect((await runCaptured(['recall', '000000000000'], { environment })).code).toBe(1)

    const ask = await connect(await createRecallServer({ version: '1', store, tenants: store.tenants, config: defaultConfig }))
    expect(await ask({ handle, characters: '1-40' })).toBe(original.slice(0, 40))
    expect(await ask({ tool: 'Bash', about: 'seq 1', characters: '1-40' })).toBe(original.slice(0, 40))
    expect(await ask({ query: 'line 1234 of' })).toContain('line 1234 of a long answer')
    expect(await ask({ handle: 'ffffffffffff' })).toMatch(
      /^Nothing is kept under the handle ffffffffffff\. .*This answer is final/,
    )
    expect(await ask({ lines: 'x' })).toMatch(/^recall: lines has to be/)
  })

  it('adds up the requests in the store', async () => {
    const { environment } = machine()
    expect(await runCaptured(['gateway', 'savings'], { environment })).toEqual({
      code: 0,
      stdout: `${gatewayStrings.savings.nothing}\n`,
      stderr: '',
    })
    const provider = await startProvider()
    const gateway = start(['--json', '--upstream', provider.url], environment)
    const { address } = JSON.parse(await gateway.firstLine()) as { readonly address: string }
    const body = '{"model":"claude-opus-5","max_tokens":1,"messages":[{"role":"user","content":"hi"}]}'
    const sent = await fetch(`${address}/v1/messages`, {
      method: 'POST',
      headers: { 'x-api-key': 'k', 'content-type': 'application/json' },
      body,
    })
    await sent.text()
    await gateway.stop()
    const { stdout } = await runCaptured(['gateway', 'savings', '--json'], { environment })
    const savings = JSON.parse(stdout) as { readonly requests: number; readonly paid: number; readonly untrimmed: number }
    expect([savings.requests, savings.paid > 0, savings.paid === savings.untrimmed]).toEqual([1, true, true])
    const { stdout: text } = await runCaptured(['gateway', 'savings'], { environment })
    expect(text.split('\n').slice(3)).toEqual([
      gatewayStrings.savings.net(gatewayStrings.even, '0.0 %'),
      gatewayStrings.savings.noHoldOut,
      '',
    ])
  })

  it.each([
    ['a public address', ['--host', '0.0.0.0'], gatewayStrings.needsPublic('0.0.0.0')],
    ['a public address without a token', ['--host', '192.0.2.1', '--public'], gatewayStrings.needsToken('192.0.2.1')],
    ['a token that is easy to guess', ['--token', 'short'], strings.server.serve.badToken('--token')],
    ['an unknown mode', ['--trim', 'bold'], gatewayStrings.badMode('"bold"', 'observe, safe, spec, economy')],
    ['an unknown log level', ['--log', 'loud'], gatewayStrings.badLevel('"loud"', 'debug, info, warn, silent')],
    [
      'an address on another machine without encryption',
      ['--upstream', 'openai=http://10.0.0.7:8000'],
      gatewayStrings.unencryptedUpstream('"http://10.0.0.7:8000"'),
    ],
    ['an invalid upstream address', ['--upstream', 'openai=ftp://x'], gatewayStrings.badUpstream('"ftp://x"')],
    [
      'an address with a password, without repeating it',
      ['--upstream', 'https://me:secret@x'],
      gatewayStrings.badUpstream('"https://…@x"'),
    ],
    [
      'an unknown provider',
      ['--upstream', 'mistral=https://x'],
      gatewayStrings.unknownDialect('"mistral"', 'anthropic, openai, gemini, openai-chat, openai-responses'),
    ],
  ])('refuses %s and explains what to do', async (_name, options, sentence) => {
    const { environment } = machine()
    const refused = await runCaptured(['gateway', ...options], { environment })
    expect(refused).toEqual({ code: 2, stdout: '', stderr: `error: ${sentence}\n` })
  })

  it('reports a store that cannot be opened, without the password', async () => {
    const { environment } = machine()
    const url = 'postgres://me:secret@127.0.0.1:1/nothing'
    const { code, stdout, stderr } = await runCaptured(['gateway', '--port', '0', '--store', url, '--token', token], {
      environment,
    })
    expect([
      code,
      stdout,
      stderr.startsWith(`error: ${gatewayStrings.storeProblem('PostgreSQL at 127.0.0.1:1/nothing', '')}`),
      stderr.includes('secret'),
    ]).toEqual([1, '', true, false])
  })

  it.each(['gateway', 'run', 'env', 'doctor', 'mcp'] as const)(
    'prints help for %s in both languages, with examples',
    async (name) => {
      const [english, chinese] = await Promise.all(
        ['en_GB.UTF-8', 'zh_CN.UTF-8'].map((LANG) => runCaptured([name, '--help'], { environment: { LANG }, terminal: 200 })),
      )
      expect(english?.stdout).toContain(gatewayStrings.help[name])
      expect(chinese?.stdout).toContain(stringsFor('zh').gateway.help[name])
      expect(english?.stdout).toContain(`\n  plimsoll ${name}`)
    },
  )
})

/** A minimal MCP client: calls the tool and returns its text. */
async function connect(
  server: Awaited<ReturnType<typeof createRecallServer>>,
): Promise<(input: Record<string, unknown>) => Promise<string>> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(theirs), client.connect(ours)])
  onTestFinished(() => client.close())
  const { tools } = await client.listTools()
  expect(tools.map(({ name, inputSchema, annotations }) => [name, inputSchema, annotations?.readOnlyHint])).toEqual([
    ['recall', recallTool.inputSchema, true],
  ])
  return async (input) => {
    const { content } = await client.callTool({ name: 'recall', arguments: input })
    return (content as readonly { readonly text?: string }[])[0]?.text ?? ''
  }
}

/** An isolated home folder, removed after the test. */
function machine(): { readonly path: string; readonly store: string; readonly environment: Readonly<Record<string, string>> } {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-gateway-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const environment = {
    HOME: path,
    XDG_STATE_HOME: join(path, 'state'),
    XDG_CONFIG_HOME: join(path, 'config'),
    // A busy machine must not turn a plan into the original bytes.
    PLIMSOLL_GATEWAY__LIMITS__PLAN_MILLISECONDS: '60000',
  }
  return { path, store: join(path, 'state', 'plimsoll', 'gateway', 'store.sqlite'), environment }
}

function start(options: readonly string[], environment: Readonly<Record<string, string>>): RunningCommand {
  const command = startCommand(['gateway', '--port', '0', ...options], environment)
  onTestFinished(async () => void (await command.stop()))
  return command
}
