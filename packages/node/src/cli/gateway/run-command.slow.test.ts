import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { run } from '../run.ts'
import { startProvider } from '../testing/fake-provider.ts'
import { reachesAnthropic } from './run-command.ts'

const strings = stringsFor('en').gateway

/** The arguments and environment of a started agent. */
interface Seen {
  readonly arguments: readonly string[]
  readonly variables: Readonly<Record<string, string>>
  readonly arrived: number | null
}

describe('plimsoll run', () => {
  it.each([
    ['observe', 'https://api.anthropic.com', true, true],
    ['safe', 'https://api.anthropic.com', true, false],
    ['observe', 'https://proxy.example', false, false],
  ] as const)(
    'knows whether Anthropic receives what an agent sends, and unchanged: %s, %s',
    (mode, anthropic, isAnthropic, isAnthropicUnchanged) => {
      const others = { 'openai-chat': '', 'openai-responses': '', gemini: '' }
      expect(reachesAnthropic({ mode, upstreams: { anthropic, ...others } })).toEqual({ isAnthropic, isAnthropicUnchanged })
    },
  )

  it('runs an agent through its own gateway, exits with its code, and prints totals', async () => {
    const provider = await startProvider()
    const place = machine({ ANTHROPIC_BASE_URL: provider.url, OPENAI_BASE_URL: `${provider.url}/v1` })
    const { code, stderr } = await place.run(['run', '--no-inspector', '--', place.agent('my-agent'), '--flag', 'ask', '7'])
    const { arguments: passed, variables, arrived } = place.seen()
    const address = variables['ANTHROPIC_BASE_URL'] ?? ''
    expect([code, passed, arrived]).toEqual([7, ['--flag', 'ask', '7'], 200])
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/)
    expect(address).not.toBe(provider.url)
    expect(variables['OPENAI_BASE_URL']).toBe(`${address}/v1`)
    expect(provider.arrived.map(({ path }) => path)).toEqual(['/v1/messages'])
    expect(stderr.split('\n').slice(0, 3)).toEqual([
      strings.run.ready(address, 'observe'),
      strings.run.ownUpstream('ANTHROPIC_BASE_URL', provider.url),
      strings.run.ownUpstream('OPENAI_BASE_URL', provider.url),
    ])
    expect(stderr).toMatch(/\nrequests: 1, input tokens: \d+; bytes changed: 0[^\n]*\n$/)
    // The gateway is gone with it.
    await expect(fetch(`${address}/livez`)).rejects.toThrow('fetch failed')
    // No file of the user has changed.
    const files = readdirSync(place.path, { recursive: true, encoding: 'utf8' }).filter((name) => !name.startsWith('programs'))
    expect(files.filter((name) => !name.startsWith('state'))).toEqual([])
    expect(files).toContain(join('state', 'plimsoll', 'gateway', 'store.sqlite'))
  })

  it('passes the provider to Codex before its own arguments, and keeps our tokens from it', async () => {
    const place = machine({ PLIMSOLL_SERVER_TOKEN: 'a-token-of-my-own-choice', PLIMSOLL_GATEWAY_TOKEN: 'another-token-of-mine' })
    const { code } = await place.run(['run', '--no-inspector', '--', place.agent('codex'), 'exec', 'do it'])
    const { arguments: passed, variables } = place.seen()
    expect([code, passed.slice(0, 3), passed.slice(4)]).toEqual([0, ['-c', 'model_provider="plimsoll"', '-c'], ['exec', 'do it']])
    expect(passed[3]).toMatch(
      /^model_providers\.plimsoll=\{name="Plimsoll",base_url="http:\/\/127\.0\.0\.1:\d+\/v1",wire_api="responses",env_key="OPENAI_API_KEY"\}$/,
    )
    expect(Object.keys(variables).filter((name) => /TOKEN|BASE_URL/.test(name))).toEqual([])
  })

  it('is reached directly even if the agent uses a proxy for everything else', async () => {
    const place = machine({ HTTP_PROXY: 'http://proxy.example:3128', NO_PROXY: 'internal.example' })
    await place.run(['run', '--no-inspector', '--', place.agent('my-agent')])
    const { HTTP_PROXY, NO_PROXY } = place.seen().variables
    const socks = await machine({ HTTPS_PROXY: 'socks5://127.0.0.1:9', http_proxy: '' }).run([
      'run',
      '--no-inspector',
      '--',
      'true',
    ])
    expect(socks.stderr).toContain(`${strings.unusableProxy('HTTPS_PROXY')}\n`)
    expect({ HTTP_PROXY, NO_PROXY }).toEqual({
      HTTP_PROXY: 'http://proxy.example:3128',
      NO_PROXY: 'internal.example,127.0.0.1,localhost',
    })
  })

  it('starts the inspector, prints its address, and tells Claude Code that bytes are unchanged', async () => {
    const place = machine()
    const { code, stderr } = await place.run(['run', '--', place.agent('claude')])
    expect(place.seen().variables['_CLAUDE_CODE_ASSUME_FIRST_PARTY_BASE_URL']).toBe('1')
    expect([code, /\ninspector: http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{43}\n/.test(stderr)]).toEqual([0, true])
  })

  it('gives Claude Code the tool recall if something may be trimmed', async () => {
    const place = machine()
    await place.run(['run', '--no-inspector', '--trim', 'safe', '--', place.agent('claude'), 'hello'])
    const [option = '', ...rest] = place.seen().arguments
    const { command, args } = JSON.parse(option.replace('--mcp-config=', '')).mcpServers.plimsoll
    expect([command, args.slice(1), rest]).toEqual([
      process.execPath,
      ['mcp', '--store', join(place.path, 'state', 'plimsoll', 'gateway', 'store.sqlite')],
      ['hello'],
    ])
    expect(existsSync(args[0])).toBe(true)
  })

  it('says how Gemini CLI gets recall, only if something may be trimmed', async () => {
    const said = async (...options: readonly string[]) => {
      const place = machine()
      return (await place.run(['run', '--no-inspector', ...options, '--', place.agent('gemini')])).stderr
    }
    expect(await said('--trim', 'economy')).toContain(`${strings.run.geminiRecall}\n`)
    expect(await said()).not.toContain(strings.run.geminiRecall)
  })

  it('says that an agent made no request through the gateway, and why', async () => {
    const lastLine = async (name: string, environment: Readonly<Record<string, string>>, file = '', content = '') => {
      const place = machine(environment)
      if (file !== '') mkdirSync(dirname(join(place.path, file)), { recursive: true })
      if (file !== '') writeFileSync(join(place.path, file), content)
      const { stderr } = await place.run(['run', '--no-inspector', '--', place.agent(name)])
      return stderr.trimEnd().split('\n').at(-1)
    }
    expect(await lastLine('my-agent', { CLAUDE_CODE_USE_BEDROCK: '1' })).toBe(strings.run.noRequests('', ''))
    expect(await lastLine('claude', { CLAUDE_CODE_USE_BEDROCK: '1', CLAUDE_CODE_USE_VERTEX: '0' })).toBe(
      strings.run.noRequests('CLAUDE_CODE_USE_BEDROCK', ''),
    )
    const settings = '{ // mine\n "env": { "ANTHROPIC_BASE_URL": "https://user:secret@proxy.example" } }'
    expect(await lastLine('claude', {}, '.claude/settings.json', settings)).toBe(
      strings.run.noRequests('', '~/.claude/settings.json'),
    )
    expect(await lastLine('pi', {}, '.pi/agent/models.json', '{"providers":{"x":{"baseUrl":"https://x.example"}}}')).toBe(
      strings.run.noRequests('', '~/.pi/agent/models.json'),
    )
    expect(await lastLine('gemini', {}, '.gemini/settings.json', '{"theme":"dark"}')).toBe(strings.run.noRequests('', ''))
    expect(await lastLine('cline', {})).toBe(strings.run.noAddress)
  })

  it('says before the start that a variable sends the requests elsewhere, and nothing after the help of an agent', async () => {
    const place = machine({ CLAUDE_CODE_USE_BEDROCK: '1' })
    const { stderr } = await place.run(['run', '--no-inspector', '--', place.agent('claude'), '--help'])
    expect(stderr.trimEnd().split('\n').slice(1)).toEqual([
      strings.run.elsewhere('CLAUDE_CODE_USE_BEDROCK'),
      expect.stringMatching(/^requests: 0/),
    ])
  })

  it('leaves another agent’s file reads whole, except by limits of the user, which it names', async () => {
    const sent = async (variables: Readonly<Record<string, string>>) => {
      const provider = await startProvider()
      const place = machine({ ANTHROPIC_BASE_URL: provider.url, ...variables })
      const { stderr } = await place.run([
        'run',
        '--no-inspector',
        '--trim',
        'spec',
        '--',
        place.agent('my-agent'),
        'ask',
        'read',
      ])
      const length = provider.arrived[0]?.body.length ?? 0
      return { isWhole: length > 50_000, isNamed: stderr.includes(strings.readLimits('read_file')) }
    }
    expect(await sent({})).toEqual({ isWhole: true, isNamed: false })
    const limit = { PLIMSOLL_TOOL_OUTPUT_LIMITS__TOOLS__READ_FILE__MAX_CHARS: '6000' }
    expect(await sent(limit)).toEqual({ isWhole: false, isNamed: true })
  })

  it('exits with the code that a shell gives for a signal', async () => {
    const place = machine()
    expect((await place.run(['run', '--no-inspector', '--', 'sh', '-c', 'kill -TERM $$'])).code).toBe(143)
  })

  it('forwards signals to the agent', async () => {
    const place = machine()
    const started = join(place.path, 'started')
    const script = `trap 'exit 9' TERM; touch ${started}; while :; do sleep 0.05; done`
    const running = place.run(['run', '--no-inspector', '--', 'sh', '-c', script])
    await vi.waitUntil(() => existsSync(started), { timeout: 60_000 })
    place.signal('SIGTERM')
    expect((await running).code).toBe(9)
  })

  it('ends with 127 if the program is not found and 126 if it cannot be executed, as a shell does', async () => {
    const place = machine()
    writeFileSync(join(place.path, 'text'), 'not a program')
    for (const [program, ended, sentence] of [
      ['no-such-agent', 127, strings.run.notFound('no-such-agent')],
      ['./no-such-agent', 127, strings.run.notFound('./no-such-agent')],
      [join(place.path, 'text'), 126, strings.run.notExecutable(join(place.path, 'text'))],
      [place.path, 126, strings.run.notExecutable(place.path)],
    ] as const) {
      const { code, stderr } = await place.run(['run', '--no-inspector', '--', program])
      expect([program, code, stderr.endsWith(`error: ${sentence}\n`)]).toEqual([program, ended, true])
      // No gateway is opened for a program that is not there.
      expect(stderr.startsWith('error: ')).toBe(ended === 127)
    }
  })

  it.each([
    [['run'], 2],
    [['run', '--trim', 'bold', '--', 'true'], 2],
  ])('refuses %s', async (command, code) => {
    const place = machine()
    expect((await place.run(command)).code).toBe(code)
  })
})

