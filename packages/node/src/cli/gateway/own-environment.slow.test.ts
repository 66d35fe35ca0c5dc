import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join, win32 } from 'node:path'
import { defaultGatewaySettings } from '@plimsoll/core/policies'
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest'
import { createFolder } from '../testing/run-captured.ts'
import { codexLogin, hasGeminiLogin, hasGeminiRecall, loopbackPastProxies, ownUpstreams } from './own-environment.ts'
import { pastGateway, settingsFiles } from './past-gateway.ts'
import { windowsProgram } from './windows-program.ts'

describe('a login of Codex', () => {
  it.each([
    ['{"auth_mode":"chatgpt","OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}', 'chatgpt'],
    ['{"OPENAI_API_KEY":null,"tokens":{"access_token":"x"}}', 'chatgpt'],
    ['{"auth_mode":"apikey","OPENAI_API_KEY":"sk-x"}', 'key'],
    ['{"OPENAI_API_KEY":"sk-x"}', 'key'],
    ['\uFEFF{"OPENAI_API_KEY":"sk-x"}', 'key'],
    ['{"OPENAI_API_KEY":null}', 'none'],
    ['no JSON', 'none'],
    ['[]', 'none'],
  ] as const)('is read from its file: %s', (text, login) => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    folder.write('auth.json', text)
    expect(codexLogin({ CODEX_HOME: folder.path })).toBe(login)
  })

  it('is none without a file', () => {
    expect([codexLogin({ CODEX_HOME: '/nonexistent' }), codexLogin({ HOME: '/nonexistent' })]).toEqual(['none', 'none'])
  })
})

describe('recall of Gemini CLI', () => {
  it.each([
    ['{ // mine\n "mcpServers": { "plimsoll": { "command": "plimsoll", "args": ["mcp"] } } }', true],
    ['{"mcpServers":{"own":{"command":"/opt/plimsoll","args":["mcp"]}}}', true],
    ['{"mcpServers":{"another":{"command":"x"}}}', false],
    ['{"theme":"plimsoll"}', false],
  ])('is found in its settings: %s', (text, expected) => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    mkdirSync(join(folder.path, '.gemini'))
    folder.write('.gemini/settings.json', text)
    expect(hasGeminiRecall({ environment: { HOME: folder.path }, folder: '/nonexistent' })).toBe(expected)
    expect(hasGeminiRecall({ environment: { HOME: '/nonexistent' }, folder: folder.path })).toBe(expected)
    expect(hasGeminiRecall({ environment: { HOME: '/nonexistent' }, folder: '/nonexistent' })).toBe(false)
  })
})

