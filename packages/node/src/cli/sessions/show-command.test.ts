import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../session/create-session.ts'
import { pathsOf } from '../../session/session-folder.ts'
import { answered, said } from '../../session/testing/sessions.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { createStateHome, repeatedReads, type StateHome } from '../testing/state-home.ts'

const { sessionCommands: strings } = stringsFor('en')

/** A session with a fold over its first two messages, an edit, a pin and an abandoned branch. */
async function cartSession(home: StateHome, root = '/shop'): Promise<string> {
  const session = await createSession(home.sessions, {
    title: 'Fix the cart total',
    root,
    now: () => Date.parse('2026-01-31T08:00:00Z'),
  })
  const text = 'The user asked for the cause of a wrong cart total.'
  const summary: Message = { id: 'summary', role: 'system', summary: true, parts: [{ type: 'text', text }] }
  await session.append([
    said('question', 'Why is the cart total wrong?'),
    said('hint', 'Look at the discount.'),
    said('rule', 'Never round before the sum.'),
    answered('tests', null, '1 test failed'),
    said('detour', 'Rewrite the cart.'),
  ])
  await session.append([{ type: 'rewind', parentId: 'tests', left: 'detour' }, said('fix', 'Fix only the discount.')])
  await session.append([
    {
      type: 'edits',
      apply: [
        { id: 'fold:1', policy: 'compact', kind: 'fold', first: 'question', last: 'hint', into: summary, why: 'old' },
        {
          id: 'trim:tests',
          policy: 'trim-outdated-commands',
          kind: 'replace',
          message: 'tests',
          part: 0,
          with: { type: 'text', text: 'outdated output' },
          why: 'outdated',
        },
      ],
      pin: ['rule'],
    },
  ])
  await session.close()
  return session.id
}

