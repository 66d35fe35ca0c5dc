import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../session/create-session.ts'
import { listSessions } from '../../session/list-sessions.ts'
import { runScript, said } from '../../session/testing/sessions.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { createStateHome, repeatedReads, type StateHome } from '../testing/state-home.ts'

const { command, sessionCommands: strings } = stringsFor('en')

const escape = '\u001b'

async function store(home: StateHome, title: string, { at = 0, root = '', messages = 1 } = {}): Promise<string> {
  const session = await createSession(home.sessions, {
    title,
    now: () => Date.parse('2026-01-31T08:00:00Z') + at,
    ...(root === '' ? {} : { root }),
  })
  await session.append(Array.from({ length: messages }, (_, index) => said(`m${index + 1}`, `words ${index + 1}`)))
  await session.close()
  return session.id
}

describe('plimsoll sessions', () => {
  it('says that there are no sessions and how to get one', async () => {
    const home = createStateHome()
    expect(await home.run(['sessions'])).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^There are no sessions yet in \/[\s\S]*\nTo store one: plimsoll import FILE\n$/),
      stderr: '',
    })
    expect((await home.run(['sessions', '--json'])).stdout).toBe('{"sessions":[],"unreadable":[]}\n')
  })

  it('lists the latest first, one line each without a terminal', async () => {
    const home = createStateHome()
    const older = await store(home, 'the older one')
    const newer = await store(home, 'the newer one', { at: 60_000, root: join(home.path, 'shop'), messages: 12 })
    const { rows } = await listSessions(home.sessions)
    const size = new Map<string, number>(rows.map(({ id, bytes }) => [id, bytes]))
    expect((await home.run(['sessions'])).stdout).toBe(
      [
        strings.list(2),
        `${newer}  2026-01-31 08:01  12 messages  ${((size.get(newer) ?? 0) / 1000).toFixed(1)} KB  ~/shop · the newer one`,
        `${older}  2026-01-31 08:00    1 message  ${size.get(older) ?? 0} B  the older one`,
        '',
      ].join('\n'),
    )
  })

  it('prints stable names as JSON', async () => {
    const home = createStateHome()
    const id = await store(home, 'one', { root: '/shop' })
    const { sessions, unreadable } = JSON.parse((await home.run(['sessions', '--json'])).stdout)
    expect({ sessions, unreadable }).toEqual({
      sessions: [
        {
          id,
          title: 'one',
          messages: 1,
          bytes: expect.any(Number),
          root: '/shop',
          from: null,
          first: '2026-01-31T08:00:00.000Z',
          last: '2026-01-31T08:00:00.000Z',
        },
      ],
      unreadable: [],
    })
  })

  it.each([
    [80, 'en'],
    [40, 'en'],
    [80, 'zh_CN.UTF-8'],
    [40, 'zh_CN.UTF-8'],
  ])('fits %i columns in %s, with any titles and folders', async (columns, LANG) => {
    const home = createStateHome()
    await store(home, 'another one')
    await store(home, `${escape}[31mred${escape}]0;pwned\u0007 ${'价格 '.repeat(60)}`, {
      root: `/${'deep/'.repeat(40)}${escape}[2J`,
    })
    const { stdout } = await home.run(['sessions'], { terminal: columns, environment: { LANG, NO_COLOR: '1' } })
    expect(stdout).not.toContain(escape)
    expect(stdout.split('\n').filter((line) => displayWidth(line) > columns)).toEqual([])
  })

  it('lists twenty in a terminal, and all with --all', async () => {
    const home = createStateHome()
    for (let index = 0; index < 22; index += 1) await store(home, `number ${index}`, { at: index * 1000 })
    const shown = (await home.run(['sessions'], { terminal: 80 })).stdout
    expect(shown).toContain(strings.olderSessions(2))
    expect(shown).not.toContain('number 1\u001b')
    expect((await home.run(['sessions', '--all'], { terminal: 80 })).stdout).toContain('number 0')
  })

  it('names unreadable sessions and lists the rest', async () => {
    const home = createStateHome()
    const id = await store(home, 'whole')
    const broken = '20260101-000000-broken'
    mkdirSync(join(home.sessions, broken, 'log.jsonl'), { recursive: true })
    expect(await home.run(['sessions'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(id),
      stderr: `Could not be read: ${broken}\n`,
    })
  })

  it.each([
    [['sessions', 'rm'], `${command.missingArgument('ID')}. Run plimsoll sessions rm --help`],
    [['sessions', 'pin', 'last'], `${command.missingArgument('MESSAGE')}. Run plimsoll sessions pin --help`],
    [['sessions', 'fork', 'a', 'b', 'c'], `${command.excessArguments}. Run plimsoll sessions fork --help`],
    [['sessions', 'pin', 'last', '1', '--json'], `${command.unknownOption('--json')}. Run plimsoll sessions pin --help`],
    [['sessions', 'rm', 'last', '--all'], `${command.unknownOption('--all')}. Run plimsoll sessions rm --help`],
    [['sessions', '--frob'], `${command.unknownOption('--frob')}. Run plimsoll sessions --help`],
  ])('refuses %j', async (args, sentence) =>
    expect(await createStateHome().run(args)).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(`error: ${sentence}`),
    }),
  )
})

