import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readSession } from '../../session/open-session.ts'
import { pathsOf } from '../../session/session-folder.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome, repeatedReads } from '../testing/state-home.ts'

const { requestCommands, sessionCommands, problem } = stringsFor('en')

const line = (value: unknown) => `${JSON.stringify(value)}\n`

/** A short Claude Code log: a question, and an answer with its usage. */
const claudeCode = [
  {
    type: 'user',
    uuid: 'u1',
    parentUuid: null,
    sessionId: 's1',
    cwd: '/shop',
    timestamp: '2026-01-30T10:00:00Z',
    message: { role: 'user', content: 'Is it open?' },
  },
  {
    type: 'assistant',
    uuid: 'a1',
    parentUuid: 'u1',
    sessionId: 's1',
    cwd: '/shop',
    timestamp: '2026-01-30T10:00:05Z',
    message: {
      id: 'msg_1',
      role: 'assistant',
      model: 'claude-x',
      content: [{ type: 'text', text: 'Yes.' }],
      usage: { input_tokens: 12, output_tokens: 3 },
    },
  },
]

/** Aborts as soon as the condition is true. */
function signalOnce(isSo: () => boolean): AbortSignal {
  const controller = new AbortController()
  const timer = setInterval(() => {
    if (!isSo()) return
    clearInterval(timer)
    controller.abort()
  }, 1)
  onTestFinished(() => clearInterval(timer))
  return controller.signal
}

