import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { handleOf, resultText } from '@plimsoll/core'
import { defaultGatewaySettings } from '@plimsoll/core/policies'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { forgePair } from '../../../../core/src/testing/forge-pair.ts'
import { gatewayFolderIn } from '../../config/home-folder.ts'
import { storeFile, tenantOf } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { noSettings } from '../setup/quick-settings.ts'
import { runCaptured } from '../testing/run-captured.ts'
import { plimsollHooks } from './agent-sdk.ts'
import { claudeMatcher, type HookedAgent } from './hook-agents.ts'
import { runHook } from './run-hook.ts'

const build = Array.from({ length: 900 }, (_, line) =>
  line === 700 ? 'src/cart.ts(12,3): error TS2304: quantity is not defined' : `compiled module ${line}`,
).join('\n')

const call = (response: unknown, more: object = {}) => ({
  session_id: 'session',
  cwd: '/srv',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'make' },
  tool_use_id: 'toolu_1',
  tool_response: response,
  ...more,
})
const bash = (stdout: string, more: object = {}) => ({ stdout, stderr: '', interrupted: false, isImage: false, ...more })

function temporaryHome(): string {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-hook-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  return home
}

async function answerOf(agent: HookedAgent, input: unknown, environment: Readonly<Record<string, string>>, onLarge = () => {}) {
  let written = ''
  const text = typeof input === 'string' ? input : JSON.stringify(input)
  await runHook(agent, {
    stdin: (async function* () {
      yield Buffer.from(text)
    })(),
    environment,
    folder: '/',
    platform: 'linux',
    now: () => 1_700_000_000_000,
    write: (more) => {
      written += more
    },
    onLarge,
  })
  return written === '' ? null : (JSON.parse(written) as Readonly<Record<string, never>>)
}

