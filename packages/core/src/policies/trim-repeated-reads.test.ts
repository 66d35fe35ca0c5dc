import { describe, expect, it } from 'vitest'
import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { toolResults } from '../results/tool-results.ts'
import { deepFreeze, exchange, expectEdits, outcome, result } from '../testing/messages.ts'
import { keepLatestReads, trimRepeatedReads } from './trim-repeated-reads.ts'

const compressed = '[该文件的历史读取内容已压缩,请参看最新读取结果]'
const button = 'src/components/Button.tsx'
const at = (clock: string) => Date.parse(`2026-01-31T${clock}:00Z`)

const read = (id: string, filePath: unknown, time: string, text = `📄 ${id} (lines 1-50/250)\n1→export`) =>
  exchange(id, 'filesystem-read', { filePath }, text, { at: at(time) })
/** Reads of one file, newest first, five minutes apart, named r1, r2, … as the document numbers them. */
const reads = (count: number, filePath: unknown = button, prefix = 'r') =>
  Array.from({ length: count }, (_, index) =>
    read(`${prefix}${index + 1}`, filePath, `02:${String(50 - index * 5).padStart(2, '0')}`),
  )
const oldestFirst = (list: readonly (readonly Message[])[]) => list.toReversed().flat()

describe('trim-repeated-reads, the examples of the source document', () => {
  it('R001-29 example 1: of 7 reads of one file the 6th and 7th newest are trimmed', () => {
    expectEdits(trimRepeatedReads, oldestFirst(reads(7)), {}, { r7: compressed, r6: compressed })
  })

  it('R001-30 R001-11 example 2: 3 reads stay', () => {
    expectEdits(trimRepeatedReads, oldestFirst(reads(3)), {}, {})
  })

  it('R001-31 R001-12 example 3: a failed read stays and is not counted', () => {
    const list = reads(7)
    list[2] = read('r3', button, '02:40', 'Error: File not found')
    expectEdits(trimRepeatedReads, oldestFirst(list), {}, { r7: compressed })
  })

  it('R001-32 R001-3 R001-13 example 4: each file is counted alone, and other tools are left alone', () => {
    const messages = [
      ...oldestFirst(reads(3, 'src/App.tsx', 'a')),
      ...oldestFirst(reads(7, button, 'b')),
      ...oldestFirst(reads(2, 'src/utils/api.ts', 'c')),
      ...Array.from({ length: 9 }, (_, index) =>
        exchange(`t${index}`, 'terminal-execute', {}, '{"stdout":""}', { at: at('02:00') }),
      ).flat(),
    ]
    expectEdits(trimRepeatedReads, messages, {}, { b7: compressed, b6: compressed })
  })

  it('R001-33 example 5: a batch read counts once for each of its files', () => {
    const batch = [read('batch', ['file1.ts', 'file2.ts', 'file3.ts'], '02:55')]
    for (const file of ['file1.ts', 'file2.ts', 'file3.ts']) {
      expectEdits(trimRepeatedReads, [...oldestFirst(reads(5, file)), ...batch.flat()], {}, { r5: compressed })
    }
  })

  it('R001-34 example 6: three spellings of a path are one file', () => {
    const spellings = [
      button,
      `./${button}`,
      `F:/Projects/snow-cli/${button}`,
      `f:\\Projects\\snow-cli\\src\\components\\button.tsx`,
    ]
    const list = reads(8).map((_, index) => read(`r${index + 1}`, spellings[index % 4], `02:${50 - index * 5}`))
    expectEdits(
      trimRepeatedReads,
      oldestFirst(list),
      { root: 'F:/Projects/snow-cli' },
      { r8: compressed, r7: compressed, r6: compressed },
    )
  })

  it('R001-35 example 7: a folder is counted like a file', () => {
    const list = reads(6).map((_, index) =>
      read(`r${index + 1}`, index % 2 === 0 ? 'src/components/' : 'src/components', `02:${50 - index * 5}`),
    )
    expectEdits(trimRepeatedReads, oldestFirst(list), {}, { r6: compressed })
  })

  it('R001-36 R001-18 example 8: trims nothing if the call, and so the file, is unknown', () => {
    const bare = Array.from({ length: 9 }, (_, index) => result(`m${index}`, `gone${index}`, '📄 a.ts\n1→x', { at: at('02:00') }))
    expectEdits(trimRepeatedReads, bare, {}, {})
  })

  it.each<[string, unknown]>([
    ['an empty path', ''],
    ['null', null],
    ['a blank path', '  '],
    ['a number', 7],
    ['an empty list', []],
    ['a list without a valid path', ['', null, {}, { path: '' }]],
  ])('R001-37 R001-19 example 9: %s is not trimmed', (_name, filePath) => {
    expectEdits(trimRepeatedReads, oldestFirst(reads(9, filePath)), {}, {})
  })
})