describe('plimsoll import', () => {
  it('stores a conversation and suggests next steps', async () => {
    const home = createStateHome()
    const file = home.write('chat.json', JSON.stringify(repeatedReads(2)))
    const { code, stdout, stderr } = await home.run(['import', file])
    const [id = ''] = readdirSync(home.sessions)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toBe(
      [
        `Imported 5 messages into session ${id}`,
        ' What does the price depend on?',
        ' read as openai-chat',
        '',
        sessionCommands.tryNext,
        `  plimsoll show ${id}         ${sessionCommands.tryShow}`,
        `  plimsoll show ${id} --next  ${sessionCommands.tryNextRequest}`,
        `  plimsoll resume ${id}       ${requestCommands.help.resume}`,
        `  plimsoll recall --query "…"                  ${sessionCommands.tryRecall}`,
        '',
      ].join('\n'),
    )
    expect(statSync(join(home.sessions, id, 'log.jsonl')).mode & 0o777).toBe(0o600)
  })

  it('keeps the ids, times, folder and usage of another agent’s log, and lists what it skipped', async () => {
    const home = createStateHome()
    const file = home.write('log.jsonl', `${claudeCode.map(line).join('')}{"type":"assistant","uu`)
    const told = JSON.parse((await home.run(['import', file, '--json'])).stdout)
    const [{ id }] = told.sessions
    expect(told).toEqual({
      format: 'claude-code',
      sessions: [{ id, title: 'Is it open?', messages: 2, usages: 1, abandoned: 0, sidechains: 0 }],
      skipped: [{ line: 3, reason: 'not-json' }],
    })
    const session = await readSession(home.sessions, id)
    const state = session.state()
    const entries = session.heads().map((head) => session.entry(head.id))
    await session.close()
    expect(state.header).toMatchObject({ root: '/shop', title: 'Is it open?' })
    expect(state.messages).toEqual([
      { id: 'u1', role: 'user', at: Date.parse('2026-01-30T10:00:00Z'), parts: [{ type: 'text', text: 'Is it open?' }] },
      { id: 'a1', role: 'assistant', at: Date.parse('2026-01-30T10:00:05Z'), parts: [{ type: 'text', text: 'Yes.' }] },
    ])
    // The log has no requests and none are invented, so nothing counts as sent.
    expect({ sent: state.sent, measurements: state.measurements }).toEqual({ sent: null, measurements: [] })
    expect(entries.filter((entry) => entry?.type === 'note')).toMatchObject([
      { code: 'imported', data: { format: 'claude-code', id: 's1', model: 'claude-x', skipped: 1 } },
      { code: 'reported-usage', data: { message: 'a1', model: 'claude-x', usage: { input: 12, output: 3 } } },
    ])
    expect((await home.run(['import', file])).stdout).toContain('Line 3 was skipped: it is not JSON.')
  })

  /** Whether the import has written part of a session, still under a hidden name. */
  const isBegun = (sessions: string) => {
    const files = existsSync(sessions) ? readdirSync(sessions, { recursive: true, encoding: 'utf8' }) : []
    return files.some((file) => file.endsWith('log.jsonl') && statSync(join(sessions, file)).size > 50_000)
  }

  it('leaves no partial session when stopped, and says what was imported', async () => {
    const home = createStateHome()
    const messages = Array.from({ length: 20_000 }, (_, index) => ({ role: 'user', content: `question ${index}` }))
    const long = home.write('long.json', JSON.stringify(messages))
    const whole = () => (existsSync(home.sessions) ? readdirSync(home.sessions).filter((name) => !name.startsWith('.')) : [])
    const half = await home.run(['import', long], { interrupted: signalOnce(() => isBegun(home.sessions)) })
    // On a slow machine a progress line comes first.
    expect(half).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^(?:[^\n]+\n)?error: Stopped\. Nothing was imported\.\n$/),
    })
    expect(readdirSync(home.sessions)).toEqual([])

    const conversation = { messages: messages.slice(0, 2) }
    const many = home.write('many.jsonl', `${JSON.stringify(conversation)}\n`.repeat(300))
    const some = await home.run(['import', many, '--all'], { interrupted: signalOnce(() => whole().length > 1) })
    const { sessions } = JSON.parse((await home.run(['sessions', '--json'])).stdout)
    const stderr = expect.stringMatching(`^(?:[^\\n]+\\n)?error: Stopped\\. Imported before that: ${sessions.length} sessions?; `)
    expect(some).toEqual({ code: 1, stdout: '', stderr })
    expect(sessions.every((row: { messages: number }) => row.messages === 2)).toBe(true)
  })

  it('reads standard input', async () => {
    const home = createStateHome()
    const { code, stdout } = await home.run(['import', '-', '--json'], { stdin: claudeCode.map(line).join('') })
    expect({ code, told: JSON.parse(stdout) }).toMatchObject({
      code: 0,
      told: { format: 'claude-code', sessions: [{ messages: 2 }] },
    })
  })

  it('renames message ids that look like entry ids', async () => {
    const home = createStateHome()
    const entries = claudeCode.map((entry, index) => ({ ...entry, uuid: `e${index + 1}`, parentUuid: index === 0 ? null : 'e1' }))
    const { code } = await home.run(['import', home.write('log.jsonl', entries.map(line).join(''))])
    expect(code).toBe(0)
    expect(JSON.parse((await home.run(['show', 'last', '--json'])).stdout).messages.map(({ id }: { id: string }) => id)).toEqual([
      'message-e1',
      'message-e2',
    ])
  })

  it('accepts a title, and imports one of several conversations or all', async () => {
    const home = createStateHome()
    const chat = (text: string) => line({ messages: [{ role: 'user', content: text }] })
    const file = home.write('two.jsonl', chat('first') + chat('second'))
    expect(await home.run(['import', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${sessionCommands.severalConversations(file, '2')}\n`,
    })
    expect(existsSync(home.sessions)).toBe(false)
    const titles = async (...args: readonly string[]) =>
      JSON.parse((await home.run(['import', file, '--json', ...args])).stdout).sessions.map(
        ({ title }: { title: string }) => title,
      )
    expect(await titles('--conversation', '2')).toEqual(['second'])
    expect(await titles('--all')).toEqual(['first', 'second'])
    expect(await titles('--conversation', '1', '--title', 'mine')).toEqual(['mine'])
    expect((await home.run(['import', file, '--conversation', '3'])).stderr).toContain(problem.noSuchConversation(file, 3, 2))
    expect((await home.run(['import', file, '--conversation', 'x'])).code).toBe(2)
  })

  it.each<[string, string | null, string]>([
    ['missing', null, 'File not found'],
    ['empty', '', 'is empty'],
    ['without a message', '[]', 'has no messages to import'],
    ['not JSON', '[{', 'invalid JSON'],
    ['with an unknown role', '[{"role":"critic","content":"no"}]', 'cannot be read as openai-chat'],
  ])('refuses a file that is %s with one sentence and stores no session', async (_, content, sentence) => {
    const home = createStateHome()
    const file = content === null ? join(home.path, 'nothing') : home.write('file.json', content)
    const { code, stdout, stderr } = await home.run(['import', file])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(sentence)
    expect(existsSync(home.sessions)).toBe(false)
  })

  it('refuses a folder and an empty name', async () => {
    const home = createStateHome()
    expect((await home.run(['import', home.path])).stderr).toContain('is a folder')
    expect((await home.run(['import', ''])).stderr).toContain(problem.notFound('""'))
    expect((await home.run(['import'])).code).toBe(2)
  })

  it('blanks secrets only if configured', async () => {
    const home = createStateHome()
    const secret = `ghp_${'a1B2'.repeat(9)}`
    mkdirSync(join(home.path, 'config', 'plimsoll'), { recursive: true })
    writeFileSync(join(home.path, 'config', 'plimsoll', 'config.yaml'), 'sessions:\n  redact_secrets: true\n')
    const messages = [{ role: 'user', content: `use ${secret}` }]
    const whole = await home.importMessages(messages)
    const file = home.write('secret.json', JSON.stringify(messages))
    const { stdout } = await home.run(['import', file, '--json'], { environment: { XDG_CONFIG_HOME: join(home.path, 'config') } })
    const blanked = JSON.parse(stdout).sessions[0].id
    const stored = (id: string) => readFileSync(pathsOf(join(home.sessions, id)).log, 'utf8').includes(secret)
    expect({ whole: stored(whole), blanked: stored(blanked) }).toEqual({ whole: true, blanked: false })
  })

  it('prints in the user’s language', async () => {
    const home = createStateHome()
    const file = home.write('chat.json', JSON.stringify(repeatedReads(1)))
    const { stdout } = await home.run(['import', file], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(stdout).toMatch(/^已将 3 条消息导入会话 /)
    expect(stdout).toContain('接下来可以：')
  })

  it('removes control characters from a title', async () => {
    const home = createStateHome()
    const file = home.write('chat.json', JSON.stringify([{ role: 'user', content: '\u001b]0;pwned\u0007\u001b[31mhello' }]))
    const { stdout } = await home.run(['import', file], { terminal: 80, environment: { NO_COLOR: '1' } })
    expect(stdout).not.toContain('\u001b')
    expect(stdout).toContain('hello')
  })

  it('escapes control characters of a title in JSON', async () => {
    const home = createStateHome()
    const file = home.write('chat.json', JSON.stringify([{ role: 'user', content: 'hello' }]))
    const { stdout } = await home.run(['import', file, '--title', '\u009b31mhello\u202e', '--json'])
    expect(stdout).not.toMatch(/[\u009b\u202e]/)
    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ title: '\u009b31mhello\u202e' }] })
  })
})

describe('importing an exported log', () => {
  it('refuses a copied log.jsonl whose large contents are in other files', async () => {
    const home = createStateHome()
    const id = await home.importMessages([
      { role: 'user', content: [{ type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(8000)}` } }] },
    ])
    const { log } = pathsOf(join(home.sessions, id))
    expect(await home.run(['import', log])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('plimsoll export ID --format log'),
    })
    expect(readdirSync(home.sessions)).toEqual([id])
  })

  it('imports the readable lines and names each skipped one', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(2))
    const { log } = pathsOf(join(home.sessions, id))
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    const damaged = [
      lines[0],
      'no JSON',
      ...lines.slice(1),
      lines[2],
      '{"type":"message","id":"x"}',
      '7',
      lines[3]?.slice(0, 60) ?? '',
    ]
    const file = join(home.path, 'damaged.jsonl')
    writeFileSync(file, damaged.join('\n'))
    const told = JSON.parse((await home.run(['import', file, '--json'])).stdout)
    expect(told).toMatchObject({ format: 'plimsoll', sessions: [{ messages: 5 }] })
    expect(told.skipped.map((skipped: { line: number }) => skipped.line)).toEqual([2, 9, 10, 11, 12])
  })

  it('refuses a newer version', async () => {
    const home = createStateHome()
    const header = { type: 'header', id: 'h', parentId: null, at: 1, version: 99, session: 'h' }
    expect((await home.run(['import', home.write('newer.jsonl', line(header))])).stderr).toContain('The session has format 99')
  })
})
