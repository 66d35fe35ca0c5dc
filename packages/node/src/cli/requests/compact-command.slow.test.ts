import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { checkView, type Message, recall } from '@plimsoll/core'
import { roundsOf } from '@plimsoll/core/compaction'
import { transcriptOf } from '@plimsoll/core/session'
import { unprintable } from '@plimsoll/core/text'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { costOfSession } from '../../agent/request/session-cost.ts'
import { good } from '../../agent/testing/compacting.ts'
import { changedFile, correction, failure, instruction, longConversation } from '../../model/testing/long-conversation.ts'
import { type Answer, type OpenAiServer, startOpenAiServer } from '../../model/testing/openai-server.ts'
import { startProviderServer } from '../../model/testing/provider-server.ts'
import { openSession, readSession } from '../../session/open-session.ts'
import { recallSourceOf } from '../../session/recall-source.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth, wrapText } from '../terminal/text.ts'
import { createFolder, runCaptured, type Surroundings } from '../testing/run-captured.ts'
import { type StoredForTest, storeSession } from '../testing/stored-session.ts'
import type { CompactedAccount, PreviewAccount, UndoneAccount } from './compact-screen.ts'

const english = stringsFor('en')
const { requestCommands } = english

const folder = createFolder()
afterAll(folder.remove)
const servers: OpenAiServer[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close()
})

async function serve(...answers: readonly [Answer, ...Answer[]]): Promise<OpenAiServer> {
  const server = await startOpenAiServer(...answers)
  servers.push(server)
  return server
}

function compact(stored: StoredForTest, args: readonly string[] = [], surroundings: Surroundings = {}) {
  const environment = { ...stored.environment, ...surroundings.environment }
  return runCaptured(['compact', stored.id, ...args], { ...surroundings, environment })
}

