import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { streamedAnswer } from '../../agent/testing/streamed-answer.ts'
import { startOpenAiServer } from '../../model/testing/openai-server.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured } from '../testing/run-captured.ts'

const bodies: Readonly<Record<string, readonly [status: number, type: string, body: string]>> = {
  key: [401, 'application/json', '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}'],
  name: [404, 'application/json', '{"error":{"message":"The model any does not exist","code":"model_not_found"}}'],
  page: [200, 'text/html', '<!doctype html><title>Login</title>'],
  long: [
    400,
    'application/json',
    '{"error":{"message":"This model\'s maximum context length is 32768 tokens. However, your messages resulted in 40000 tokens.","code":"context_length_exceeded"}}',
  ],
}

const server = createServer((request, response) => {
  const [status, type, body] = bodies[request.url?.split('/')[1] ?? ''] ?? [404, 'text/plain', 'nothing']
  request.resume().on('end', () => response.writeHead(status, { 'content-type': type }).end(body))
})
const folder = createFolder()

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => {
  server.close()
  folder.remove()
})

const task = (path: string, locale: string) => {
  const { port } = server.address() as AddressInfo
  return runCaptured(['-p', 'hi', '--base-url', `http://127.0.0.1:${port}/${path}`, '--model', 'any'], {
    folder: folder.path,
    environment: { HOME: folder.path, XDG_STATE_HOME: folder.path, LANG: locale },
  })
}

describe('a task that fails', () => {
  it.each([
    ['key', 'en_US.UTF-8', 'error: The provider rejected the API key.\n→ Check the key in OPENAI_API_KEY and its permissions.\n'],
    ['key', 'zh_CN.UTF-8', '错误：服务商拒绝了 API 密钥。\n→ 请检查 OPENAI_API_KEY 中的密钥及其权限。\n'],
    [
      'long',
      'en_US.UTF-8',
      'error: The conversation is too long for the model’s context window.\n→ Compact it and retry, continue in a new session, or choose a model with a larger window.\n',
    ],
  ])('prints error %s once, in the user’s language (%s), with a suggestion', async (path, locale, end) => {
    const { code, stderr, stdout } = await task(path, locale)
    expect({ code, stdout, end: stderr.slice(-end.length) }).toEqual({ code: 1, stdout: '', end })
    const [first = ''] = end.replace(/^[^:：]*[:：]\s*/, '').split('\n')
    if (path === 'key') expect(stderr.split(first).length - 1).toBe(1)
    if (locale.startsWith('en')) expect(stderr).not.toMatch(/\p{Script=Han}/u)
  })

  it('keeps the server’s message apart from the suggestion', async () => {
    expect((await task('page', 'en_US.UTF-8')).stderr).toMatch(/^error: .*text\/html.*Login\n→ /m)
  })

  it.each([
    ['page', 'en_US.UTF-8', /^error: This address does not seem to be a model API: .*\n→ Check the server address \(--base-url/m],
    ['nowhere', 'en_US.UTF-8', /^→ Check the server address \(--base-url/m],
    ['page', 'zh_CN.UTF-8', /^错误：该地址似乎不是模型 API：.*\n→ 请检查服务器地址/m],
    ['name', 'en_US.UTF-8', /^error: The model rejected the request: .*\n→ Check the model’s name/m],
  ])(
    'suggests checking the address if no model API answers, and the model name if one does: %s (%s)',
    async (path, locale, said) => {
      expect((await task(path, locale)).stderr).toMatch(said)
    },
  )
})

describe('a task that needs a permission', () => {
  const run = (args: string, locale: string, ...flags: readonly string[]) =>
    runCaptured(['-p', args, ...flags], {
      folder: folder.path,
      environment: { HOME: folder.path, XDG_STATE_HOME: folder.path, LANG: locale },
    })

  it.each([
    ['a change', 'write a.txt: "x"', 'Write a.txt', 'accept-edits'],
    ['a command', 'run touch b', 'Bash touch b', 'auto'],
  ])('exits with 1 and names what was refused and the mode that allows it: %s', async (_story, args, calls, mode) => {
    for (const locale of ['en_US.UTF-8', 'zh_CN.UTF-8']) {
      const { command, agent } = stringsFor(locale)
      const { code, stdout, stderr } = await run(args, locale)
      expect({ code, hasAnswered: stdout !== '' }).toEqual({ code: 1, hasAnswered: true })
      expect(stderr.split('\n').at(-2)).toBe(command.error(agent.notAllowed(calls, mode)))
    }
    expect((await run(args, 'en', '--mode', mode)).code).toBe(0)
  })

  it('exits with 1 also with --json, and the events keep their keys', async () => {
    const { code, stdout, stderr } = await run('write d.txt: "x"', 'en', '--json')
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly type: string; readonly data: object })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `error: ${stringsFor('en').agent.notAllowed('Write d.txt', 'accept-edits')}\n`,
    })
    expect(Object.keys(events.at(-1)?.data ?? {})).toEqual(['outcome', 'steps', 'text', 'usage', 'cost'])
    expect(events.every((event) => Object.keys(event).join() === 'type,data')).toBe(true)
  })

  it('names each call once, at most five of them, and a mode for them all', async () => {
    const calls = ['a', 'a', 'b', 'c', 'd', 'e'].map((name, index) => ({
      id: `${index}`,
      tool: 'Bash',
      input: { command: name },
    }))
    const change = { id: 'w', tool: 'Write', input: { file_path: 'w.txt', content: '' } }
    const model = await startOpenAiServer(streamedAnswer({ calls: [change, ...calls] }), streamedAnswer({ text: 'Done.' }))
    onTestFinished(model.close)
    const { code, stdout, stderr } = await run('go', 'en', '--base-url', model.url, '--model', 'any')
    expect({ code, stdout }).toEqual({ code: 1, stdout: 'Done.\n' })
    expect(stderr).toContain(stringsFor('en').agent.notAllowed('Write w.txt, Bash a, Bash b, Bash c, Bash d, …', 'auto'))
  })

  it('also names what was refused if the task is not done', async () => {
    const { agent } = stringsFor('en')
    const { code, stderr } = await run('run touch a', 'en', '--max-steps', '1')
    const sentences = [agent.notAllowed('Bash touch a', 'auto'), agent.stopped['max-steps']]
    expect({ code, isNamed: stderr.endsWith(`error: ${sentences.join('\n')}\n`) }).toEqual({ code: 1, isNamed: true })
  })
})

