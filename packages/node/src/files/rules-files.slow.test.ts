import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { rulesText } from '../layers/assemble-layers.ts'
import { createRulesReader } from './rules-files.ts'

const base = mkdtempSync(join(tmpdir(), 'plimsoll-rules-'))
afterAll(() => rmSync(base, { recursive: true }))

let count = 0
let root = ''
beforeEach(() => {
  count += 1
  root = join(base, `project-${count}`)
  mkdirSync(root)
})

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(root, name), content)
const reader = (names: readonly string[] = ['CODE_LAW.md'], limit?: number) =>
  createRulesReader({ root, names, ...(limit === undefined ? {} : { limit }) })

describe('which file', () => {
  it.each([
    [['CODE_LAW.md', 'code_law.md', 'Code_Law.md'], 'CODE_LAW.md'],
    [['Code_Law.md', 'code_law.md'], 'code_law.md'],
    [['code_LAW.md', 'Code_Law.MD'], 'Code_Law.MD'],
    [['cODE_LAW.md'], 'cODE_LAW.md'],
  ])('R004-46 Q-29 among %j is %s', async (names, winner) => {
    for (const name of names) write(name, `text of ${name}`)
    expect(await reader().read()).toEqual({ files: [{ name: winner, text: `text of ${winner}` }], troubles: [] })
  })

  it('R004-2 R004-46 is empty if there is no file', async () => {
    write('OTHER.md', 'x')
    mkdirSync(join(root, 'sub'))
    writeFileSync(join(root, 'sub', 'CODE_LAW.md'), 'not in the root')
    const reading = await reader().read()
    expect(reading).toEqual({ files: [], troubles: [] })
    expect(rulesText(reading.files)).toBeNull()
  })

  it('takes the configured ones, in their order, each file once', async () => {
    write('agents.md', 'agents')
    write('CODE_LAW.md', 'law')
    symlinkSync('agents.md', join(root, 'CLAUDE.md'))
    const { files, troubles } = await reader(['CODE_LAW.md', 'AGENTS.md', 'CLAUDE.md', 'code_law.md']).read()
    expect([files, troubles]).toEqual([
      [
        { name: 'CODE_LAW.md', text: 'law' },
        { name: 'agents.md', text: 'agents' },
      ],
      [],
    ])
  })

  it.each(['../CODE_LAW.md', 'sub/CODE_LAW.md', '/etc/passwd', '..', '.', '', 'a\\b', 'a\0b'])(
    'is never one by the name %j',
    async (name) => {
      writeFileSync(join(base, 'CODE_LAW.md'), 'outside')
      expect(await reader([name]).read()).toEqual({ files: [], troubles: [{ name, problem: { kind: 'not-a-name' } }] })
    },
  )

  it('is none in a folder that is not there', async () => {
    rmSync(root, { recursive: true })
    expect(await reader().read()).toEqual({ files: [], troubles: [] })
  })
})

describe('a path that is not a plain file of the project', () => {
  it('is not followed to the outside', async () => {
    writeFileSync(join(base, 'secret'), 'secret')
    symlinkSync(join(base, 'secret'), join(root, 'CODE_LAW.md'))
    write('code_law.md', 'ours')
    expect(await reader().read()).toEqual({
      files: [{ name: 'code_law.md', text: 'ours' }],
      troubles: [{ name: 'CODE_LAW.md', problem: { kind: 'outside-root' } }],
    })
  })

  it('is skipped: a folder, a pipe without a writer, a broken link, a link to itself', async () => {
    mkdirSync(join(root, 'CODE_LAW.md'))
    execFileSync('mkfifo', [join(root, 'pipe.md')])
    symlinkSync('missing', join(root, 'gone.md'))
    symlinkSync('loop.md', join(root, 'loop.md'))
    expect(await reader(['CODE_LAW.md', 'pipe.md', 'gone.md', 'loop.md']).read()).toEqual({
      files: [],
      troubles: [
        { name: 'CODE_LAW.md', problem: { kind: 'is-folder' } },
        { name: 'pipe.md', problem: { kind: 'not-a-file' } },
        { name: 'loop.md', problem: { kind: 'unreadable', code: 'ELOOP' } },
      ],
    })
  })

  it('is found through a project that is itself a link', async () => {
    write('CODE_LAW.md', 'law')
    const link = `${root}-link`
    symlinkSync(root, link)
    const { files } = await createRulesReader({ root: link, names: ['CODE_LAW.md'] }).read()
    expect(files).toEqual([{ name: 'CODE_LAW.md', text: 'law' }])
  })

  it('is reported if it is not text', async () => {
    write('CODE_LAW.md', Uint8Array.of(0x89, 0x50, 0xff))
    expect((await reader().read()).troubles).toEqual([{ name: 'CODE_LAW.md', problem: { kind: 'not-utf8' } }])
  })
})