async function accountOf<Account>(stored: StoredForTest, ...args: readonly string[]): Promise<Account> {
  const { code, stdout, stderr } = await compact(stored, ['--json', ...args])
  expect({ code, stderr: withoutWaiting(stderr) }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as Account
}

/** Removes the progress line, which appears only on a slow machine. */
function withoutWaiting(stderr: string): string {
  return stderr.replace(/^(?:[\d,]+ characters so far · )?\S+ is writing the summary, .*\n/, '')
}

function summaryIn({ messages }: { readonly messages: readonly Message[] }): string {
  const part = messages.find(({ summary }) => summary === true)?.parts[0]
  return part?.type === 'text' ? part.text : ''
}

async function recalled(stored: StoredForTest, session: string, handle: string | null): Promise<string | null> {
  const opened = await readSession(stored.sessions, session)
  const answer = recall({ handle: handle ?? '' }, recallSourceOf(opened))
  await opened.close()
  return answer.kind === 'found' ? answer.text : null
}

describe('plimsoll compact', () => {
  it('R004-35 R004-48 replaces complete rounds with a summary and can restore them', async () => {
    const stored = await storeSession(longConversation(14))
    const account = await accountOf<CompactedAccount>(stored)
    const state = await stored.state()
    expect(account).toEqual({
      outcome: 'compacted',
      session: stored.id,
      from: null,
      kept: 'outline',
      messages: 16,
      rounds: { folded: 4, kept: 10 },
      tokensBefore: expect.any(Number) as number,
      tokensAfter: expect.any(Number) as number,
      fold: state.folds[0]?.id,
      handle: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      hasMore: false,
      failure: null,
      window: null,
    })
    expect(account.tokensAfter).toBeLessThan(account.tokensBefore)
    expect(state.messages.slice(1)).toEqual(longConversation(14).slice(16))
    expect(roundsOf(state.messages)).toHaveLength(10)
    expect(checkView(state.messages)).toEqual([])
    for (const kept of [instruction, correction, failure, changedFile]) expect(summaryIn(state)).toContain(kept)
    expect(await recalled(stored, stored.id, account.handle)).toBe(transcriptOf(longConversation(14).slice(0, 16)))
  })

  it('prints what was compacted, how to read it and how to undo it', async () => {
    const stored = await storeSession(longConversation(14))
    const { code, stdout, stderr } = await compact(stored)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      `${english.turn.roundsFolded(16, 4, 10)}.`,
      english.turn.kept.outline,
      requestCommands.howToRecall,
      expect.stringMatching(new RegExp(`^ {2}plimsoll recall [0-9a-f]{12} --session ${stored.id}$`)),
      requestCommands.howToUndo,
      `  plimsoll compact ${stored.id} --undo`,
      requestCommands.beforeTrimming,
      expect.stringMatching(/^[\d,]+ → [\d,]+ tokens \(-\d+\.\d %\)$/),
      '',
    ])
  })

  it('says that there is more to compact if a pin splits the rounds', async () => {
    const stored = await storeSession(longConversation(14))
    expect((await runCaptured(['sessions', 'pin', stored.id, '5'], { environment: stored.environment })).code).toBe(0)
    const more = 'More can be compacted: '
    const first = await compact(stored)
    expect(first.stdout).toContain(`${english.turn.roundsFolded(8, 2, 10)}.`)
    expect(first.stdout).toContain(more)
    const second = await compact(stored)
    expect(second.stdout).toContain(english.turn.roundsFolded(4, 1, 11))
    expect(second.stdout).not.toContain(more)
  })

  it('says in a preview that more rounds stay than requested', async () => {
    const stored = await storeSession(longConversation(14))
    expect((await runCaptured(['sessions', 'pin', stored.id, '45'], { environment: stored.environment })).code).toBe(0)
    const account = await accountOf<PreviewAccount>(stored, '--preview', '--keep', '1')
    expect({ rounds: account.rounds, hasMore: account.hasMore }).toEqual({ rounds: { folded: 11, kept: 3 }, hasMore: true })
    expect((await compact(stored, ['--preview', '--keep', '1'])).stdout).toContain('More can be compacted: ')
    expect((await accountOf<PreviewAccount>(stored, '--preview', '--keep', '3')).hasMore).toBe(false)
  })

  it('leaves a session unchanged if there is nothing to compact', async () => {
    const stored = await storeSession(longConversation(10))
    const before = stored.files()
    for (const args of [[], ['--fork'], ['--preview']]) {
      expect(await compact(stored, args)).toEqual({
        code: 0,
        stdout: `${wrapText(requestCommands.nothingToFold(10), 80).join('\n')}\n`,
        stderr: '',
      })
    }
    expect(await accountOf(stored)).toEqual({
      outcome: 'unchanged',
      session: stored.id,
      reason: 'nothing-to-fold',
      keepRounds: 10,
    })
    expect(stored.files()).toEqual(before)
  })

  it('leaves a session unchanged if it would not get smaller', async () => {
    const chat = ['Why?', 'And now?', 'Thanks.'].map(
      (text): Message => ({ id: text, role: 'user', parts: [{ type: 'text', text }] }),
    )
    const stored = await storeSession(chat)
    expect(await compact(stored, ['--keep', '1'])).toEqual({
      code: 0,
      stdout: `${requestCommands.unchanged}\n`,
      stderr: `${english.notices.compaction_ineffective}\n`,
    })
    expect((await stored.state()).messages).toEqual(chat)
    const { stdout } = await compact(stored, ['--keep', '1', '--preview'])
    expect(stdout).toContain(english.notices.compaction_ineffective)
  })

  it('keeps the requested number of rounds and puts the focus into the summary', async () => {
    const stored = await storeSession(longConversation(14))
    const { rounds } = await accountOf<CompactedAccount>(stored, '--keep', '3', '--focus', 'the streaming parser')
    expect(rounds).toEqual({ folded: 11, kept: 3 })
    expect(summaryIn(await stored.state())).toContain('the streaming parser')
  })

  it('blanks secrets if configured', async () => {
    const stored = await storeSession([
      { id: 'secret', role: 'user', parts: [{ type: 'text', text: 'Use password=hunter2hunter2 for the database.' }] },
      ...longConversation(4),
    ])
    mkdirSync(join(folder.path, 'plimsoll'))
    folder.write('plimsoll/config.yaml', 'sessions: { redact_secrets: true }')
    const { code } = await compact(stored, ['--keep', '1'], { environment: { XDG_CONFIG_HOME: folder.path } })
    expect(code).toBe(0)
    expect(summaryIn(await stored.state())).toContain('password=[REDACTED')
    expect(summaryIn(await stored.state())).not.toContain('hunter2hunter2')
  })
})