describe('trim-repeated-reads, which reads count', () => {
  it('R001-1 R001-5 R001-6 R001-7 R001-8 R001-9 replaces the sixth newest successful read of a file with the line', () => {
    expectEdits(trimRepeatedReads, oldestFirst(reads(6)), {}, { r6: compressed })
  })

  it('R001-16 finds the call by its id and parses arguments given as a string', () => {
    const list = reads(6).map((_, index) =>
      exchange(`r${index + 1}`, 'filesystem-read', JSON.stringify({ filePath: button }), 'text', {
        at: at(`02:${50 - index * 5}`),
      }),
    )
    expectEdits(trimRepeatedReads, oldestFirst(list), {}, { r6: compressed })
    const broken = reads(9).map((_, index) =>
      exchange(`r${index}`, 'filesystem-read', '{"filePath": "a', 'text', { at: at('02:00') }),
    )
    expectEdits(trimRepeatedReads, broken.flat(), {}, {})
  })

  it('R001-17 R001-42 accepts a path as a string, a list of strings, a list of { path }, or a mixture', () => {
    const shapes = ['a.ts', ['a.ts'], [{ path: 'a.ts' }], ['./a.ts', { path: 'b.ts' }], [{ path: 'a.ts' }, 'a.ts'], 'a.ts']
    const list = shapes.map((shape, index) => read(`r${index + 1}`, shape, `02:${50 - index * 5}`))
    expectEdits(trimRepeatedReads, oldestFirst(list), {}, { r6: compressed })
  })

  it('R001-20 keeps a read that is recognised only by its text, because its path is unknown', () => {
    const bare = Array.from({ length: 9 }, (_, index) => result(`m${index}`, null, '  12→const a = 1', { at: at('02:00') }))
    expectEdits(trimRepeatedReads, bare, {}, {})
  })

  it('R001-38 counts a path outside the project separately, and "..foo" as inside', () => {
    const outside = reads(6, '../other/a.ts')
    expectEdits(trimRepeatedReads, oldestFirst(outside), { root: '/home/project' }, { r6: compressed })
    const mixed = [...reads(3, '..foo/a.ts', 'x'), ...reads(3, '../foo/a.ts', 'y')]
    expectEdits(trimRepeatedReads, oldestFirst(mixed), { root: '/home/project' }, {})
  })

  it('R001-39 treats a read as failed by an Error: prefix or its status, not by stderr', () => {
    const list = reads(8)
    list[1] = exchange('r2', 'filesystem-read', { filePath: button }, '...', { at: at('02:45'), status: 'error' })
    list[3] = read('r4', button, '02:35', "Error: ENOENT: no such file or directory, open 'src/missing.ts'")
    list[4] = read('r5', button, '02:30', '{"stderr":"not a command"}')
    expectEdits(trimRepeatedReads, oldestFirst(list), {}, { r8: compressed })
  })

  it('Q-2 trims a batch only if it is outside the latest reads of each of its files', () => {
    const batch = read('batch', ['a.ts', 'b.ts'], '01:00')
    const a = oldestFirst(reads(6, 'a.ts', 'a'))
    expectEdits(trimRepeatedReads, [...batch, ...a], {}, { a6: compressed })
    expectEdits(
      trimRepeatedReads,
      [...batch, ...a, ...oldestFirst(reads(5, 'b.ts', 'b'))],
      {},
      { batch: compressed, a6: compressed },
    )
  })

  it('Q-11 ignores a read without a time in a log with times; without any times the position decides', () => {
    const untimed = Array.from({ length: 3 }, (_, index) =>
      exchange(`u${index}`, 'filesystem-read', { filePath: button }, 'text'),
    )
    expectEdits(trimRepeatedReads, [...oldestFirst(reads(5)), ...untimed.flat()], {}, {})
    const none = Array.from({ length: 7 }, (_, index) => exchange(`p${index}`, 'Read', { file_path: button }, 'text'))
    expectEdits(trimRepeatedReads, none.flat(), {}, { p0: compressed, p1: compressed })
  })

  it('Q-46 counts the reading tools of other agents, with their argument names', () => {
    const list = [
      exchange('r1', 'Read', { file_path: 'a.ts' }, 'x'),
      exchange('r2', 'read_file', { path: 'a.ts' }, 'x'),
      exchange('r3', 'read_many_files', { paths: ['a.ts', 'b.ts'] }, 'x'),
      exchange('r4', 'read', { filePath: './a.ts' }, 'x'),
      exchange('r5', 'read_files', { files: [{ path: 'a.ts', start_line: 1 }] }, 'x'),
      exchange('r6', 'str_replace_editor', { command: 'view', path: 'a.ts' }, 'x'),
      exchange('r7', 'str_replace_editor', { command: 'str_replace', path: 'a.ts' }, 'x'),
    ]
    expectEdits(trimRepeatedReads, list.flat(), {}, { r1: compressed })
  })

  it('Q-33 removes the images of a trimmed read', () => {
    const list = reads(6)
    const image = { type: 'media', mediaType: 'image/png', data: {} } as const
    list[5] = exchange('r6', 'filesystem-read', { filePath: button }, '', {
      at: at('02:00'),
      content: { type: 'list', items: [{ type: 'text', text: 'x' }, image] },
    })
    const [edit] = trimRepeatedReads.plan(oldestFirst(list), {})
    expect(edit).toMatchObject({
      message: 'r6',
      with: { content: { type: 'list', items: [{ type: 'text', text: compressed }] } },
    })
  })

  it('Q-34 shows older reads in full again after a rollback', () => {
    const seven = oldestFirst(reads(7))
    expect(outcome(trimRepeatedReads.plan(seven, {}))).toEqual({ r7: compressed, r6: compressed })
    expect(outcome(trimRepeatedReads.plan(seven.slice(0, 10), {}))).toEqual({})
  })
})