describe('a hook of Claude Code', () => {
  it('gives a long result back shorter, in the same shape, and keeps the original for recall', async () => {
    const home = temporaryHome()
    const answer = await answerOf('claude-code', call(bash(build, { stderr: 'warned' })), { HOME: home })
    const { hookEventName, updatedToolOutput: shown } = answer?.['hookSpecificOutput'] as unknown as {
      hookEventName: string
      updatedToolOutput: { stdout: string }
    }
    expect([hookEventName, { ...shown, stdout: '' }]).toEqual(['PostToolUse', bash('', { stderr: 'warned' })])
    expect(shown.stdout).toContain('error TS2304')
    expect(shown.stdout).toContain(`recall ${handleOf(build)}`)
    const recalled = await runCaptured(['recall', handleOf(build), '--pattern', 'module 500'], {
      environment: { HOME: home, XDG_CONFIG_HOME: home },
    })
    expect(recalled.stdout).toContain('compiled module 500')
  })

  it('says before it works on a large text, which needs optimised code', async () => {
    const home = temporaryHome()
    const path = join(home, 'output.txt')
    writeFileSync(path, build.repeat(10))
    const inputs = [bash(build), bash(build.repeat(10)), bash('start', { persistedOutputPath: path })]
    const calls = []
    for (const input of inputs) {
      const onLarge = vi.fn<() => void>()
      await answerOf('claude-code', call(input), { HOME: home }, onLarge)
      calls.push(onLarge.mock.calls.length)
    }
    expect(calls).toEqual([0, 1, 1])
  })

  it('gives a view of the file in which Claude Code stored a result, instead of its first lines', async () => {
    const home = temporaryHome()
    const whole = `${build.repeat(5)}\nERROR at the very end`
    const path = join(home, 'output.txt')
    writeFileSync(path, whole)
    const stored = { persistedOutputPath: path, persistedOutputSize: whole.length }
    const answer = await answerOf('claude-code', call(bash(build.slice(0, 2000), stored)), { HOME: home })
    const shown = (answer?.['hookSpecificOutput'] as unknown as { updatedToolOutput: Record<string, string> }).updatedToolOutput
    expect(Object.keys(shown)).toEqual(Object.keys(bash('')))
    expect(shown['stdout']).toContain('ERROR at the very end')
    expect(shown['stdout']).toContain(`recall ${handleOf(whole)}`)
  })

  it('does not read a file that a tool server names', async () => {
    const home = temporaryHome()
    const path = join(home, 'private.txt')
    writeFileSync(path, `${build}\nPRIVATE`)
    const response = { content: build, persistedOutputPath: path }
    const answer = await answerOf('claude-code', call(response, { tool_name: 'mcp__far__list' }), { HOME: home })
    expect(JSON.stringify(answer)).toContain(`recall ${handleOf(build)}`)
    expect(JSON.stringify(answer)).not.toContain('PRIVATE')
  })

  it('shortens the texts of an MCP tool, a search and a web page', async () => {
    const environment = { HOME: temporaryHome() }
    const shown = async (tool: string, response: unknown) =>
      (await answerOf('claude-code', call(response, { tool_name: tool }), environment))?.['hookSpecificOutput']?.[
        'updatedToolOutput'
      ]
    const image = { type: 'image', source: {} }
    const list = Array.from({ length: 80 }, (_, id) => ({ id, name: `item ${id}` }))
    const [first, text] = (await shown('mcp__shop__list', [
      image,
      { type: 'text', text: JSON.stringify(list, null, 2) },
    ])) as unknown as never[]
    expect([first, JSON.parse((text as { text: string } | undefined)?.text ?? '')]).toEqual([image, list])
    expect(await shown('mcp__shop__log', build)).toContain('[cut]')
    expect(await shown('Grep', { mode: 'content', numFiles: 1, filenames: [], content: build })).toMatchObject({
      mode: 'content',
      content: expect.stringContaining('[cut]'),
    })
    expect(await shown('WebFetch', { bytes: 1, code: 200, result: build })).toMatchObject({
      code: 200,
      result: expect.stringContaining('[cut]'),
    })
  })

  it.each<readonly [string, unknown]>([
    ['short', call(bash('done'))],
    ['an image', call(bash(build, { isImage: true }))],
    ['structured', call({ content: build, structuredContent: {} })],
    ['a list of names', call({ filenames: build.split('\n') })],
    ['in a file that is gone', call(bash('start', { persistedOutputPath: '/nonexistent/x' }))],
    ['of another event', call(bash(build), { hook_event_name: 'PreToolUse' })],
    ['recalled', call(build, { tool_name: 'mcp__plugin_plimsoll_plimsoll__recall' })],
    ['nothing', null],
    ['a number', 7],
    ['a list', []],
    ['without a result', { hook_event_name: 'PostToolUse' }],
    ['with odd fields', call({ stdout: 7, content: { stdout: build } }, { tool_name: 7, session_id: {}, tool_input: null })],
    ['not JSON', '{"hook_event_name":'],
    ['empty', ''],
  ])('answers nothing to a result that is %s', async (_name, input) => {
    expect(await answerOf('claude-code', input, { HOME: temporaryHome() })).toBeNull()
  })

  it.each<readonly [string, (home: string) => Readonly<Record<string, string>>]>([
    ['cannot be written', (home) => (writeFileSync(join(home, 'file'), ''), { HOME: join(home, 'file') })],
    ['is a database', (home) => ({ HOME: home, PLIMSOLL_GATEWAY__STORE: 'postgres://127.0.0.1:1/x' })],
    [
      'is not a store',
      (home) => (
        writeFileSync(join(home, 'notes'), 'notes\n'.repeat(99)), { HOME: home, PLIMSOLL_GATEWAY__STORE: join(home, 'notes') }
      ),
    ],
  ])('answers nothing if the store %s: the original would be lost', async (_name, environment) => {
    expect(await answerOf('claude-code', call(bash(build)), environment(temporaryHome()))).toBeNull()
  })

  it('keeps originals in the configured store, and remembers the settings without a password', async () => {
    const home = temporaryHome()
    const config = join(home, '.config', 'plimsoll')
    mkdirSync(config, { recursive: true })
    writeFileSync(join(config, 'config.yaml'), `gateway:\n  store: ${join(home, 'mine.sqlite')}\n`)
    for (const text of [build, `${build}!`])
      expect(await answerOf('claude-code', call(bash(text)), { HOME: home })).not.toBeNull()
    const store = await openSqliteStore({ path: join(home, 'mine.sqlite'), now: Date.now })
    onTestFinished(() => store.close())
    const [tenant = ''] = await store.tenants()
    expect(await store.originals(tenant, handleOf(build))).toHaveLength(1)
    expect(readFileSync(join(home, '.cache', 'plimsoll', 'hook', 'settings'), 'utf8')).toContain('mine.sqlite')
    writeFileSync(join(config, 'config.yaml'), 'gateway:\n  store: postgres://me:hunter2@127.0.0.1:1/x\n')
    expect(await answerOf('claude-code', call(bash(build)), { HOME: home })).toBeNull()
    expect(readFileSync(join(home, '.cache', 'plimsoll', 'hook', 'settings'), 'utf8')).not.toContain('hunter2')
  })
})