describe('plimsoll show', () => {
  it("names a folder below the user's own as ~", async () => {
    const home = createStateHome()
    const id = await cartSession(home, `${home.path}/shop`)
    expect((await home.run(['show', id])).stdout.split('\n')[2]).toMatch(/^ ~\/shop · started /)
  })

  it('shows header, messages, folds, edits and pins', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    expect((await home.run(['show', id])).stdout.replaceAll(/\d+ tokens/g, 'N tokens')).toBe(
      [
        `Session ${id}`,
        ' Fix the cart total',
        ` /shop · ${strings.begun('2026-01-31 08:00')} · 5 messages · format 1 · ${strings.branch('e8', 2)}`,
        '',
        'Messages',
        '  1  question  user  -  N tokens  compacted  Why is the cart total wrong?',
        '  2  hint  user  -  N tokens  compacted  Look at the discount.',
        '  3  rule  user  -  N tokens  pinned  Never round before the sum.',
        '  4  tests  tool  -  N tokens  1 test failed',
        '  5  fix  user  -  N tokens  Fix only the discount.',
        '',
        strings.folds(1),
        '  messages 1 to 2 are shown as a summary of N tokens',
        '    fold:1',
        '',
        strings.edits(1),
        '  #4  trim:tests',
        '    outdated',
        '',
        '1 pinned message',
        '  #3  rule',
        '',
      ].join('\n'),
    )
  })

  it('prints the same as JSON, with stable names', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    expect(JSON.parse((await home.run(['show', id, '--json'])).stdout)).toEqual({
      session: id,
      title: 'Fix the cart total',
      root: '/shop',
      from: null,
      version: 1,
      begun: '2026-01-31T08:00:00.000Z',
      leaf: 'e8',
      branches: 2,
      earlier: 0,
      messages: expect.arrayContaining([
        {
          number: 1,
          id: 'question',
          role: 'user',
          at: null,
          tokens: expect.any(Number),
          tools: [],
          about: '',
          first: 'Why is the cart total wrong?',
          summary: false,
          pinned: false,
          fold: 'fold:1',
        },
      ]),
      folds: [{ id: 'fold:1', policy: 'compact', first: 1, last: 2, summary: 'summary', tokens: expect.any(Number), why: 'old' }],
      edits: [{ id: 'trim:tests', policy: 'trim-outdated-commands', kind: 'replace', message: 4, why: 'outdated' }],
      pins: ['rule'],
      troubles: [],
    })
  })

  it('undoes folds and edits with sessions restore', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    expect((await home.run(['sessions', 'restore', id, 'trim:test'])).stderr).toContain('Did you mean trim:tests?')
    expect((await home.run(['sessions', 'restore', id, 'trim:tests'])).stdout).toBe(
      `${strings.restoredAndPinned('trim:tests', '4')}\n`,
    )
    expect((await home.run(['sessions', 'restore', id, 'fold:1'])).stdout).toBe(`${strings.restored('fold:1')}\n`)
    expect(JSON.parse((await home.run(['show', id, '--json'])).stdout)).toMatchObject({
      folds: [],
      edits: [],
      pins: ['rule', 'tests'],
    })
  })

  it('warns that the next request may hide a restored summary again', async () => {
    const home = createStateHome()
    const session = await createSession(home.sessions)
    const text = 'The user asked for the cause of a wrong cart total.'
    const into = (id: string): Message => ({ id, role: 'system', summary: true, parts: [{ type: 'text', text }] })
    const fold = { kind: 'fold' as const, why: 'old' }
    await session.append([
      said('question', 'Why is the cart total wrong?'),
      said('hint', 'Look at the discount.'),
      {
        type: 'edits',
        apply: [{ ...fold, id: 'fold:1', policy: 'compaction', first: 'question', last: 'question', into: into('summary') }],
      },
      {
        type: 'edits',
        apply: [{ ...fold, id: 'hide:1', policy: 'hide-old-summaries', first: 'summary', last: 'summary', into: into('line') }],
      },
    ])
    await session.close()
    expect((await home.run(['sessions', 'restore', session.id, 'hide:1'])).stdout).toContain(
      strings.comesBack('hide-old-summaries'),
    )
  })

  it('draws the tree of branches with --branches', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    expect((await home.run(['show', id, '--branches'])).stdout).toBe(
      [
        `Session ${id} · 2 branches`,
        '  * #1-4',
        '    Why is the cart total wrong?',
        '    - #5 · ends at detour',
        '      Rewrite the cart.',
        '    * #5 · ends at e8 · active',
        '      Fix only the discount.',
        '',
      ].join('\n'),
    )
    expect(JSON.parse((await home.run(['show', id, '--branches', '--json'])).stdout).branches).toHaveLength(3)
  })

  it('prints any message in full by number or id, even folded, on another branch, or a summary', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    const shown = async (which: string) => (await home.run(['show', id, which])).stdout
    expect(await Promise.all(['1', '#3', 'tests', 'detour', 'summary'].map(shown))).toEqual([
      'Why is the cart total wrong?',
      'Never round before the sum.',
      '1 test failed',
      'Rewrite the cart.',
      'The user asked for the cause of a wrong cart total.',
    ])
    expect(await home.run(['show', id, '9'])).toEqual({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('There is no message 9'),
    })
  })

  it('prints a result of two megabytes byte for byte to a pipe, and explains why if it is lost', async () => {
    const home = createStateHome()
    const text = Array.from({ length: 40_000 }, (_, index) => `line ${index} \u001b[31m of\r\nit ${'x'.repeat(40)}`).join('\n')
    const id = await home.importMessages([{ role: 'user', content: 'Show the build log.' }, ...callAndResult('build', text)])
    expect((await home.run(['show', id, '3'])).stdout).toBe(text)
    const { blobs } = pathsOf(join(home.sessions, id))
    for (const name of readdirSync(blobs)) rmSync(join(blobs, name))
    const { code, stdout, stderr } = await home.run(['show', id, '3'])
    expect(code).toBe(0)
    expect(stdout.length).toBeLessThan(70_000)
    expect(stderr).toContain('is missing')
    expect(stderr).toContain(strings.extractLeft('').trim())
  })

  it('escapes control characters only on a terminal', async () => {
    const home = createStateHome()
    const text = 'a\u001b[31mb\tc\u202e\n\n'
    const id = await home.importMessages([{ role: 'user', content: text }])
    expect((await home.run(['show', id, '1'])).stdout).toBe(text)
    const shown = await home.run(['show', id, '1'], { terminal: 80 })
    expect(shown.stdout).toBe('a\\u001b[31mb    c\\u202e\n\n')
    expect((await home.run(['show', id, '1', '--json'])).stdout).not.toContain('\u001b')
  })

  it('prints several parts as a transcript, and all of them as JSON', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(1))
    expect((await home.run(['show', id, '2'])).stdout).toMatch(
      /--- assistant, 1 line ---\nlook 1\n\n--- call call-0: read_file ---/,
    )
    expect(JSON.parse((await home.run(['show', id, '2', '--json'])).stdout)).toMatchObject({
      number: 2,
      message: { id: 'm2', parts: { length: 2 } },
    })
  })

  it('cuts a long list in a terminal and says how to see all', async () => {
    const home = createStateHome()
    const id = await home.importMessages(repeatedReads(20))
    const shown = (await home.run(['show', id], { terminal: 80, environment: { NO_COLOR: '1' } })).stdout
    expect(shown).toContain(strings.earlierMessages('21'))
    expect(shown).not.toContain('look 1\n')
    expect(shown).toContain('read_file src/price.ts: 1→export const price = 19')
    expect((await home.run(['show', id, '--all'], { terminal: 80 })).stdout).toContain('What does the price depend on?')
  })

  it.each([
    [80, 'en'],
    [40, 'en'],
    [40, 'zh_CN.UTF-8'],
  ])('fits %i columns in %s', async (columns, LANG) => {
    const home = createStateHome()
    const id = await cartSession(home)
    for (const args of [[], ['--branches']]) {
      const { stdout } = await home.run(['show', id, ...args], { terminal: columns, environment: { LANG, NO_COLOR: '1' } })
      expect(stdout.split('\n').filter((line) => displayWidth(line) > columns)).toEqual([])
    }
  })

  it('names every unreadable line and shows the rest', async () => {
    const home = createStateHome()
    const id = await cartSession(home)
    const { log } = pathsOf(join(home.sessions, id))
    const lines = readFileSync(log, 'utf8').split('\n')
    lines[2] = lines[2]?.slice(0, -9) ?? ''
    writeFileSync(log, lines.join('\n'))
    appendFileSync(log, '{"type":"message"')
    const { code, stdout } = await home.run(['show', id])
    expect(code).toBe(0)
    expect(stdout).toContain('problems in this log')
    expect(stdout).toContain('Line 3 is incomplete')
    expect(stdout).toContain('Never round before the sum.')
  })
})

function callAndResult(id: string, content: string): readonly unknown[] {
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }],
    },
    { role: 'tool', tool_call_id: id, content },
  ]
}