describe('a change', () => {
  it('R004-46 is there at the next read, and so is a file that comes or goes', async () => {
    const rules = reader()
    const texts = []
    texts.push(rulesText((await rules.read()).files))
    write('CODE_LAW.md', 'one')
    texts.push(rulesText((await rules.read()).files))
    write('CODE_LAW.md', 'three')
    texts.push(rulesText((await rules.read()).files))
    rmSync(join(root, 'CODE_LAW.md'))
    texts.push(rulesText((await rules.read()).files))
    expect(texts).toEqual([null, 'Project rules (CODE_LAW.md):\n\none', 'Project rules (CODE_LAW.md):\n\nthree', null])
  })

  it('Q-29 is seen even where time and size stay the same', async () => {
    const rules = reader()
    const path = join(root, 'CODE_LAW.md')
    write('CODE_LAW.md', 'tabs!')
    utimesSync(path, 1000, 1000)
    await rules.read()
    const before = statSync(path)
    write('CODE_LAW.md', 'space')
    utimesSync(path, 1000, 1000)
    const after = statSync(path)
    expect([after.mtimeMs, after.size]).toEqual([before.mtimeMs, before.size])
    expect((await rules.read()).files).toEqual([{ name: 'CODE_LAW.md', text: 'space' }])
  })

  it('Q-29 is the only thing that makes a new list', async () => {
    const rules = reader()
    write('CODE_LAW.md', 'law')
    const first = await rules.read()
    expect((await rules.read()).files).toBe(first.files)
    utimesSync(join(root, 'CODE_LAW.md'), 1000, 1000)
    const touched = await rules.read()
    expect([touched.files === first.files, touched.files]).toEqual([false, first.files])
  })
})

describe('a limit', () => {
  it('is 256 KB, and a larger file is reported', async () => {
    write('CODE_LAW.md', 'x'.repeat(300_000))
    const [file] = (await reader().read()).files
    expect([file?.text.length, file?.cutFrom]).toEqual([262_144, 300_000])
    expect(rulesText(file === undefined ? [] : [file])?.slice(-66)).toBe(
      'xxxxxxx\n[CODE_LAW.md is cut here: the whole file has 300000 bytes]',
    )
  })

  it.each([
    ['港港', 4, '港'],
    ['港港', 5, '港'],
    ['港港', 6, '港港'],
    ['🎉🎉', 7, '🎉'],
    ['éé', 1, ''],
    ['ab', 0, ''],
    ['\ufeffab', 9, 'ab'],
  ])('never cuts a character: %j at %d bytes is %j', async (text, limit, kept) => {
    write('CODE_LAW.md', text)
    const size = Buffer.byteLength(text)
    expect((await reader(undefined, limit).read()).files).toEqual([
      { name: 'CODE_LAW.md', text: kept, ...(size > limit ? { cutFrom: size } : {}) },
    ])
  })

  it('holds for all files together', async () => {
    write('CODE_LAW.md', '12345678')
    write('AGENTS.md', 'abcdefgh')
    expect((await reader(['CODE_LAW.md', 'AGENTS.md'], 10).read()).files).toEqual([
      { name: 'CODE_LAW.md', text: '12345678' },
      { name: 'AGENTS.md', text: 'ab', cutFrom: 8 },
    ])
  })
})
