import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { codecs, handleOf, specPolicies } from '@plimsoll/core'
import { viewRequest } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { forgePair } from '../../../../core/src/testing/forge-pair.ts'
import { pathsOf } from '../../session/session-folder.ts'
import { type Claim, storeFile } from '../../store/gateway-store.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import { loadSqlite } from '../../store/sqlite/sqlite-database.ts'
import { hidden } from '../../store/testing/forged-handles.ts'
import { noon, record, request } from '../../store/testing/samples.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome, type StateHome } from '../testing/state-home.ts'

const { sessionCommands: strings } = stringsFor('en')

function called(id: string, command: string, content: unknown): readonly unknown[] {
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const log = Array.from({ length: 2000 }, (_, index) =>
  index === 999 ? 'src/cart.ts:12: error: no number' : `compiled \u001b[32mmodule ${index}`,
).join('\n')
const build = [{ role: 'user', content: 'Does it build?' }, ...called('c1', 'make', log)]

describe('plimsoll recall', () => {
  it('prints trimmed content byte for byte, from any session that has it', async () => {
    const home = createStateHome()
    await home.importMessages(build)
    await home.importMessages([{ role: 'user', content: 'something else' }])
    // The handle is taken from a view, as a user would do.
    const { built } = viewRequest(codecs['openai-chat'], build, specPolicies, { now: 0 })
    const handle = /recall ([0-9a-f]{12})/.exec(JSON.stringify(built.view))?.[1] ?? ''
    expect(await home.run(['recall', handle])).toEqual({ code: 0, stdout: log, stderr: '' })
    expect((await home.run(['recall', handle.slice(0, 6)])).stdout).toBe(log)
    // Content of the other session is found too.
    expect((await home.run(['recall', handleOf('something else')])).stdout).toBe('something else')
  })

  it('prints texts unchanged, even empty ones and ones without a final line break', async () => {
    const home = createStateHome()
    const id = await home.importMessages([
      { role: 'user', content: 'Which branch is this?' },
      ...called('c1', 'true', ''),
      ...called('c2', 'printf main', 'main'),
    ])
    expect(await home.run(['recall', '--id', 'c1'])).toEqual({ code: 0, stdout: '', stderr: '' })
    expect(await home.run(['recall', '--session', id, '--id', 'c2'])).toEqual({ code: 0, stdout: 'main', stderr: '' })
  })

  it('narrows by lines, pattern and budget, and prints the line numbers', async () => {
    const home = createStateHome()
    await home.importMessages(build)
    const handle = handleOf(log)
    expect(await home.run(['recall', handle, '--lines', '1000'])).toEqual({
      code: 0,
      stdout: 'src/cart.ts:12: error: no number',
      stderr: 'lines 1000 of 2,000\n',
    })
    expect((await home.run(['recall', handle, '--pattern', 'error:'])).stdout).toBe('1000: src/cart.ts:12: error: no number')
    const none = await home.run(['recall', handle, '--budget', '1'])
    expect(none).toMatchObject({ code: 0, stderr: '' })
    const short = await home.run(['recall', handle, '--budget', '200'])
    expect(short.stdout.length).toBeLessThan(1500)
    expect(short.stdout).toContain(`recall with handle "${handle}" and lines`)
  })

  it('continues a very long line by characters, as the output suggests', async () => {
    const home = createStateHome()
    const line = Array.from({ length: 3000 }, (_, index) => `word${index}`).join(' ')
    await home.importMessages(called('c1', 'cat one-line', line))
    const first = await home.run(['recall', '--id', 'c1', '--budget', '200'])
    expect(first.stderr).toBe('lines 1 of 1\n')
    const [, from, to] = /recall with handle "[0-9a-f]{12}" and characters "(\d+)-(\d+)"/.exec(first.stdout) ?? []
    const second = await home.run(['recall', '--id', 'c1', '--characters', `${from}-${to}`])
    expect(second).toEqual({ code: 0, stdout: line.slice(Number(from) - 1, Number(to)), stderr: 'lines 1 of 1\n' })
    expect(second.stdout).not.toBe('')
  })

  it('finds by tool and argument, and by query', async () => {
    const home = createStateHome()
    await home.importMessages([...build, ...called('c2', 'make install', 'installed'), ...called('c3', 'make clean', 'cleaned')])
    expect((await home.run(['recall', '--tool', 'bash', '--about', 'install'])).stdout).toBe('installed')
    const latest = await home.run(['recall', '--tool', 'bash'])
    expect(latest.stdout).toBe('cleaned')
    expect(latest.stderr).toContain('This is the latest of several; 2 older')
    const found = await home.run(['recall', '--query', 'cart error number'])
    expect(found.stdout).toContain('src/cart.ts:12: error: no number')
    expect(found.stdout.endsWith('\n')).toBe(true)
  })

  it('is readable in a terminal, without control characters', async () => {
    const home = createStateHome()
    const id = await home.importMessages(build)
    const { stdout, stderr } = await home.run(['recall', '--id', 'c1', '--lines', '1-2'], {
      terminal: 80,
      environment: { NO_COLOR: '1' },
    })
    expect(stdout).toBe('compiled \\u001b[32mmodule 0\ncompiled \\u001b[32mmodule 1\n')
    expect(stderr).toBe(`${id}, message m3: bash make (${handleOf(log)})\nlines 1-2 of 2,000\n`)
  })

  it('prints stable names as JSON', async () => {
    const home = createStateHome()
    const id = await home.importMessages([
      { role: 'user', content: 'Which branch is this?' },
      ...called('c2', 'printf main', 'main'),
    ])
    expect(JSON.parse((await home.run(['recall', '--id', 'c2', '--json'])).stdout)).toEqual({
      session: id,
      answer: {
        kind: 'found',
        text: 'main',
        lines: 1,
        shown: [[1, 1]],
        others: [],
        otherCount: 0,
        original: {
          handle: handleOf('main'),
          message: 'm3',
          role: 'tool',
          tool: 'bash',
          about: 'printf main',
          media: [],
          text: 'main',
        },
      },
    })
  })

  it.each<[readonly string[], 1 | 2, string]>([
    [[], 2, strings.nothingAsked],
    [['abcdef', '--id', 'x'], 2, strings.askedTwice],
    [['zzz'], 2, 'A handle is the 12 hexadecimal digits'],
    [['0123456789ab'], 1, 'has the handle 0123456789ab'],
    [['--id', 'nothing'], 1, 'has the id "nothing"'],
    [['--tool', 'nothing'], 1, 'nothing'],
    [['--id', 'c1', '--lines', 'x'], 2, '--lines: expected first and last line such as 120-180, got "x"'],
    [['--id', 'c1', '--lines', '3000-4000'], 1, 'this text has 2000 lines'],
    [['--id', 'c1', '--characters', '0-5'], 2, '--characters: expected first and last character such as 1-4000, got "0-5"'],
    [['--query', ' '], 2, strings.nothingAsked],
    [['--id', 'c1', '--budget', '0'], 2, strings.badBudget('"0"')],
    [['--id', 'c1', '--pattern', '('], 2, 'cannot be used'],
    [['--id', 'c1', '--pattern', 'nowhere'], 1, 'matches "nowhere"'],
    [['--id', 'c1', '--session', '../../etc'], 1, 'There is no session ../../etc.'],
  ])('%j: exits with %i, the reason and a suggestion', async (args, code, sentence) => {
    const home = createStateHome()
    await home.importMessages(build)
    expect(await home.run(['recall', ...args])).toEqual({ code, stdout: '', stderr: expect.stringContaining(sentence) })
  })

  it('says how many sessions were searched', async () => {
    const home = createStateHome()
    await home.importMessages(build)
    await home.importMessages(build)
    expect((await home.run(['recall', '0123456789ab'])).stderr).toMatch(
      /^error: Not found in any of the 2 sessions\. About the latest one: No text/,
    )
    expect((await createStateHome().run(['recall', '0123456789ab'])).stderr).toContain('There are no sessions yet')
  })

  it('stops a catastrophic pattern', async () => {
    const home = createStateHome()
    await home.importMessages([{ role: 'user', content: 'Print it.' }, ...called('c1', 'cat letters', `${'a'.repeat(60)}!`)])
    expect((await home.run(['recall', '--id', 'c1', '--pattern', '(a+)+$'])).stderr).toContain('was ended')
  })

  it('explains why content is lost, and by id prints the extract that is left', async () => {
    const home = createStateHome()
    const text = 'compiled one more module\n'.repeat(100_000)
    const id = await home.importMessages([{ role: 'user', content: 'Does it build?' }, ...called('c1', 'make', text)])
    expect((await home.run(['recall', handleOf(text)])).stdout).toBe(text)
    const { blobs } = pathsOf(join(home.sessions, id))
    for (const name of readdirSync(blobs)) rmSync(join(blobs, name))
    expect(await home.run(['recall', handleOf(text)])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('is missing'),
    })
    const left = await home.run(['recall', '--id', 'c1'])
    expect({ code: left.code, isShort: left.stdout.length < 70_000 }).toEqual({ code: 0, isShort: true })
    expect(left.stderr).toContain(strings.extractLeft('').trim())
  })

  it('explains failures in the user’s language', async () => {
    const home = createStateHome()
    await home.importMessages(build)
    expect((await home.run(['recall', '0123456789ab'], { environment: { LANG: 'zh_CN.UTF-8' } })).stderr).toContain(
      '找不到这个取回码的内容',
    )
  })
})