describe('plimsoll compact --preview', () => {
  it('prints the summary and the sizes, and changes nothing', async () => {
    const stored = await storeSession(longConversation(14))
    const before = stored.files()
    const account = await accountOf<PreviewAccount>(stored, '--preview')
    const { stdout } = await compact(stored, ['--preview'])
    expect(stored.files()).toEqual(before)
    expect(stdout.startsWith(`${account.summary}\n\n${english.turn.roundsFolded(16, 4, 10)}`)).toBe(true)
    expect(stdout).toContain(`\n${requestCommands.previewed}\n`)
    const done = await accountOf<CompactedAccount>(stored)
    expect(summaryIn(await stored.state())).toBe(account.summary)
    expect(account).toEqual({
      outcome: 'preview',
      session: stored.id,
      messages: 16,
      rounds: { folded: 4, kept: 10 },
      hasMore: false,
      isSmaller: true,
      foldedTokens: expect.any(Number) as number,
      summaryTokens: expect.any(Number) as number,
      tokensBefore: done.tokensBefore,
      tokensAfter: done.tokensAfter,
      model: null,
      window: null,
      summary: expect.stringContaining('## 📌 Archived Session Summary') as string,
    })
  })

  it('calls no model, and says that the model would write its own summary', async () => {
    const server = await serve(good)
    const stored = await storeSession(longConversation(14))
    const { stdout } = await compact(stored, ['--preview', '--model', 'small', '--base-url', server.url])
    expect(stdout).toContain(`${requestCommands.previewedByCode('small')}\n`)
    expect(server.requests).toEqual([])
  })

  it('escapes control characters', async () => {
    const evil = '\u001b[2J\u009b31m\u202e'
    const stored = await storeSession([
      { id: `id${evil}`, role: 'user', parts: [{ type: 'text', text: `${evil}Never clear it.` }] },
      ...longConversation(6),
    ])
    for (const args of [['--preview'], ['--preview', '--json'], ['--keep', '2']]) {
      const { code, stdout, stderr } = await compact(stored, ['--keep', '1', ...args])
      expect(code).toBe(0)
      for (const text of [stdout, stderr]) expect(text.replaceAll('\n', '').search(unprintable)).toBe(-1)
    }
  })
})

