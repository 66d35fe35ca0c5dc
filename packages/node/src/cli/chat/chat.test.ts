import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { NewEntry } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { nextRequest } from '../../agent/request/next-request.ts'
import { recordRequest, recordUsage } from '../../agent/request/record-request.ts'
import { offlineProvider } from '../../model/model-knowledge.ts'
import { createBlobSink } from '../../session/blob-sink.ts'
import type { AgentError } from '../../shared/event.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import type { Screen } from '../terminal/screen.ts'
import { blockLines } from './block-lines.ts'
import { type Chat, openChat } from './chat.ts'
import { createScriptedHost, type Script } from './testing/scripted-host.ts'

const strings = stringsFor('en')
const screen: Screen = { strings: strings.view, paint: (_tint, text) => text, columns: 80, endless: false }

const echo: Script = async ({ text, emit, answer }) => {
  emit({ type: 'text_delta', data: { text: `You said ${text}.` } })
  await answer(`You said ${text}.`)
  return { kind: 'finished', text }
}

async function open(
  script: Script,
  { isAttended = true, session = null as string | null, host: given = createScriptedHost(script), locale = 'en' } = {},
) {
  const host = await given
  const filled: string[] = []
  const chat = await openChat({
    host: host.host,
    session,
    strings: stringsFor(locale),
    screen: () => screen,
    isAttended,
    fill: (text) => filled.push(text),
    now: host.io.now,
  })
  return { chat, filled, ...host }
}

const shown = (chat: Chat): string =>
  chat
    .state()
    .blocks.flatMap((block) =>
      block === null ? [] : blockLines(block, { strings, locale: 'en', paint: screen.paint, columns: 80 }),
    )
    .join('\n')

const settled = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}

describe('a turn', () => {
  it('is shown, stored and counted', async () => {
    const { chat } = await open(echo)
    await chat.submit('hello')
    expect(shown(chat)).toContain('› hello\nYou said hello.')
    expect([chat.state().busySince, chat.state().turns.length, chat.history()]).toEqual([null, 1, ['hello']])
  })

  it('can be stopped', async () => {
    const { chat } = await open(async ({ signal }) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { kind: 'cancelled' }
    })
    const turn = chat.submit('wait')
    await settled(() => chat.state().busySince !== null)
    chat.cancel()
    await turn
    expect(shown(chat)).toContain('∙ stopped')
  })

  it('puts queued messages back into the prompt when stopped', async () => {
    const { chat, filled } = await open(async ({ signal }) => {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { kind: 'cancelled' }
    })
    const turn = chat.submit('wait')
    await settled(() => chat.state().busySince !== null)
    await chat.submit('then this')
    await chat.submit('and that')
    chat.cancel()
    await turn
    expect([filled, chat.state().waiting, chat.history()]).toEqual([['then this\nand that'], [], ['wait']])
  })

  it('waits for the previous turn', async () => {
    const gate = Promise.withResolvers<void>()
    const { chat } = await open(async (stage) => {
      if (stage.text === 'fix the cart') await gate.promise
      return echo(stage)
    })
    const first = chat.submit('fix the cart')
    await settled(() => chat.state().busySince !== null)
    await chat.submit('run the tests')
    await chat.submit('/mode auto')
    expect([chat.state().waiting, chat.agent().mode()]).toEqual([['run the tests'], 'auto'])
    gate.resolve()
    await first
    expect(chat.history()).toEqual(['fix the cart', 'run the tests', '/mode auto'])
  })

  it('takes what is said meanwhile, except what is queued', async () => {
    const gate = Promise.withResolvers<void>()
    const texts: string[] = []
    const { chat } = await open(async (stage) => {
      texts.push(stage.text)
      if (stage.text === 'fix the cart') await gate.promise
      await stage.steer()
      return echo(stage)
    })
    const first = chat.submit('fix the cart')
    await settled(() => chat.state().busySince !== null)
    await chat.submit('run the tests', true)
    await chat.submit('the one in src')
    expect(chat.state().waiting).toEqual(['the one in src', 'run the tests'])
    gate.resolve()
    await first
    expect([texts, chat.state().waiting]).toEqual([['fix the cart', 'run the tests'], []])
    expect(shown(chat)).toMatch(/› fix the cart[^]*› the one in src[^]*You said fix the cart[^]*› run the tests/)
  })

  it('is reported if it throws, and the chat continues', async () => {
    let calls = 0
    const { chat } = await open(async (stage) => {
      calls += 1
      if (calls === 1) throw new Error('the disk is on fire')
      return echo(stage)
    })
    await chat.submit('fix the cart')
    await chat.submit('run the tests')
    expect(shown(chat)).toMatch(/✗ the disk is on fire[^]*You said run the tests/)
  })
})

