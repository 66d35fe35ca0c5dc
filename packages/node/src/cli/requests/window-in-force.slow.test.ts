import type { PartialConfig } from '@plimsoll/core'
import { completeConfig, outputReserve } from '@plimsoll/core/policies'
import { afterAll, describe, expect, it } from 'vitest'
import { nextRequest } from '../../agent/request/next-request.ts'
import { recordRequest, recordUsage } from '../../agent/request/record-request.ts'
import { longConversation } from '../../model/testing/long-conversation.ts'
import { startOpenAiServer } from '../../model/testing/openai-server.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createFolder, runCaptured, type Surroundings } from '../testing/run-captured.ts'
import { storeSession } from '../testing/stored-session.ts'
import { type WindowInForce, windowFor, windowSource } from './view-options.ts'

const folder = createFolder()
afterAll(folder.remove)

describe('windowFor', () => {
  it.each<[string, PartialConfig, string | null, string | null, Partial<WindowInForce>]>([
    ['no model', {}, null, null, { tokens: 200_000, reserve: 8192, from: 'default', model: null }],
    ['an empty name', {}, null, '', { tokens: 200_000, reserve: 8192, from: 'default', model: null }],
    ['an unknown model', {}, null, 'mine', { tokens: 200_000, reserve: 8192, from: 'default', model: 'mine' }],
    ['a known model', {}, null, 'deepseek-chat', { tokens: 131_072, reserve: 8192, from: 'model', model: 'deepseek-chat' }],
    ['a model with a smaller input limit', {}, null, 'gpt-5', { tokens: 280_192, from: 'model', inputLimit: 272_000 }],
    ['a model with a smaller output limit', {}, null, 'claude-3-opus', { tokens: 200_000, reserve: 4096, from: 'model' }],
    ['a setting', { context_window: 9000 }, 'here:1:1', 'gpt-5', { tokens: 9000, from: 'setting' }],
    ['the default as a setting', {}, 'here:1:1', 'deepseek-chat', { tokens: 200_000, from: 'setting' }],
    [
      'a setting and a smaller output limit',
      {},
      'here:1:1',
      'claude-3-opus',
      { tokens: 200_000, reserve: 4096, from: 'setting' },
    ],
    ['a configured reserve', { output_reserve: 9000 }, null, 'claude-3-opus', { tokens: 200_000, reserve: 9000, from: 'model' }],
  ])('Q-50 %s', (_name, settings, windowSetBy, model, expected) => {
    const { config, window } = windowFor({ config: completeConfig(settings), windowSetBy }, model)
    expect(window).toMatchObject({ setting: windowSetBy, inputLimit: null, ...expected })
    expect([config.context_window, outputReserve(config)]).toEqual([window.tokens, window.reserve])
  })
})

describe('windowSource', () => {
  const window: WindowInForce = { tokens: 9000, reserve: 0, from: 'model', model: 'm', setting: null, inputLimit: null }

  it.each<[Partial<WindowInForce>, string, string]>([
    [{}, 'the window is that of m (as of 2026-11-15)', '窗口大小取自 m（截至 2026-11-15）'],
    [
      { inputLimit: 272_000 },
      'm accepts at most 272,000 tokens (as of 2026-11-15)',
      'm 最多接受 272,000 词元（截至 2026-11-15）',
    ],
    [{ from: 'setting', setting: 'a.yaml:1:1' }, 'the window is set by a.yaml:1:1', '窗口大小由 a.yaml:1:1 设定'],
    [
      { from: 'default' },
      'the window of m is unknown, so this is the default; set context_window to change it',
      'm 的窗口大小未知，使用默认值；可用 context_window 设定',
    ],
    [{ from: 'default', model: null }, 'no model is set, so the window is the default', '未指定模型，窗口大小为默认值'],
  ])('explains the window in both languages: %j', (given, english, chinese) => {
    const said = ['en', 'zh'].map((language) => windowSource({ ...window, ...given }, stringsFor(language).view))
    expect(said).toEqual([english, chinese])
  })

  it('escapes control characters', () => {
    const source = windowSource({ ...window, model: 'm\u001b[2J' }, stringsFor('en').view)
    expect(source).not.toContain('\u001b')
  })
})