describe('plimsoll compact --undo', () => {
  it('undoes the latest compaction, one at a time', async () => {
    const stored = await storeSession(longConversation(14))
    const first = await accountOf<CompactedAccount>(stored)
    const second = await accountOf<CompactedAccount>(stored, '--keep', '3')
    expect(await accountOf<UndoneAccount>(stored, '--undo')).toEqual({
      outcome: 'undone',
      session: stored.id,
      fold: second.fold,
      messages: second.messages,
      tokensBefore: second.tokensAfter,
      tokensAfter: second.tokensBefore,
    })
    expect(await compact(stored, ['--undo'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^The latest compaction was undone\. Shown in full again: 16 messages\.\nThe conversation, .*:\n[\d,]+ → [\d,]+ tokens \(\+/,
      ) as string,
    })
    expect((await stored.state()).messages).toEqual(longConversation(14))
    expect(await compact(stored, ['--undo'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `error: ${requestCommands.noCompaction}\n`,
    })
    // The log keeps the summaries, so every handle shown before still works.
    expect(await recalled(stored, stored.id, first.handle)).toBe(transcriptOf(longConversation(14).slice(0, 16)))
  })
})

describe('plimsoll compact --fork', () => {
  it('R001-26 creates a linked session whose requests are trimmed, and leaves the original unchanged', async () => {
    const stored = await storeSession(longConversation(14))
    const before = await stored.state()
    const account = await accountOf<CompactedAccount>(stored, '--fork')
    expect(account.from).toBe(stored.id)
    expect(account.session).not.toBe(stored.id)
    expect(await stored.state()).toEqual(before)
    const forked = await stored.state(account.session)
    expect(forked.header.from).toMatchObject({ session: stored.id, reason: 'compaction' })
    expect(forked.messages.slice(1)).toEqual(longConversation(14).slice(16))
    expect(await recalled(stored, account.session, account.handle)).toBe(transcriptOf(longConversation(14).slice(0, 16)))
    const { stdout } = await runCaptured(['show', account.session, '--next'], { environment: stored.environment })
    expect(stdout).toMatch(/^ {2}trim-outdated-commands {8}[1-9]/m)
  })

  it('names the new session and the old one', async () => {
    const stored = await storeSession(longConversation(14))
    const { stdout } = await compact(stored, ['--fork'], { environment: { COLUMNS: '200' } })
    expect(stdout).toMatch(
      new RegExp(
        `\nThe result is the new session [0-9a-z-]{22}\\. Session ${stored.id} is unchanged\\.\n${requestCommands.howToRecall}\n`,
      ),
    )
    expect(stdout).not.toContain('--undo')
  })
})

describe('plimsoll compact --model', () => {
  it('lets the model write the summary and checks it', async () => {
    const server = await serve(good)
    const stored = await storeSession(longConversation(14))
    const { code, stdout, stderr } = await compact(stored, ['--model', 'small', '--focus', 'the parser'], {
      environment: { OPENAI_BASE_URL: server.url },
    })
    expect({ code, stderr: withoutWaiting(stderr) }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`\n${english.turn.kept.summary}\n`)
    expect(server.requests.map(({ body }) => body.model)).toEqual(['small'])
    expect(server.requests[0]?.text).toContain('the parser')
    for (const kept of ['one part at a time', instruction, changedFile]) expect(summaryIn(await stored.state())).toContain(kept)
  })

  it('uses the configured model unless --model names another', async () => {
    const server = await serve(good)
    const environment = { PLIMSOLL_COMPACTION__MODEL: 'from-settings' }
    for (const args of [[], ['--model', 'named']]) {
      const stored = await storeSession(longConversation(14))
      await compact(stored, ['--base-url', server.url, ...args], { environment })
    }
    expect(server.requests.map(({ body }) => body.model)).toEqual(['from-settings', 'named'])
  })

  it.each([
    ['in the same session', [], 'one part at a time'],
    ['in a new session', ['--fork'], 'one part at a time'],
    ['even if the model refused', [], 'I will not.'],
  ])('records the usage of the summary request: %s', async (_name, args, text) => {
    const server = await serve(text === 'I will not.' ? { kind: 'text', text } : good)
    const stored = await storeSession(longConversation(14))
    const account = await accountOf<CompactedAccount>(stored, '--model', 'small', '--base-url', server.url, ...args).catch(
      () => null,
    )
    const session = await readSession(stored.sessions, account?.session ?? stored.id)
    const { requests, usage } = costOfSession(session, () => null)
    await session.close()
    expect([requests, usage]).toEqual([1, { input: 1000, cacheRead: 0, cacheWrite: 0, output: 100 }])
  })

  it('reports the model’s failure and keeps an outline', async () => {
    const server = await serve({ kind: 'body', status: 400, body: '{"error":{"message":"no \\u001b[2J luck"}}' })
    const stored = await storeSession(longConversation(14))
    const args = ['--model', 'small', '--base-url', server.url]
    const { code, stdout, stderr } = await compact(stored, args)
    expect(code).toBe(0)
    expect(stdout).not.toContain(english.turn.kept.outline)
    expect(withoutWaiting(stderr)).toMatch(
      new RegExp(`^${english.notices.summary_failed} \\(.*no {2}luck.*\\)\n${english.notices.outline_kept}\n$`),
    )
    const again = JSON.parse((await compact(stored, [...args, '--keep', '2', '--json'])).stdout) as CompactedAccount
    expect({ kept: again.kept, failure: again.failure }).toEqual({ kept: 'outline', failure: 'summary_failed' })
  })

  it('R004-31 R004-32 shows progress and the timeout: one updated line on a terminal, separate lines elsewhere', async () => {
    // Long enough for the first text to arrive on this machine.
    const compacted = async (terminal: number | undefined, seconds = 1): Promise<string> => {
      const file = folder.write(`${seconds}.yaml`, `compaction: { timeout_seconds: ${seconds} }`)
      const server = await serve({ kind: 'hang', text: 'word '.repeat(100) })
      const stored = await storeSession(longConversation(14))
      const { stderr } = await compact(stored, ['--model', 'small', '--base-url', server.url, '--config', file], {
        ...(terminal === undefined ? {} : { terminal, environment: { NO_COLOR: '1' } }),
      })
      return stderr.includes('so far') || seconds > 60 ? stderr : compacted(terminal, seconds * 4)
    }
    for (const terminal of [80, undefined]) {
      const stderr = await compacted(terminal)
      const [shown = '', ...rest] = stderr.split(terminal === undefined ? '\n' : '\r\u001b[K').filter((text) => text !== '')
      expect(shown).toContain('small is writing the summary')
      expect(shown).toContain('characters so far')
      expect(displayWidth(shown)).toBeLessThan(terminal ?? 200)
      expect(rest.join('\n')).toContain('Summary generation timed out, keeping recent history only.')
    }
  })

  it('is stopped by Ctrl-C, which leaves the session unchanged', async () => {
    const server = await serve({ kind: 'hang', text: '## 📌 Archived' })
    const stored = await storeSession(longConversation(14))
    const before = stored.files()
    for (const args of [[], ['--fork']]) {
      const { code, stdout, stderr } = await compact(stored, ['--model', 'small', '--base-url', server.url, ...args], {
        interrupted: AbortSignal.timeout(100),
      })
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`error: ${requestCommands.cancelled}\n`)
    }
    expect(stored.files()).toEqual(before)
  })

  it.each([
    ['no server', ['--model', 'small'], 'No server is known for small: set OPENAI_BASE_URL or --base-url'],
    [
      'an unknown provider',
      ['--model', 'nobody/small'],
      'write provider/model with one of openai, anthropic, google, deepseek, openrouter, ollama, llamacpp\n',
    ],
    ['no key', ['--model', 'anthropic/some-model'], `${requestCommands.noKey('anthropic/some-model', 'ANTHROPIC_API_KEY')}\n`],
    [
      'no key if two variables are possible',
      ['--model', 'gemini-example'],
      `${requestCommands.noKey('gemini-example', 'GOOGLE_GENERATIVE_AI_API_KEY / GEMINI_API_KEY')}\n`,
    ],
    ['an invalid address', ['--model', 'small', '--base-url', 'ftp://u:hush@host'], 'expected an address such as http://'],
    ['an address without a model', ['--base-url', 'http://127.0.0.1:1/v1'], requestCommands.addressAlone],
    ['an invalid number', ['--keep', '0'], requestCommands.badKeep('"0"')],
    ['a number in exponent form', ['--keep', '1e3'], requestCommands.badKeep('"1e3"')],
    ['preview and undo', ['--undo', '--preview'], '--undo and --preview cannot be used together'],
    ['undo and keep', ['--undo', '--keep', '3'], '--undo and --keep cannot be used together'],
    ['preview and fork', ['--preview', '--fork'], '--preview and --fork cannot be used together'],
  ])('refuses %s', async (_name, args, sentence) => {
    const stored = await storeSession(longConversation(14))
    const before = stored.files()
    const { code, stdout, stderr } = await compact(stored, args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('hush')
    expect(stored.files()).toEqual(before)
  })

  it.each([
    ['no server', 'from-settings', 'No server is known for from-settings'],
    ['no key', 'openai/from-settings', `${requestCommands.noKey('openai/from-settings', 'OPENAI_API_KEY')}\n`],
  ])('continues without a model if only the configuration names one and there is %s', async (_name, model, sentence) => {
    const stored = await storeSession(longConversation(14))
    const { code, stdout, stderr } = await compact(stored, [], { environment: { PLIMSOLL_COMPACTION__MODEL: model } })
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining(sentence) as string })
    expect(stdout).toContain(english.turn.kept.outline)
  })

  it.each([
    [
      'an address with a password',
      { ANTHROPIC_BASE_URL: 'http://u:hush@host' },
      'ANTHROPIC_BASE_URL: expected an address such as',
    ],
    ['a key of two words', { ANTHROPIC_API_KEY: 'hush hush' }, requestCommands.badKey('ANTHROPIC_API_KEY')],
  ])('refuses %s without printing it, no matter who named the model', async (_name, variables, sentence) => {
    const stored = await storeSession(longConversation(14))
    const environment = { ANTHROPIC_API_KEY: 'key', PLIMSOLL_COMPACTION__MODEL: 'claude-example', ...variables }
    const { code, stderr } = await compact(stored, [], { environment })
    expect(code).toBe(2)
    expect(stderr).toContain(sentence)
    expect(stderr).not.toContain('hush')
  })

  it('R004-30 needs only the provider’s name and key', async () => {
    const server = await startProviderServer({ kind: 'text', text: good.kind === 'text' ? good.text : '' })
    const environment = { ANTHROPIC_API_KEY: 'secret-key', ANTHROPIC_BASE_URL: server.origin }
    const stored = await storeSession(longConversation(14))
    const { code, stdout, stderr } = await compact(stored, ['--model', 'anthropic/claude-example'], { environment })
    await server.close()
    expect({ code, stderr: withoutWaiting(stderr) }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain(`\n${english.turn.kept.summary}\n`)
    expect(summaryIn(await stored.state())).toContain('one part at a time')
    expect(server.requests.map(({ path, headers }) => [path, headers['x-api-key']])).toEqual([['/v1/messages', 'secret-key']])
  })
})

describe('a model named by a project', () => {
  it('is refused, and receives nothing until the user names it', async () => {
    const server = await serve(good)
    const project = join(folder.path, 'project')
    mkdirSync(project)
    writeFileSync(join(project, 'plimsoll.yaml'), 'compaction: { model: of-project }')
    const stored = await storeSession(longConversation(14))
    const environment = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'secret-key' }
    const { code, stderr } = await compact(stored, [], { folder: project, environment })
    expect(code).toBe(2)
    expect(stderr).toContain('compaction.model: only allowed in your own configuration')
    expect(server.requests).toEqual([])
    await compact(stored, [], { environment: { ...environment, PLIMSOLL_COMPACTION__MODEL: 'of-user' } })
    expect(server.requests.map(({ body }) => body.model)).toEqual(['of-user'])
  })
})

