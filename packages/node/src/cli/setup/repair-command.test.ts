import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { claudeLine, claudeUser, linesOf } from '../../logs/testing/recordings.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { createStateHome } from '../testing/state-home.ts'

const { repair: strings } = stringsFor('en')

const broken = `${linesOf([claudeLine('u1', null, 1, claudeUser('Why?')), claudeLine('u2', 'lost', 2, claudeUser('And how?'))])}{"typ`

describe('plimsoll repair', () => {
  it('lists repairs line by line and prints the path of the copy', async () => {
    const home = createStateHome()
    const file = home.write('session.jsonl', broken)
    const { code, stdout, stderr } = await home.run(['repair', file])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout.split('\n')).toEqual([
      'session.jsonl, read as claude-code, 3 lines',
      `${strings.mended(2, '2')}:`,
      '',
      `  line 2  ${strings.mends.relinked} (${strings.to('1')})`,
      `  line 3  ${strings.mends['cut-end']}`,
      '',
      strings.written('~/files/session.repaired.jsonl', '388 B'),
      strings.untouched,
      strings.checked,
      '',
    ])
    expect(readFileSync(file, 'utf8')).toBe(broken)
  })

  it('names the lines in Chinese too', async () => {
    const home = createStateHome()
    const { stdout } = await home.run(['repair', home.write('a.jsonl', broken)], { environment: { LANG: 'zh_CN.UTF-8' } })
    expect(stdout).toContain('第 2 行  所指的上一条记录无法到达（改接到第 1 行）'.replace('（', ' (').replace('）', ')'))
  })

  it('prints JSON with --json', async () => {
    const home = createStateHome()
    const { stdout } = await home.run(['repair', home.write('a.jsonl', broken), '--out', `${home.path}/b.jsonl`, '--json'])
    expect(JSON.parse(stdout)).toEqual({
      format: 'claude-code',
      lines: 3,
      mends: [
        { kind: 'relinked', line: 2, to: 1 },
        { kind: 'cut-end', line: 3 },
      ],
      copy: { path: `${home.path}/b.jsonl`, bytes: 388 },
      pictures: null,
      left: null,
    })
  })

  it('writes nothing if nothing is broken', async () => {
    const home = createStateHome()
    const file = home.write('a.jsonl', linesOf([claudeLine('u1', null, 1, claudeUser('Why?'))]))
    const { code, stdout } = await home.run(['repair', file])
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `a.jsonl, read as claude-code, 1 line\n${strings.whole}\n`,
    })
    expect(existsSync(file.replace('.jsonl', '.repaired.jsonl'))).toBe(false)
  })

  it.each([
    ['a missing file', ['nowhere.jsonl'], 1, 'nowhere.jsonl. Check the path.'],
    ['a missing argument', [], 2, stringsFor('en').command.missingArgument('FILE')],
  ])('refuses %s', async (_name, args, exit, text) => {
    const { code, stderr } = await createStateHome().run(['repair', ...args])
    expect(code).toBe(exit)
    expect(stderr).toContain(text)
  })

  it('replaces no file, least of all the original', async () => {
    const home = createStateHome()
    const file = home.write('a.jsonl', broken)
    const taken = home.write('taken.jsonl', 'mine')
    expect(await home.run(['repair', file, '--out', taken])).toMatchObject({
      code: 1,
      stderr: `error: ${strings.exists('~/files/taken.jsonl')}\n`,
    })
    expect(await home.run(['repair', file, '--out', file])).toMatchObject({
      code: 2,
      stderr: `error: ${strings.sameFile}\n`,
    })
    expect(readFileSync(taken, 'utf8')).toBe('mine')
  })
})