describe('the commands', () => {
  const view = async (request: unknown, args: readonly string[] = [], surroundings: Surroundings = {}) => {
    const path = folder.write('chat.json', JSON.stringify(request))
    const shown = await runCaptured(['view', path, ...args], surroundings)
    const answer = await runCaptured(['view', path, ...args, '--json'], surroundings)
    return { stdout: shown.stdout, window: (JSON.parse(answer.stdout) as { readonly window: WindowInForce }).window }
  }
  const messages = [{ role: 'user', content: 'hi' }]

  it('Q-50 view uses the window of --model or of the request’s model', async () => {
    const named = await view(messages, ['--model', 'deepseek/deepseek-chat'])
    expect(named.window).toEqual({
      tokens: 131_072,
      reserve: 8192,
      from: 'model',
      model: 'deepseek/deepseek-chat',
      setting: null,
      inputLimit: null,
    })
    expect(named.stdout).toContain(` ${stringsFor('en').view.window('131,072', '8,192', '1,311')}\n`)
    expect(named.stdout).toContain(' the window is that of deepseek/deepseek-chat (as of 2026-11-15)\n')
    const { window } = await view({ model: 'claude-opus-5-5', messages })
    expect([window.tokens, window.from]).toEqual([1_000_000, 'model'])
  })

  it('Q-50 view uses a configured window and says where it is set', async () => {
    const environment = { PLIMSOLL_CONTEXT_WINDOW: '50000' }
    const { stdout, window } = await view(messages, ['--model', 'deepseek-chat'], { environment })
    expect([window.tokens, window.from, window.setting]).toEqual([50_000, 'setting', 'PLIMSOLL_CONTEXT_WINDOW'])
    expect(stdout).toContain(' the window is set by PLIMSOLL_CONTEXT_WINDOW\n')
  })

  it('Q-50 view fits the request into the window of the model', async () => {
    const round = (at: number) => [
      { role: 'user', content: `question ${at} ${'word '.repeat(10_000)}` },
      { role: 'assistant', content: `answer ${at}` },
    ]
    const long = Array.from({ length: 16 }, (_, at) => round(at)).flat()
    const edits = async (model: string) => {
      const path = folder.write('long.json', JSON.stringify(long))
      const { stdout } = await runCaptured(['view', path, '--model', model, '--json'])
      return (JSON.parse(stdout) as { readonly report: { readonly edits: readonly unknown[] } }).report.edits.length
    }
    expect([await edits('claude-opus-5.5'), (await edits('deepseek-chat')) > 0]).toEqual([0, true])
  })

  it('Q-50 show --next uses the window of --model, else of the session’s model', async () => {
    const stored = await storeSession(longConversation(3))
    await stored.change(async (session) => {
      const config = completeConfig({})
      const request = nextRequest({ state: session.state(), config, policies: [], facts: { config } })
      const id = await recordRequest(session, request, { model: 'deepseek-chat' })
      await recordUsage(session, id, { input_tokens: 3000, output_tokens: 10 })
    })
    const resume = async (...args: readonly string[]) => {
      const { stdout } = await runCaptured(['show', stored.id, '--next', ...args], { environment: stored.environment })
      return stdout
    }
    expect(await resume()).toContain(` ${stringsFor('en').requestCommands.compactionNotDue('104,858')}\n`)
    const answer = JSON.parse(await resume('--json', '--dialect', 'anthropic', '--model', 'claude-3-opus')) as {
      readonly request: Readonly<Record<string, unknown>>
      readonly window: WindowInForce
    }
    expect([answer.request['max_tokens'], answer.window.tokens, answer.window.reserve]).toEqual([4096, 200_000, 4096])
  })

  it('Q-50 compact gives the summary model no more than fits its window', async () => {
    const server = await startOpenAiServer({ kind: 'text', text: 'no summary' })
    try {
      const stored = await storeSession(longConversation(14))
      const compact = (...args: readonly string[]) =>
        runCaptured(['compact', stored.id, '--model', 'claude-3-opus', '--base-url', server.url, ...args], {
          environment: stored.environment,
        })
      const { stdout } = await compact('--preview')
      expect(stdout.replaceAll('\n', ' ')).toContain(
        'claude-3-opus reads at most 195,904 tokens: the window is that of claude-3-opus (as of 2026-11-15).',
      )
      const account = JSON.parse((await compact('--json')).stdout) as { readonly window: WindowInForce }
      expect([account.window.tokens, account.window.reserve, account.window.from]).toEqual([200_000, 4096, 'model'])
      expect(server.requests.map(({ body }) => body.max_tokens)).toEqual([4096])
    } finally {
      await server.close()
    }
  })
})