describe('plimsoll compact on a session that cannot be written to', () => {
  it('names the process that has it open, and changes nothing', async () => {
    const stored = await storeSession(longConversation(14))
    const held = await openSession(stored.sessions, stored.id)
    const before = stored.files()
    for (const args of [[], ['--undo']]) {
      const { code, stdout, stderr } = await compact(stored, args)
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      expect(stderr).toContain(`The session is open for writing in process ${process.pid},`)
    }
    expect((await compact(stored, ['--preview'])).code).toBe(0)
    expect(stored.files()).toEqual(before)
    await held.close()
  })

  it('prints Chinese for a Chinese user', async () => {
    const stored = await storeSession(longConversation(14))
    const environment = { LANG: 'zh_CN.UTF-8' }
    expect((await compact(stored, ['--undo'], { environment })).stderr).toBe(
      `错误：${stringsFor('zh').requestCommands.noCompaction}\n`,
    )
    const { stdout } = await compact(stored, [], { environment, terminal: 80 })
    expect(stdout).toContain(`${stringsFor('zh').turn.roundsFolded(16, 4, 10)}。\n${stringsFor('zh').turn.kept.outline}\n`)
  })
})

const binary = fileURLToPath(new URL('../../../bin/plimsoll.js', import.meta.url))
const isBuilt = existsSync(new URL('../../../dist/cli/main.js', import.meta.url))