/** An isolated home folder, with programs that record how they were started. */
function machine(variables: Readonly<Record<string, string>> = {}) {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-run-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  const listeners = new Set<(signal: 'SIGTERM') => void>()
  const seen = join(path, 'programs', 'seen.json')
  return {
    path,
    signal: (signal: 'SIGTERM') => {
      for (const listener of listeners) listener(signal)
    },
    seen: () => JSON.parse(readFileSync(seen, 'utf8')) as Seen,
    agent: (name: string) => {
      const folder = join(path, 'programs')
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'agent.mjs'), agentSource(seen))
      const program = join(folder, name)
      writeFileSync(program, `#!/bin/sh\nexec ${process.execPath} ${join(folder, 'agent.mjs')} "$@"\n`, { mode: 0o755 })
      return program
    },
    run: async (command: readonly string[]) => {
      const written = { stdout: '', stderr: '' }
      const output = (name: 'stdout' | 'stderr') => ({
        write: (text: string) => {
          written[name] += text
        },
        isTerminal: false,
        columns: null,
      })
      const code = await run(command, {
        stdout: output('stdout'),
        stderr: output('stderr'),
        stdin: (async function* () {})(),
        environment: {
          PATH: process.env['PATH'] ?? '',
          HOME: path,
          XDG_STATE_HOME: join(path, 'state'),
          XDG_CONFIG_HOME: join(path, 'config'),
          // A busy machine must not turn a plan into the original bytes.
          PLIMSOLL_GATEWAY__LIMITS__PLAN_MILLISECONDS: '60000',
          ...variables,
        },
        folder: tmpdir(),
        platform: 'linux',
        now: Date.now,
        onSignal: (listener) => {
          listeners.add(listener)
          return () => listeners.delete(listener)
        },
      })
      return { code, ...written }
    },
  }
}

/** Records its arguments and variables, calls a model if one argument is `ask`, and exits with the last number among them. */
function agentSource(seen: string): string {
  return `import { writeFileSync } from 'node:fs'
const args = process.argv.slice(2)
let arrived = null
if (args.includes('ask')) {
  const question = { role: 'user', content: 'hi' }
  const read = [
    { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'a.ts' } }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: Array.from({ length: 3000 }, (_, n) => 'line of a file ' + n).join('\\n') }] },
  ]
  const body = JSON.stringify({ model: 'm', max_tokens: 1, messages: args.includes('read') ? [question, ...read] : [question] })
  const answer = await fetch(process.env.ANTHROPIC_BASE_URL + '/v1/messages', { method: 'POST', headers: { 'x-api-key': 'k', 'content-type': 'application/json' }, body })
  await answer.text()
  arrived = answer.status
}
writeFileSync(${JSON.stringify(seen)}, JSON.stringify({ arguments: args, variables: process.env, arrived }))
process.exitCode = Number(args.findLast((word) => /^\\d+$/.test(word)) ?? 0)
`
}