describe('a login of Gemini CLI', () => {
  it('is read from the settings, with or without comments', () => {
    const folder = createFolder()
    onTestFinished(folder.remove)
    const has = () => hasGeminiLogin({ environment: { HOME: folder.path }, folder: '/nonexistent' })
    expect(has()).toBe(false)
    mkdirSync(join(folder.path, '.gemini'))
    folder.write('.gemini/settings.json', '{}')
    expect(has()).toBe(false)
    folder.write('.gemini/settings.json', '{ // mine\n "security": { "auth": { "selectedType": "gemini-api-key" } } }')
    expect(has()).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('settings of an agent in a cloned repository', () => {
  it.each([
    ['a link to a device that never ends', (path: string) => symlinkSync('/dev/zero', path)],
    ['a pipe that no one writes into', (path: string) => void execFileSync('mkfifo', [path])],
  ])('are not read if they are %s', (_, make) => {
    const { path: folder, remove } = createFolder()
    onTestFinished(remove)
    for (const [program, file] of [
      ['claude', '.claude/settings.json'],
      ['claude', '.claude/settings.local.json'],
      ['gemini', '.gemini/settings.json'],
      ['qwen', '.qwen/settings.json'],
      ['opencode', 'opencode.json'],
      ['aider', '.env'],
    ] as const) {
      mkdirSync(join(folder, file, '..'), { recursive: true })
      make(join(folder, file))
      expect([pastGateway(program, { environment: {}, folder }).files, hasGeminiLogin({ environment: {}, folder })]).toEqual([
        [],
        false,
      ])
      rmSync(join(folder, file))
    }
  })
})

describe('files of settings', () => {
  const home = 'C:\\Users\\Ann Lee'
  const folder = 'D:\\work'
  it.each([
    ['Claude.exe', {}, ['C:\\Users\\Ann Lee\\.claude\\settings.json', 'D:\\work\\.claude\\settings.json']],
    ['claude', { CLAUDE_CONFIG_DIR: 'e:/mine' }, ['e:\\mine\\settings.json', 'D:\\work\\.claude\\settings.json']],
    ['gemini.cmd', {}, ['C:\\Users\\Ann Lee\\.gemini\\settings.json', 'D:\\work\\.gemini\\settings.json']],
    ['opencode', { XDG_CONFIG_HOME: 'relative' }, ['C:\\Users\\Ann Lee\\.config\\opencode\\opencode.json']],
    ['C:\\bin\\pi.cmd', {}, ['C:\\Users\\Ann Lee\\.pi\\agent\\models.json']],
    ['pi', { PI_CODING_AGENT_DIR: '\\\\server\\share' }, ['\\\\server\\share\\models.json']],
  ] as const)('are found on Windows: %s %j', (program, environment, files) => {
    expect(settingsFiles(program, { environment, folder, home }, win32)).toEqual(expect.arrayContaining([...files]))
  })

  it('of a home are none without a home', () => {
    expect(settingsFiles('pi', { environment: {}, folder: '/', home: null })).toEqual([])
  })
})

describe.skipIf(process.platform === 'win32')('an agent on Windows', () => {
  const folder = createFolder()
  afterAll(folder.remove)
  const npm = (target: string) =>
    `@ECHO off\r\nSET dp0=%~dp0\r\nendLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\${target}" %*\r\n`
  mkdirSync(join(folder.path, 'bin'))
  folder.write('bin/gemini.cmd', npm('node_modules\\@google\\gemini-cli\\bundle\\gemini.js'))
  folder.write('bin/claude.cmd', '"%~dp0\\..\\claude-code\\bin\\claude.exe"   %*\r\n')
  folder.write('bin/own.bat', 'echo %*\r\n')
  folder.write('bin/codex.exe', 'MZ')
  folder.write('aider.exe', 'MZ')
  const bin = (...path: string[]) => join(folder.path, 'bin', ...path)
  it.each([
    ['gemini', [process.execPath, bin('node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js')]],
    ['gemini.cmd', [process.execPath, bin('node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js')]],
    ['bin/gemini', [process.execPath, bin('node_modules', '@google', 'gemini-cli', 'bundle', 'gemini.js')]],
    ['claude', [join(folder.path, 'claude-code', 'bin', 'claude.exe')]],
    ['codex', [bin('codex.exe')]],
    ['own', [bin('own.bat')]],
    ['nothing', null],
    // In the current folder, where Node would find it first.
    ['aider', null],
  ])('is started without the batch file of npm: %s', (program, started) => {
    expect(windowsProgram(program, { environment: { Path: `relative;"${bin()}"` }, folder: folder.path })).toEqual(started)
  })
})

const { upstreams } = defaultGatewaySettings

describe('upstreams', () => {
  it('default to the settings if no variable is set', () => {
    expect(ownUpstreams(upstreams, {})).toEqual({
      anthropic: { url: upstreams.anthropic, path: '', variable: null },
      openai: { url: upstreams.openai, path: '/v1', variable: null },
      gemini: { url: upstreams.gemini, path: '', variable: null },
    })
  })

  it.each([
    ['https://openrouter.ai/api/v1', 'https://openrouter.ai/api', '/v1'],
    ['https://openrouter.ai/api/v1/', 'https://openrouter.ai/api', '/v1'],
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434', ''],
    ['https://host.example/openai', 'https://host.example/openai', ''],
  ])('use the user’s variable and keep its path, so that clients reach the same URLs: %s', (given, url, path) => {
    const { openai } = ownUpstreams(upstreams, { OPENAI_BASE_URL: given })
    expect(openai).toEqual({ url, path, variable: 'OPENAI_BASE_URL' })
  })

  it.each(['', '  ', 'no address', 'file:///etc/passwd', 'https://user:word@host', 'https://host/?key=1'])(
    'ignore a variable that is not a usable address: %s',
    (given) => {
      expect(ownUpstreams(upstreams, { ANTHROPIC_BASE_URL: given }).anthropic.variable).toBeNull()
    },
  )

  it('use the first variable that is not empty', () => {
    const environment = {
      ANTHROPIC_BASE_URL: '',
      ANTHROPIC_API_BASE: 'https://one.example',
      GOOGLE_GEMINI_BASE_URL: 'https://two.example/v1beta',
    }
    const { anthropic, gemini } = ownUpstreams(upstreams, environment)
    expect([anthropic, gemini]).toEqual([
      { url: 'https://one.example', path: '', variable: 'ANTHROPIC_API_BASE' },
      { url: 'https://two.example', path: '/v1beta', variable: 'GOOGLE_GEMINI_BASE_URL' },
    ])
  })
})

const proxy = 'http://proxy.example:3128'

test.each([
  ['no proxy', { NO_PROXY: 'internal.example' }, {}],
  ['an empty proxy', { HTTPS_PROXY: ' ' }, {}],
  ['a proxy that is bypassed for everything', { HTTP_PROXY: proxy, NO_PROXY: '*' }, {}],
  ['a proxy', { https_proxy: proxy }, { NO_PROXY: '127.0.0.1,localhost', no_proxy: '127.0.0.1,localhost' }],
  [
    'a proxy and the user’s own exceptions',
    { ALL_PROXY: proxy, no_proxy: 'internal.example' },
    { NO_PROXY: 'internal.example,127.0.0.1,localhost', no_proxy: 'internal.example,127.0.0.1,localhost' },
  ],
])('bypasses proxies for loopback: %s', (_, environment, variables) =>
  expect(loopbackPastProxies(environment)).toEqual(variables),
)