describe('permission', () => {
  const request = { callId: '1', tool: 'Edit', access: 'write', about: 'a.ts', preview: '+x', scope: 'tool' } as const
  it.each([
    ['yes', { kind: 'once' } as const, false],
    ['no with a reason', { kind: 'no', reason: 'use b' } as const, false],
  ])('passes the answer on: %s', async (_name, answer, stop) => {
    const heard: unknown[] = []
    const { chat } = await open(async ({ ask, signal }) => {
      heard.push(await ask?.(request, signal))
      return { kind: 'finished', text: '' }
    })
    const turn = chat.submit('edit')
    await settled(() => chat.state().dialog !== null)
    expect(chat.state().dialog).toEqual({ kind: 'permission', request })
    chat.answer({ kind: 'permission', answer, stop })
    await turn
    expect([heard, chat.state().dialog]).toEqual([[answer], null])
  })

  it('asks two questions one after the other', async () => {
    const { chat } = await open(async ({ ask, signal }) => {
      await Promise.all([ask?.({ ...request, about: 'npm test' }, signal), ask?.({ ...request, about: 'npm run build' }, signal)])
      return { kind: 'finished', text: '' }
    })
    const turn = chat.submit('edit')
    const abouts: string[] = []
    for (let count = 0; count < 2; count += 1) {
      await settled(() => chat.state().dialog !== null)
      const { dialog } = chat.state()
      abouts.push(dialog?.kind === 'permission' ? dialog.request.about : '')
      chat.answer({ kind: 'permission', answer: { kind: 'once' }, stop: false })
    }
    await turn
    expect(abouts).toEqual(['npm test', 'npm run build'])
  })

  it('is refused by Esc, which also stops the turn', async () => {
    const { chat } = await open(async ({ ask, signal }) => {
      const answer = await ask?.(request, signal)
      return signal.aborted && answer?.kind === 'no' ? { kind: 'cancelled' } : { kind: 'finished', text: '' }
    })
    const turn = chat.submit('edit')
    await settled(() => chat.state().dialog !== null)
    chat.answer({ kind: 'permission', answer: { kind: 'no', reason: null }, stop: true })
    await turn
    expect(shown(chat)).toContain('stopped')
  })

  it('closes a question when its turn ends', async () => {
    const { chat } = await open(async ({ ask, signal }) => {
      await ask?.(request, signal)
      return { kind: 'cancelled' }
    })
    const turn = chat.submit('edit')
    await settled(() => chat.state().dialog !== null)
    chat.cancel()
    await turn
    expect(chat.state().dialog).toBeNull()
  })
})