describe('choosing a session', () => {
  it('works by id, by the start or end of an id, and with last', async () => {
    const home = createStateHome()
    const first = await store(home, 'first')
    const latest = await store(home, 'latest', { at: 3_600_000 })
    const shown = async (word: string) => JSON.parse((await home.run(['show', word, '--json'])).stdout).session
    expect(await Promise.all([first, first.slice(0, 14), first.slice(-6), 'last'].map(shown))).toEqual([
      first,
      first,
      first,
      latest,
    ])
  })

  it('refuses ambiguous and unknown ids and suggests the nearest one', async () => {
    const home = createStateHome()
    const first = await store(home, 'first')
    const latest = await store(home, 'latest', { at: 3_600_000 })
    const told = async (word: string) => {
      const { code, stdout, stderr } = await home.run(['show', word])
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
      return stderr
    }
    expect(await told('2026')).toBe(`error: ${strings.severalSessions('2026', `${latest}, ${first}`, 0)}\n`)
    expect(await told('202')).toContain('error: There is no session 202.')
    expect(await told(`${first.slice(0, -1)}_`)).toContain(`Did you mean ${first}?`)
    expect(await told('../../etc')).toContain('error: There is no session ../../etc.')
    expect(await told(`${escape}[31m`)).toContain('There is no session "".')
    expect(await told('')).toContain('There is no session "".')
    expect(await told('x'.repeat(10_000))).toMatch(/^.{0,200}\n$/)
  })

  it('fails if there are no sessions', async () =>
    expect((await createStateHome().run(['show', 'last'])).stderr).toMatch(
      /^error: There are no sessions yet in .* To store one: plimsoll import FILE\n$/,
    ))
})

describe('plimsoll sessions rm', () => {
  it('removes sessions by full id and names them', async () => {
    const home = createStateHome()
    const one = await store(home, 'one')
    const two = await store(home, `two${escape}[31m`, { at: 1000 })
    expect(await home.run(['sessions', 'rm', one, two])).toEqual({
      code: 0,
      stdout: `${strings.removed(one, 'one')}\n${strings.removed(two, 'two [31m')}\n`,
      stderr: '',
    })
    expect(readdirSync(home.sessions)).toEqual([])
  })

  it.each(['last', '2026', '../../etc', ''])('removes nothing for %j', async (word) => {
    const home = createStateHome()
    const one = await store(home, 'one')
    const { code, stdout, stderr } = await home.run(['sessions', 'rm', one, word])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('is not the full id of a session, so nothing was deleted.')
    // The message suggests an id or says how to find it.
    expect(stderr.includes(`Did you mean ${one}?`)).toBe(!stderr.includes('`plimsoll sessions` lists the full ids.'))
    expect(readdirSync(home.sessions)).toEqual([one])
  })

  it('suggests the full id for the start of one', async () => {
    const home = createStateHome()
    const one = await store(home, 'one')
    expect((await home.run(['sessions', 'rm', one.slice(0, 15)])).stderr).toContain(`nothing was deleted. Did you mean ${one}?`)
  })

  it('refuses a session that another process has open, and says what was removed before', async () => {
    const home = createStateHome()
    const free = await store(home, 'free')
    const used = await store(home, 'used', { at: 1000 })
    const holder = runScript(new URL('../../session/testing/hold-session.ts', import.meta.url), [home.sessions, used])
    expect(await holder.line()).toBe('open')
    const refused = await home.run(['sessions', 'rm', used])
    expect(refused).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(`open for writing in process ${holder.pid}`) })
    const half = await home.run(['sessions', 'rm', free, used])
    expect(half).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(strings.removedBefore(free)) })
    expect(await home.run(['sessions', 'pin', used, '1'])).toMatchObject({ code: 1, stdout: '' })
    expect((await home.run(['show', used])).code).toBe(0)
    holder.send('go')
    expect(await holder.line()).toBe('closed')
    expect((await home.run(['sessions', 'rm', used])).code).toBe(0)
  })
})