describe('hostile input', () => {
  const deep = (count: number) => JSON.parse(`${'{"a":'.repeat(count)}1${'}'.repeat(count)}`) as unknown
  const odd = '../../../evil\u0000\u001b]0;x\u0007'
  const inputs: readonly (readonly [string, unknown, 'shortened' | 'left'])[] = [
    [
      'names that are paths and escape sequences',
      call(bash(build), { session_id: odd, tool_use_id: odd, cwd: odd }),
      'shortened',
    ],
    [
      'names that are SQL',
      call(bash(build), { session_id: "'; DROP TABLE originals; --", tool_use_id: "' OR 1=1 --" }),
      'shortened',
    ],
    ['names that are no texts', call(bash(build), { session_id: { toString: 1 }, tool_use_id: [1], cwd: 5 }), 'shortened'],
    ['names of prototypes', call(bash(build), { session_id: '__proto__', tool_use_id: 'constructor' }), 'shortened'],
    ['a folder that is a device', call(bash(build), { cwd: '/dev/zero' }), 'shortened'],
    ['half characters', call(bash(`${build}\n${'\ud800\n'.repeat(900)}`)), 'shortened'],
    ['arguments that are nested deep', call(bash(build), { tool_input: deep(3000) }), 'shortened'],
    ['one line of 4 MB', call(bash('aError: '.repeat(500_000))), 'shortened'],
    ['a result that is nested deep', call(deep(3000)), 'left'],
    ['20,000 short texts', call(Array.from({ length: 20_000 }, (_, index) => ({ type: 'text', text: `${index}` }))), 'left'],
    ['a device as the stored output', call(bash(build, { persistedOutputPath: '/dev/zero' })), 'left'],
    ['a folder as the stored output', call(bash(build, { persistedOutputPath: '/' })), 'left'],
    ['a fatal number', '1e999', 'left'],
    ['brackets without end', '['.repeat(500_000), 'left'],
  ]
  it.each(inputs)('is answered with JSON or with nothing: %s', async (_, input, expected) => {
    const home = temporaryHome()
    const answer = await answerOf('claude-code', input, { HOME: home })
    expect(answer === null ? 'left' : 'shortened').toBe(expected)
    expect(readdirSync(home).filter((name) => !/^\.(?:local|cache)$/.test(name))).toEqual([])
    if (answer === null) return
    const recalled = await answerOf('claude-code', call(bash(build)), { HOME: home })
    expect(recalled).not.toBeNull()
  })
})

describe('a hook of another agent', () => {
  it('of Codex replaces a result by a reason, and only to cut it', async () => {
    const environment = { HOME: temporaryHome() }
    expect(await answerOf('codex', call(build), environment)).toEqual({
      decision: 'block',
      reason: expect.stringContaining('error TS2304'),
    })
    expect(await answerOf('codex', call({ output: build }), environment)).toMatchObject({ decision: 'block' })
    const json = JSON.stringify(
      Array.from({ length: 50 }, (_, id) => ({ id })),
      null,
      2,
    )
    expect(await answerOf('codex', call(json, { tool_name: 'mcp__x__y' }), environment)).toBeNull()
  })

  it('of Copilot CLI replaces the text for the model, except of a failure', async () => {
    const environment = { HOME: temporaryHome() }
    const input = (resultType: string) => ({
      sessionId: 's',
      cwd: '/srv',
      toolName: 'bash',
      toolArgs: '{"command":"make"}',
      toolResult: { resultType, textResultForLlm: build, sessionLog: 'x' },
    })
    expect(await answerOf('copilot', input('success'), environment)).toEqual({
      modifiedResult: { resultType: 'success', textResultForLlm: expect.stringContaining('error TS2304'), sessionLog: 'x' },
    })
    expect(await answerOf('copilot', input('failure'), environment)).toBeNull()
  })
})

it('keeps both of two texts that were made to have one handle, and recall gives neither by it', async () => {
  const home = temporaryHome()
  const [one, other] = forgePair().map((text) => `${text}\n${build}`) as [string, string]
  expect(handleOf(one)).toBe(handleOf(other))
  for (const [name, text] of Object.entries({ one, other })) {
    const toolResult = { resultType: 'success', textResultForLlm: text }
    const input = { sessionId: 's', toolName: 'bash', toolArgs: { command: name }, toolResult }
    expect(JSON.stringify(await answerOf('copilot', input, { HOME: home }))).toContain(`recall ${handleOf(text)}`)
  }
  const { stderr } = await runCaptured(['recall', handleOf(one)], { environment: { HOME: home, XDG_CONFIG_HOME: home } })
  expect(stderr).toContain(`Different texts have the handle ${handleOf(one)}`)
  const store = await openSqliteStore({ path: join(gatewayFolderIn({ HOME: home }) ?? '', storeFile), now: () => 0 })
  onTestFinished(() => store.close())
  const kept = await store.originals(tenantOf(await store.secret(), null), handleOf(one))
  expect(
    kept.flatMap(({ message }) => message.parts.map((part) => (part.type === 'tool-result' ? resultText(part) : ''))).toSorted(),
  ).toEqual([one, other].toSorted())
})