describe('a conversation that is too long', () => {
  const error: AgentError = {
    code: 'CONTEXT_LENGTH_EXCEEDED',
    message: '对话内容过长，已超出模型上下文限制。',
    suggestion: '建议新开一个会话继续对话。',
    details: {
      requested: 140_000,
      max: 131_072,
      recovering: false,
      biggest: [
        { what: 'result of Read (a.ts)', tokens: 90_000 },
        { what: 'user message', tokens: 20_000 },
        { what: 'tool definitions', tokens: 9000 },
      ],
    },
  }
  const tooLong: Script = async (stage) => {
    if (stage.text !== 'big') return echo(stage)
    stage.emit({ type: 'error', data: error })
    return { kind: 'failed', error }
  }
  async function asked(script: Script = tooLong) {
    const opened = await open(script)
    for (const text of ['fix the cart', 'run the tests', 'write it down'])
      await opened.chat.submit(`${text} ${'and so on '.repeat(300)}`)
    const turn = opened.chat.submit('big')
    await settled(() => opened.chat.state().dialog !== null)
    return { ...opened, turn }
  }

  it('R002-20 opens a dialog that offers a new session', async () => {
    const { chat, turn } = await asked()
    const { dialog } = chat.state()
    expect(dialog).toMatchObject({
      kind: 'choices',
      choices: [{ key: 'c' }, { key: 'n', label: strings.chat.overflow.newSession }, { key: 'm' }, { key: 'd' }],
    })
    const lines = dialog?.kind === 'choices' ? dialog.lines : []
    expect(lines.slice(-3)).toEqual([
      '  1. Result of Read (a.ts): 90,000 tokens',
      '  2. Your messages: 20,000 tokens',
      '  3. Tool definitions: 9,000 tokens',
    ])
    chat.answer({ kind: 'picked', index: 3 })
    await turn
    expect(chat.state().dialog).toBeNull()
  })

  it('R002-20 is asked about in Chinese without English sentences, and so are sessions and rounds', async () => {
    const environment = { LANG: 'zh_CN.UTF-8' }
    const { chat } = await open(tooLong, { host: createScriptedHost(tooLong, environment), locale: 'zh_CN.UTF-8' })
    for (const text of ['a', 'b', 'c']) await chat.submit(`${text}${'。'.repeat(2000)}`)
    const dialogs: string[] = []
    const opened = async (turn: Promise<unknown>, answer: number | null) => {
      await settled(() => chat.state().dialog !== null)
      const { dialog } = chat.state()
      if (dialog?.kind === 'choices') dialogs.push(...dialog.lines, ...dialog.choices.map(({ label }) => label))
      if (dialog?.kind === 'list') dialogs.push(dialog.title, ...dialog.rows)
      chat.answer({ kind: 'picked', index: answer })
      await turn
    }
    await opened(chat.submit('big'), 3)
    await opened(chat.submit('/compact'), 1)
    await chat.submit('/new')
    await opened(chat.submit('/resume'), null)
    expect(dialogs).toContain('  1. Read (a.ts) 的结果：90,000 词元')
    expect(dialogs.length).toBeGreaterThan(12)
    expect(dialogs.filter((line) => /[A-Za-z]{2,} [a-z]{2,}/.test(line))).toEqual([])
  })

  it('R002-20 passes a summary to the new session', async () => {
    let resumed = 0
    const { chat, turn } = await asked(async (stage) => {
      if (stage.text !== '(resumed)') return tooLong(stage)
      resumed += 1
      return { kind: 'finished', text: '' }
    })
    const old = chat.agent().session.id
    chat.answer({ kind: 'picked', index: 1 })
    await turn
    const { messages } = chat.agent().session.state()
    expect(chat.agent().session.id).not.toBe(old)
    expect(messages.some(({ summary }) => summary === true)).toBe(true)
    // The new session answers the message that did not fit, and the user sees which session this is.
    expect(resumed).toBe(1)
    expect(shown(chat).replaceAll('\n', ' ')).toContain(strings.chat.handedOver(old))
  })

  it('is compacted and sent again', async () => {
    let resumed = 0
    const { chat, turn } = await asked(async (stage) => {
      if (stage.text !== '(resumed)') return tooLong(stage)
      resumed += 1
      return { kind: 'finished', text: '' }
    })
    chat.answer({ kind: 'picked', index: 0 })
    await turn
    expect(resumed).toBe(1)
  })

  it('offers another model', async () => {
    const { chat, turn, filled } = await asked()
    chat.answer({ kind: 'picked', index: 2 })
    await turn
    expect(filled).toEqual(['/model '])
  })
})