it('trim-repeated-reads recognises a placeholder in a list of texts, so that its handle is never lost', () => {
  const listed = (id: string, text: string) =>
    exchange(id, 'Read', { file_path: 'a.ts' }, '', { content: { type: 'list', items: [{ type: 'text', text }] } })
  const list = Array.from({ length: 7 }, (_, index) =>
    listed(`r${index}`, index < 2 ? `${compressed} [Read: a.ts; recall 0123456789ab]` : 'text'),
  ).flat()
  expectEdits(trimRepeatedReads, list, { config: { placeholder_style: 'actionable' } }, {})
})

describe('trim-repeated-reads, settings', () => {
  it('R001-46 takes the number of kept reads from the settings', () => {
    expectEdits(
      trimRepeatedReads,
      oldestFirst(reads(4)),
      { config: { repeated_reads: { keep_latest: 2 } } },
      { r4: compressed, r3: compressed },
    )
  })

  it('R001-49 keeps fewer reads of a large file, at least one', () => {
    const sized = (chars: number) =>
      reads(6).map((_, index) => read(`r${index + 1}`, button, `02:${50 - index * 5}`, 'x'.repeat(chars)))
    const config = { repeated_reads: { large_file_chars: 1000 } }
    const trimmed = (chars: number) => Object.keys(outcome(trimRepeatedReads.plan(oldestFirst(sized(chars)), { config })))
    expect(trimmed(10)).toEqual(['r6'])
    expect(trimmed(1000)).toEqual(['r6'])
    expect(trimmed(2000)).toEqual(['r6', 'r5', 'r4', 'r3'])
    expect(trimmed(100_000)).toEqual(['r6', 'r5', 'r4', 'r3', 'r2'])
  })
})

it('R001-2 R001-14 R001-15 R001-45 never changes its input or a call, so that a file can be read again', () => {
  const edits = trimRepeatedReads.plan(deepFreeze(oldestFirst(reads(7))), {})
  expect(edits.map((edit) => (edit.kind === 'replace' ? edit.with.type : edit.kind))).toEqual(['tool-result', 'tool-result'])
})

it('R001-41 computes the paths of a call once', () => {
  let asked = 0
  const input = {
    get filePath() {
      asked += 1
      return 'a.ts'
    },
  }
  const list = Array.from({ length: 6 }, (_, index) =>
    exchange(`r${index}`, 'filesystem-read', index === 0 ? input : { filePath: 'a.ts' }, 'x'),
  ).flat()
  trimRepeatedReads.plan(list, {})
  trimRepeatedReads.plan([...list], {})
  expect(asked).toBe(1)
})

it('trim-repeated-reads keeps a read whose path is not a file', () => {
  expectEdits(trimRepeatedReads, oldestFirst(reads(7, 'a\0.ts')), {}, {})
})

it.each<readonly [string, Facts, Facts]>([
  ['another folder', {}, { root: '/work' }],
  ['another platform', { root: '/work', platform: 'linux' }, { root: '/work', platform: 'win32' }],
  ['another table of tools', {}, { tools: [{ name: 'filesystem-read', kind: 'file-read', about: () => ['one file'] }] }],
])('computes the paths of a call again for %s', (_name, before, after) => {
  const spellings = ['/work/a.ts', 'a.ts', '/work/A.ts', 'b.ts', '/work/b.ts', 'B.ts', '/work/B.ts']
  const list = spellings.flatMap((path, index) => read(`r${index}`, path, `02:0${index}`))
  trimRepeatedReads.plan(list, before)
  const facts = { ...after, config: { repeated_reads: { keep_latest: 1 } } }
  expect(trimRepeatedReads.plan(list, facts)).toEqual(trimRepeatedReads.plan(structuredClone(list), facts))
})

it('keepLatestReads protects nothing but reads', () => {
  const list = [...read('r', button, '02:00'), ...exchange('t', 'terminal-execute', {}, 'x')]
  const results = toolResults(list, {})
  expect(results.map(keepLatestReads(list, results, {}))).toEqual([true, false])
})