describe.runIf(isBuilt)('the binary', () => {
  it('hides warnings of the AI SDK', async () => {
    const server = await startProviderServer({ kind: 'text', text: 'A summary.' })
    const stored = await storeSession(longConversation(14))
    // The SDK warns about this model because its output limit is below the requested one.
    const args = [binary, 'compact', stored.id, '--model', 'anthropic/claude-3-haiku-20240307']
    const variables = { ANTHROPIC_API_KEY: 'key', ANTHROPIC_BASE_URL: server.origin, HOME: '/nonexistent', LANG: 'C' }
    const child = spawn(process.execPath, args, {
      env: { ...stored.environment, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (text) => {
      stderr += String(text)
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    await server.close()
    expect(server.requests.map(({ body }) => body['max_tokens'])).toEqual([4096])
    expect(code).toBe(0)
    expect(stderr).not.toMatch(/warning/i)
  })

  it('exits with code 1 on Ctrl-C, and the session can be opened at once', async () => {
    const server = await serve({ kind: 'hang', text: '## 📌 Archived' })
    const stored = await storeSession(longConversation(14))
    const before = stored.files()
    const args = [binary, 'compact', stored.id, '--model', 'small', '--base-url', server.url]
    const child = spawn(process.execPath, args, {
      env: { ...stored.environment, HOME: '/nonexistent', XDG_CONFIG_HOME: '/nonexistent', LANG: 'C' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.on('data', (text) => {
      const waited = stderr.includes('is writing the summary')
      stderr += String(text)
      // Only once: a second signal would kill the process.
      if (!waited && stderr.includes('is writing the summary')) child.kill('SIGINT')
    })
    const code = await new Promise((resolve) => child.on('close', resolve))
    expect({ code, last: stderr.trimEnd().split('\n').at(-1) }).toEqual({
      code: 1,
      last: `error: ${requestCommands.cancelled}`,
    })
    expect(stored.files()).toEqual(before)
    expect((await accountOf<CompactedAccount>(stored)).outcome).toBe('compacted')
  })
})