describe('commands', () => {
  it.each<[command: string, shows: RegExp]>([
    ['/help', new RegExp(`/compact \\[FOCUS\\] +${strings.chat.commands.compact}`)],
    ['/', /Commands/],
    ['/context', /claude-opus-5\.5[^]*your messages|user/i],
    ['/trimmed', new RegExp(strings.chat.nothingTrimmed)],
    ['/cost', /\$0\.250[^]*read from cache +900/],
    ['/model', /claude-opus-5\.5 \(scripted\)[^]*window 1,000,000/],
    ['/model gpt-5', /gpt-5 \(scripted\)/],
    ['/model', /\n  \/model NAME changes it[^\n]{0,78}\n  [^]*built-in\smodel/],
    ['/model no-key', /✗ no key for no-key/],
    ['/mode accept-edits', /❯ accept-edits/],
    ['/mode acept-edits', /Did you mean accept-edits\?/],
    ['/pin', /2/],
    ['/unpin 1', /1/],
    ['/recall zz', /✗ Nothing in this session matches “zz”\. Try other words or a handle from\s\/trimmed\./],
    ['/recall 0123456789ab', /✗ (?!Nothing in this session matches “)/],
    ['/recall you hello', /2 matches for “you hello”[^]*\n[0-9a-f]{12} · line 1 · assistant\nYou said hello\./],
    ['/recall facade', /✗ Nothing in this session matches “facade”/],
    ['/recall', /expected a handle/],
    ['/contxt', /Unknown command \/contxt\. Did you mean \/context\?/],
    ['/frobnicate', /› \/frobnicate\n✗ Unknown command \/frobnicate\. \/help/],
    ['/resume last', new RegExp(strings.chat.inThisSession)],
    ['/export', /plimsoll export /],
  ])('shows the result of %s', async (command, shows) => {
    const { chat } = await open(echo)
    await chat.submit('hello')
    chat.printed()
    await chat.submit(command)
    expect(shown(chat)).toMatch(shows)
  })

  it('/cost omits turns without requests', async () => {
    const none = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
    const { chat } = await open(async (stage) => {
      const cost = { dollars: 0, unpriced: 0 }
      stage.emit({ type: 'turn_end', data: { outcome: 'failed', steps: 0, text: '', usage: none, cost } })
      return echo(stage)
    })
    await chat.submit('hello')
    await chat.submit('hello again')
    chat.printed()
    await chat.submit('/cost')
    expect(shown(chat).split('Turns\n')[1]).toBe(
      '  1.   1 request · 1,000 tokens in, 20 out · $0.250\n  2.   1 request · 1,000 tokens in, 20 out · $0.250',
    )
  })

  it.each([
    ['scripted', 'The model writes the summary'],
    [offlineProvider, 'The summary comes from the log, as shown'],
  ])('/compact says who writes the summary: %s', async (provider, said) => {
    const scripted = await createScriptedHost(echo)
    const defaultModel = { ...scripted.host.defaultModel, provider }
    const { chat } = await open(echo, { host: Promise.resolve({ ...scripted, host: { ...scripted.host, defaultModel } }) })
    for (let turn = 0; turn < 4; turn += 1) await chat.submit(`${turn} ${'word '.repeat(400)}`)
    const compacting = chat.submit('/compact')
    await settled(() => chat.state().dialog !== null)
    const { dialog } = chat.state()
    expect(dialog?.kind === 'choices' ? dialog.lines[0] : '').toContain(said)
    chat.answer({ kind: 'picked', index: 1 })
    await compacting
  })

  it('/undo removes the last turn and puts its message into the prompt', async () => {
    const { chat, filled } = await open(echo)
    await chat.submit('fix the cart')
    await chat.submit('run the tests')
    await chat.submit('/undo')
    expect([filled, chat.agent().session.state().messages.length]).toEqual([['run the tests'], 2])
    expect(shown(chat)).toContain(strings.chat.rewound('run the tests', 2).slice(0, 40))
  })

  it('/undo-files shows what it would change, asks, and sets files back', async () => {
    const { chat, host } = await open(echo)
    const path = join(host.root, 'notes.txt')
    await chat.submit('fix the cart')
    const { session } = chat.agent()
    const original = await createBlobSink(session).write(Buffer.from('before\n'))
    const content = { type: 'text', text: '' } as const
    const metadata = { path: 'notes.txt', diff: '', created: false, original, written: { sha256: 'f'.repeat(64), bytes: 1 } }
    const parts = [{ type: 'tool-result', callId: 'c', tool: 'Write', content, metadata }] as const
    await session.append([{ type: 'message', message: { id: 'result', role: 'tool', parts } }])
    writeFileSync(path, 'mine\n')
    const undoing = chat.submit('/undo-files')
    await settled(() => chat.state().dialog !== null)
    expect(shown(chat)).toMatch(/notes\.txt: was changed since then[^]*-mine\n\+before/)
    const { dialog } = chat.state()
    // No plain yes: the only file was changed since.
    expect(dialog?.kind === 'choices' ? dialog.choices.map(({ key }) => key) : []).toEqual(['a', 'n'])
    chat.answer({ kind: 'picked', index: 0 })
    await undoing
    expect(readFileSync(path, 'utf8')).toBe('before\n')
    expect(shown(chat)).toContain(strings.chat.undoFiles.done('notes.txt'))
  })

  it('going back offers all user messages, newest first, up to the start of the session', async () => {
    const { chat, filled } = await open(echo)
    await chat.submit('fix the cart')
    await chat.submit('run the tests')
    const going = chat.rewind()
    await settled(() => chat.state().dialog !== null)
    const { dialog } = chat.state()
    expect(dialog?.kind === 'list' ? dialog.rows : []).toEqual(['10:00  run the tests', '10:00  fix the cart'])
    chat.answer({ kind: 'picked', index: 1 })
    await going
    expect([filled, chat.agent().session.state().messages]).toEqual([['fix the cart'], []])
  })

  it('going back keeps pins that were made later', async () => {
    const { chat } = await open(echo)
    await chat.submit('fix the cart')
    await chat.submit('run the tests')
    await chat.submit('/pin 1')
    await chat.submit('/undo')
    expect(chat.agent().session.state().pins).toHaveLength(1)
  })

  it('/compact shows a preview, asks, and compacts', async () => {
    const { chat } = await open(echo)
    const long = 'word '.repeat(400)
    for (let turn = 0; turn < 12; turn += 1) await chat.submit(`${turn} ${long}`)
    chat.printed()
    const compacting = chat.submit('/compact the failing test')
    await settled(() => chat.state().dialog !== null)
    expect(shown(chat)).toMatch(/compacted into a summary[^]*tokens/)
    expect(chat.agent().session.state().folds).toEqual([])
    chat.answer({ kind: 'picked', index: 0 })
    await compacting
    expect(chat.agent().session.state().folds).toHaveLength(1)
    expect(shown(chat)).toMatch(/⤵ [^]*→/)
  })

  it('/new starts a session, and /resume continues the old one', async () => {
    const { chat, later } = await open(echo)
    await chat.submit('fix the cart')
    const first = chat.agent().session.id
    await chat.submit('/new')
    expect([chat.agent().session.id === first, chat.history()]).toEqual([false, []])
    later(3_600_000)
    await chat.submit(`/resume ${first}`)
    expect([chat.agent().session.id, chat.history()[0]]).toEqual([first, 'fix the cart'])
    expect(shown(chat)).toContain(`Session ${first}: fix the cart (2 messages)`)
  })

  it('/resume of a session with an expired cache says what continuing it will cost', async () => {
    const { chat, later } = await open(echo)
    await chat.submit('fix the cart')
    const { session } = chat.agent()
    const usage = { input: 1000, cacheRead: 9000, cacheWrite: 0, output: 100 }
    const [request] = await session.append([{ type: 'request', model: 'm', last: 'm1', view: '0', estimate: 10 }])
    await session.append([{ type: 'usage', request: request?.id ?? '', usage }])
    await chat.submit('/new')
    await chat.submit(`/resume ${session.id}`)
    expect(shown(chat)).not.toContain('likely expired')
    await chat.submit('/new')
    later(3_600_000)
    await chat.submit(`/resume ${session.id}`)
    expect(shown(chat).replaceAll('\n', ' ')).toContain(strings.chat.coldResume('10,100', null))
  })

  it('/trimmed lists rule, message, sizes and reason, and the handle recalls the original', async () => {
    const { chat } = await open(async ({ answer }) => {
      await answer('done')
      return { kind: 'finished', text: '' }
    })
    await chat.submit('look')
    const { session } = chat.agent()
    for (let read = 0; read < 8; read += 1) {
      const callId = `c${read}`
      const input = { path: 'src/price.ts' }
      const text = `read ${read}\n${'export const price = 1\n'.repeat(40)}`
      await session.append([
        {
          type: 'message',
          message: {
            id: `a${read}`,
            role: 'assistant',
            at: read,
            parts: [{ type: 'tool-call', callId, tool: 'read_file', input }],
          },
        },
        {
          type: 'message',
          message: {
            id: `t${read}`,
            at: read,
            role: 'tool',
            parts: [{ type: 'tool-result', callId, tool: 'read_file', content: { type: 'text', text } }],
          },
        },
      ])
    }
    await chat.submit('and now?')
    chat.printed()
    await chat.submit('/trimmed')
    expect(shown(chat)).toMatch(/trim-repeated-reads +#t0 +read_file +\d+ → +\d+/)
    const handle = /\/recall ([0-9a-f]{12}) {2}read_file #t0/.exec(shown(chat))?.[1] ?? ''
    chat.printed()
    await chat.submit(`/recall ${handle}`)
    expect(shown(chat)).toContain('read 0\nexport const price = 1')
  })

  it('/trimmed and /context explain pending edits', async () => {
    const { chat, host, io, later } = await open(echo)
    await chat.submit('look')
    const { session } = chat.agent()
    const result = (id: string): readonly NewEntry[] => {
      const content = { type: 'text', text: `${id}\n${'export const price = 1\n'.repeat(40)}` } as const
      const call = { type: 'tool-call', callId: id, tool: 'read_file', input: { path: 'src/price.ts' } } as const
      const read = { type: 'tool-result', callId: id, tool: 'read_file', content } as const
      return [
        { type: 'message', message: { id: `${id}c`, role: 'assistant', parts: [call], at: io.now() } },
        { type: 'message', message: { id, role: 'tool', parts: [read], at: io.now() } },
      ]
    }
    await session.append(['r0', 'r1', 'r2', 'r3', 'r4'].flatMap(result))
    const { config, policies } = host.context.settings
    const request = nextRequest({ state: session.state(), config, policies, facts: { now: io.now() } })
    const id = await recordRequest(session, request, { model: 'claude-opus-5.5' })
    await recordUsage(session, id, { input: 0, cacheRead: 5000, cacheWrite: 100, output: 5 })
    await session.append(['r5', 'r6'].flatMap(result))
    later(60_000)
    await chat.submit('and now?')
    chat.printed()
    await chat.submit('/trimmed')
    expect(shown(chat)).toMatch(/Pending: sent in full until trimming[^]*trim-repeated-reads +#r0 +read_file[^]*#r1/)
    chat.printed()
    await chat.submit('/context')
    expect(shown(chat)).toMatch(
      /Pending edits\n +Edits are pending: trimming now would cost more[^]*pending +\d+ tokens[^]*about 5 min/,
    )
    expect(chat.state().meter.waitingTokens).toBeGreaterThan(400)
  })

  it('/sessions offers a list to pick from', async () => {
    const { chat } = await open(echo)
    await chat.submit('fix the cart')
    const first = chat.agent().session.id
    await chat.submit('/new')
    await chat.submit('run the tests')
    const picking = chat.submit('/sessions')
    await settled(() => chat.state().dialog !== null)
    chat.answer({ kind: 'picked', index: 0 })
    await picking
    expect(chat.agent().session.id).toBe(first)
  })

  it('/resume of an unknown session changes nothing', async () => {
    const { chat } = await open(echo)
    await chat.submit('fix the cart')
    const { id } = chat.agent().session
    await chat.submit('/resume nowhere')
    expect(chat.agent().session.id).toBe(id)
    expect(shown(chat)).toContain('✗')
  })

  it('/quit ends the chat', async () => {
    const { chat } = await open(echo)
    await chat.submit('/quit')
    await chat.ended
  })
})

describe('keep-alive while the chat is idle', () => {
  /** A chat whose agent sends keep-alive requests, and a log of its timers and requests. */
  async function waiting(isAttended: boolean) {
    const scripted = await createScriptedHost(echo)
    const story: string[] = []
    let stop: (() => void) | null = null
    const chat = await openChat({
      host: {
        ...scripted.host,
        async start(options) {
          const agent = await scripted.host.start(options)
          return {
            ...agent,
            keepAliveDue: () => (agent.session.heads().length > 1 ? scripted.io.now() + 280_000 : null),
            keepAlive: (signal) =>
              new Promise((resolve) => {
                story.push('sent')
                stop = () => resolve(true)
                signal.addEventListener('abort', () => {
                  story.push('aborted')
                  resolve(false)
                })
              }),
          }
        },
      },
      session: null,
      strings,
      screen: () => screen,
      isAttended,
      fill: () => undefined,
      now: scripted.io.now,
      timer(milliseconds, run) {
        story.push(`in ${milliseconds / 1000} s`)
        fire = run
        return () => void story.push('cancelled')
      },
    })
    let fire = (): void => undefined
    return { chat, story, fire: () => fire(), answered: () => stop?.() }
  }

  it('keeps the conversation cached until the next command', async () => {
    const { chat, story, fire, answered } = await waiting(true)
    await chat.submit('hello')
    expect(story).toEqual(['in 280 s'])
    fire()
    answered()
    await settled(() => story.length > 2)
    fire()
    await chat.submit('/cost')
    expect(story).toEqual(['in 280 s', 'sent', 'cancelled', 'in 280 s', 'sent', 'cancelled', 'aborted', 'cancelled', 'in 280 s'])
    chat.quit()
    await chat.close()
    await chat.submit('too late')
    expect(story.filter((word) => word.startsWith('in'))).toHaveLength(3)
  })

  it('is off without a user at the terminal', async () => {
    const { chat, story } = await waiting(false)
    await chat.submit('hello')
    expect(story).toEqual([])
  })
})