describe('plimsoll recall of what a gateway hid', () => {
  const [harmless, evil] = forgePair()
  const handle = handleOf(harmless)

  async function keep(home: StateHome, ...claims: readonly Claim[]): Promise<void> {
    const store = await openSqliteStore({ path: gatewayFile(home), now: () => noon })
    await store.claim('tenant', claims)
    await store.record('tenant', record(request('r-one', { conversation: 'one' })))
    await store.close()
  }
  const gatewayFile = ({ path }: StateHome) => join(path, 'state', 'plimsoll', 'gateway', storeFile)

  it.each(['without a session', 'with one'])('says that two texts have a handle, or none, %s', async (which) => {
    const home = createStateHome()
    if (which === 'with one') await home.importMessages(build)
    await keep(home, hidden('harmless.ts', harmless, 'one'), hidden('evil.ts', evil, 'one'))
    expect(await home.run(['recall', handle])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/Different texts have the handle .* Ask by tool and about/) as string,
    })
    expect((await home.run(['recall', '--tool', 'Read', '--about', 'evil.ts'])).stdout).toBe(evil)
    expect(await home.run(['recall', '0123456789ab'])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('0123456789ab') as string,
    })
  })

  it('says that a text is damaged', async () => {
    const home = createStateHome()
    await keep(home, hidden('harmless.ts', harmless, 'one'))
    const { DatabaseSync } = loadSqlite()
    const database = new DatabaseSync(gatewayFile(home))
    database.exec("update originals set body = replace(body, 'harmless.ts', 'harmful.ts')")
    database.close()
    expect(await home.run(['recall', handle])).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('damaged') as string,
    })
  })
})