describe('the files of Copilot CLI', () => {
  it('are read instead of their first 500 characters, but no other file that a text names', async () => {
    const home = temporaryHome()
    const saved = (path: string) =>
      `Output too large to read at once (32.7 KB). Saved to: ${path}\nConsider using tools like grep.\n\nPreview (first 500 chars):\nx\n<shellId: 0 completed with exit code 0>`
    const answer = (path: string, toolName = 'bash') =>
      answerOf(
        'copilot',
        { toolName, toolArgs: {}, toolResult: { resultType: 'success', textResultForLlm: saved(path) } },
        { HOME: home },
      )
    const own = join(home, '1794983983179-copilot-tool-output-10709-bc80c7f4.txt')
    writeFileSync(own, build)
    writeFileSync(join(home, 'secrets.txt'), build)
    const shown = JSON.stringify(await answer(own))
    expect(shown).toContain('error TS2304')
    expect(shown).toContain(`recall ${handleOf(build)}`)
    expect(shown).toContain('<shellId: 0 completed with exit code 0>')
    // On Windows, lines may end with a carriage return.
    expect(JSON.stringify(await answer(`${own}\r`))).toContain(`recall ${handleOf(build)}`)
    expect(await answer(join(home, 'secrets.txt'))).toBeNull()
    expect(await answer(own, 'mcp-tool')).toBeNull()
  })

  it.runIf(process.platform !== 'win32')(
    'are not read through a link or from a pipe that a cloned repository holds',
    async () => {
      const home = temporaryHome()
      const secret = join(home, 'secret')
      writeFileSync(secret, `${build}\nprivate words`)
      const [link, pipe] = ['link', 'pipe'].map((name) => join(home, `1-copilot-tool-output-${name}.txt`)) as [string, string]
      symlinkSync(secret, link)
      execFileSync('mkfifo', [pipe])
      for (const path of [link, pipe]) {
        const text = `Output too large to read at once (32.7 KB). Saved to: ${path}\nPreview`
        const toolResult = { resultType: 'success', textResultForLlm: text }
        expect(await answerOf('copilot', { toolName: 'bash', toolArgs: {}, toolResult }, { HOME: home })).toBeNull()
        expect(await answerOf('claude-code', call(bash(build, { persistedOutputPath: path })), { HOME: home })).toBeNull()
      }
    },
  )
})

describe('the hooks for the Claude Agent SDK', () => {
  it('answer as the plugin does, and leave what they cannot read', async () => {
    const home = temporaryHome()
    vi.stubEnv('HOME', home)
    onTestFinished(() => void vi.unstubAllEnvs())
    const [{ matcher, hooks } = { matcher: '', hooks: [] }] = plimsollHooks().PostToolUse
    expect(matcher).toBe(claudeMatcher)
    const answer = await hooks[0]?.(call(bash(build)))
    expect(answer).toEqual(await answerOf('claude-code', call(bash(build)), { HOME: home }))
    expect(JSON.stringify(answer)).toContain(`recall ${handleOf(build)}`)
    expect(await hooks[0]?.({ odd: true })).toEqual({})
  })
})

describe('plimsoll hook', () => {
  it.each([
    ['claude-code', claudeMatcher],
    ['codex', 'plimsoll hook codex'],
    ['copilot', 'plimsoll hook copilot'],
  ])('--print %s prints settings as JSON, and what they change', async (agent, part) => {
    const { code, stdout, stderr } = await runCaptured(['hook', '--print', agent])
    expect([code, JSON.stringify(JSON.parse(stdout)).includes(part)]).toEqual([0, true])
    expect(stderr).toContain('the agent’s own transcript has the shortened results')
  })

  it('ends with 0 and says nothing if its input is odd', async () => {
    expect(await runCaptured(['hook', 'claude-code'], { stdin: 'nothing' })).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('rejects an agent without such hooks', async () => {
    expect(await runCaptured(['hook', 'emacs'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('claude-code, codex, copilot'),
    })
  })

  it('has the same defaults as the gateway', () => {
    const { store, keep_days } = defaultGatewaySettings
    expect(noSettings.gateway).toEqual({ store, keep_days })
  })
})