describe('plimsoll sessions rewind and fork', () => {
  it('continues after a message, keeps later ones and says how to undo', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(7))
    const rewound = await home.run(['sessions', 'rewind', id, '5'])
    expect(rewound).toEqual({
      code: 0,
      stdout: `${strings.rewound('5', '1→export const price = 1', 10)}\n${strings.howToGoBack(`plimsoll sessions rewind ${id} m15`)}\n`,
      stderr: '',
    })
    const count = async () => JSON.parse((await home.run(['show', id, '--json'])).stdout).messages.length
    expect(await count()).toBe(5)
    const [listed] = JSON.parse((await home.run(['sessions', '--json'])).stdout).sessions
    expect(listed.messages).toBe(5)
    const back = await home.run(['sessions', 'rewind', id, 'm15'])
    expect(back).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The conversation now ends with .*\nTo go back: .*\n$/),
    })
    expect(await count()).toBe(15)
    expect((await home.run(['sessions', 'rewind', id, '0'])).stdout).toContain(strings.rewoundToStart(15))
    expect(await count()).toBe(0)
  })

  it('changes nothing if the conversation ends there already', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    expect((await home.run(['sessions', 'rewind', id, 'm3'])).stdout).toBe(`${strings.alreadyThere}\n`)
  })

  it.each(['99', 'nothing', '-1', '1e9', '#'])('refuses message %j', async (word) => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    const { code, stdout, stderr } = await home.run(['sessions', 'rewind', id, '--', word])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain(`There is no message ${word}: the branch has 3 messages.`)
  })

  it('creates a new session from the start of another', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(3))
    const { code, stdout } = await home.run(['sessions', 'fork', id, '3'])
    expect(code).toBe(0)
    const fork = /new session (\S+)\. The original is unchanged\.$/m.exec(stdout)?.[1] ?? ''
    const shown = async (which: string) => JSON.parse((await home.run(['show', which, '--json'])).stdout)
    expect(await shown(fork)).toMatchObject({ from: { session: id, entry: 'm3', reason: 'fork' }, messages: { length: 3 } })
    expect((await shown(id)).messages).toHaveLength(7)
    expect((await home.run(['sessions'])).stdout).toContain(strings.splitFrom(id))
  })
})

describe('plimsoll sessions pin, unpin and restore', () => {
  it('pins a message by number or id, once', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(2))
    const pins = async () => JSON.parse((await home.run(['show', id, '--json'])).stdout).pins
    expect((await home.run(['sessions', 'pin', id, '3'])).stdout).toBe(`${strings.pinned('3')}\n`)
    expect(await pins()).toEqual(['m3'])
    expect((await home.run(['sessions', 'pin', id, 'm3'])).stdout).toBe(`${strings.alreadyPinned('3')}\n`)
    expect((await home.run(['sessions', 'unpin', id, 'm3'])).stdout).toBe(`${strings.unpinned('3')}\n`)
    expect((await home.run(['sessions', 'unpin', id, '3'])).stdout).toBe(`${strings.notPinned('3')}\n`)
    expect(await pins()).toEqual([])
  })

  it('keeps a pin after a rewind to before it was made, if its message is still on the branch', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(3))
    await home.run(['sessions', 'pin', id, '3'])
    await home.run(['sessions', 'pin', id, '7'])
    await home.run(['sessions', 'rewind', id, '5'])
    expect(JSON.parse((await home.run(['show', id, '--json'])).stdout).pins).toEqual(['m3'])
    expect((await home.run(['sessions', 'rewind', id, '4'])).stdout).toContain(
      '1 later message stays in the log, on a separate branch.',
    )
  })

  it('refuses a message of another branch', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(2))
    await home.run(['sessions', 'rewind', id, '1'])
    expect(await home.run(['sessions', 'pin', id, 'm4'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Message m4 is not on the active branch.'),
    })
  })

  it('suggests the nearest active edit', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(2))
    expect((await home.run(['sessions', 'restore', id, 'no-such'])).stderr).toBe(
      `error: ${strings.noSuchEdit('no-such', null)}\n`,
    )
  })
})

it('reports a state folder that is a file', async () => {
  const home = createStateHome()
  writeFileSync(join(home.path, 'state'), 'a file')
  const listed = await home.run(['sessions'])
  expect({ ...listed, stderr: listed.stderr.slice(0, 7) }).toEqual({ code: 1, stdout: '', stderr: 'error: ' })
  const imported = await home.run(['import', home.write('one.json', '[{"role":"user","content":"hi"}]')])
  expect(imported).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('could not be written') })
})