describe('plimsoll resume', () => {
  const home = createFolder()
  afterAll(home.remove)
  const environment = { HOME: home.path, XDG_STATE_HOME: home.path }
  const chat = (args: readonly string[], stdin: string) => runCaptured(args, { folder: home.path, environment, stdin })

  it('continues a session exactly as chat --resume does', async () => {
    await chat(['chat'], 'read first.txt\n')
    const before = await chat(['show', 'last', '--json'], '')
    const { session, messages } = JSON.parse(before.stdout) as { readonly session: string; readonly messages: readonly object[] }
    const resumed = await chat(['resume', session], '/cost\n')
    expect(resumed).toMatchObject({ code: 0, stdout: expect.stringContaining(`Session ${session}: read first.txt`) })
    expect(await chat(['chat', '--resume', session], '/cost\n')).toEqual(resumed)
    await chat(['resume', session], 'read second.txt\n')
    const after = JSON.parse((await chat(['show', session, '--json'], '')).stdout) as { readonly messages: readonly object[] }
    expect(after.messages.length).toBeGreaterThan(messages.length)
    expect(after.messages.slice(0, messages.length)).toEqual(messages)
    expect(await chat(['resume', 'nosuch'], '')).toEqual(await chat(['chat', '--resume', 'nosuch'], ''))
  })

  it('names what the log lost, and refuses to write on if that is everything', async () => {
    await chat(['chat'], 'read third.txt\n')
    const { session } = JSON.parse((await chat(['show', 'last', '--json'], '')).stdout) as { readonly session: string }
    const log = join(home.path, 'plimsoll', 'sessions', session, 'log.jsonl')
    const lines = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, `${lines.slice(0, -3).join('\n')}\n`)
    const shortened = await chat(['resume', session], '/cost\n')
    expect(`${shortened.stdout}${shortened.stderr}`.replaceAll(/\s+/g, ' ')).toContain('2 entries are missing before line')
    writeFileSync(log, '')
    const emptied = await chat(['resume', session], '/cost\n')
    expect(emptied).toMatchObject({ code: 1, stderr: expect.stringContaining('has no readable entry left') })
    expect(readFileSync(log, 'utf8')).toBe('')
  })

  it.each([
    ['--json'],
    ['--exact'],
    ['--now', '2026-01-31'],
    ['--root', '.'],
    ['--config', 'x'],
    ['--policies', 'spec'],
    ['--model', 'offline'],
    ['--dialect', 'anthropic'],
  ])('refuses the options it had when it showed the next request, and names the command that has them: %s', async (...args) => {
    const { command } = stringsFor('en')
    const sentence = command.error(command.sentence(command.resumeOption(args[0] ?? '')))
    const { code, stdout, stderr } = await chat(['resume', 'last', ...args], 'hello\n')
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: '',
      stderr: `${sentence} ${command.seeHelp('plimsoll resume')}\n`,
    })
    expect(stderr).toContain('plimsoll show ID --next')
  })
})

describe('the summary line of a task', () => {
  it.each([
    ['list', ['--max-steps', '1'], /^1 request · /m],
    ['list', [], /^2 requests · /m],
  ])('uses singular and plural for requests: %s %j', async (args, flags, expected) => {
    const { stderr } = await runCaptured(['-p', args, ...flags], {
      folder: folder.path,
      environment: { HOME: folder.path, XDG_STATE_HOME: folder.path },
    })
    expect(stderr).toMatch(expected)
  })
})

describe('the hint about the offline model', () => {
  const missing = /^No API key was found/m
  it.each([
    ['-p', ['-p', 'list'], true],
    ['-p with the model named', ['-p', 'list', '--model', 'offline'], false],
    ['chat', ['chat'], true],
    ['chat with the model named', ['chat', '--model', 'offline'], false],
  ])('is printed only if the user did not choose that model: %s', async (_story, args, isSaid) => {
    const { stderr } = await runCaptured(args, {
      folder: folder.path,
      environment: { HOME: folder.path, XDG_STATE_HOME: folder.path },
    })
    expect(missing.test(stderr)).toBe(isSaid)
  })
})
