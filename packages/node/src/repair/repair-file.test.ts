import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { handleOf } from '@plimsoll/core'
import { afterAll, describe, expect, it } from 'vitest'
import { forgeLines } from '../../../core/src/testing/forge-pair.ts'
import { readLog } from '../logs/read-log.ts'
import { copilotLines, geminiChatLines, plimsollLines } from '../logs/testing/agent-recordings.ts'
import { outlineOf } from '../logs/testing/outline.ts'
import { claudeAnswer, claudeLine, claudeUser, codexLines, linesOf, piLines } from '../logs/testing/recordings.ts'
import { createSession } from '../session/create-session.ts'
import { type RepairOptions, repairFile } from './repair-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-repair-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Line = Readonly<Record<string, unknown>>

let files = 0
const repair = async (content: string | Uint8Array, options: Partial<RepairOptions> = {}, name = 'log.jsonl') => {
  files += 1
  const path = join(folder, `${files}-${name}`)
  writeFileSync(path, content)
  const out = `${path}.out`
  const { value, problem } = await repairFile(path, { out, keepsImages: false, ...options })
  const lines = value?.copy == null ? [] : readFileSync(out, 'utf8').split('\n').slice(0, -1)
  const entries = (name.includes('.jsonl') ? lines : []).flatMap((line): readonly Line[] =>
    line === '' ? [] : [JSON.parse(line) as Line],
  )
  return { value, problem, out, path, lines, entries, mends: value?.mends }
}

const tool = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: {} })
const result = (id: string, content: unknown = 'done') => ({ type: 'tool_result', tool_use_id: id, content })
const interrupted = 'Error: tool call was interrupted, no result'

describe('repairFile, on a log of lines,', () => {
  const intact = [
    claudeLine('u1', null, 1, claudeUser('Why?')),
    claudeLine('a1', 'u1', 2, claudeAnswer('m1', tool('c1'))),
    claudeLine('r1', 'a1', 3, claudeUser([result('c1')])),
    claudeLine('a2', 'r1', 4, claudeAnswer('m2', { type: 'text', text: 'So.' })),
  ]

  it('writes nothing if the log is intact', async () => {
    const { value, out } = await repair(linesOf(intact))
    expect(value).toEqual({ format: 'claude-code', lines: 4, mends: [], copy: null, pictures: null, left: null })
    expect(() => statSync(out)).toThrow('ENOENT')
  })

  it('keeps every byte of intact lines and never changes the original', async () => {
    const odd = '  {"type" : "summary", "summary":"\u00e9", "leafUuid":"a2", "n": 1.50e3 }\r'
    const text = `${odd}\n\n${linesOf(intact)}{"type":"user","uu`
    const { lines, mends, path, out } = await repair(text)
    expect(mends).toEqual([{ kind: 'cut-end', line: 7 }])
    expect(lines).toEqual([odd, '', ...linesOf(intact).split('\n').slice(0, -1)])
    expect(readFileSync(path, 'utf8')).toBe(text)
    expect(statSync(out).mode & 0o777).toBe(0o600)
  })

  it('drops lines that are not JSON, invalid UTF-8 and duplicate entries', async () => {
    const [first, second, third, fourth] = intact.map((entry) => JSON.stringify(entry)) as [string, string, string, string]
    const latin = Buffer.from(fourth.replace('So.', 'S\u00e9.'), 'latin1')
    const text = Buffer.concat([
      Buffer.from(`\ufeff${first}\n`),
      Buffer.from(`${second.slice(0, 40)}\0\0${second.slice(40)}\n`),
      Buffer.from('nonsense\n[1,2]\n'),
      Buffer.from(`${third}\n${third}\n`),
      latin,
      Buffer.from('\n'),
    ])
    const { mends, entries } = await repair(text)
    expect(mends).toEqual([
      { kind: 'byte-order-mark', line: 1 },
      { kind: 'nul-bytes', line: 2 },
      { kind: 'cut-line', line: 3 },
      { kind: 'cut-line', line: 4 },
      { kind: 'repeated-entry', line: 6 },
      { kind: 'not-utf8', line: 7 },
    ])
    expect(entries.map(({ uuid }) => uuid)).toEqual(['u1', 'a1', 'r1', 'a2'])
  })

  it('keeps both of two entries with one id whose texts were made to have the same short hash', async () => {
    const ending = '"},"type":"user","uuid":"u1","parentUuid":null,"sessionId":"shop-1","timestamp":"2026-01-01T00:00:01.000Z"}'
    const [mine, theirs] = forgeLines(ending)
    expect(handleOf(mine)).toBe(handleOf(theirs))
    const { mends, entries } = await repair(`${mine}\n${theirs}\n${mine}\n`)
    expect(mends).toEqual([
      { kind: 'new-id', line: 2 },
      { kind: 'repeated-entry', line: 3 },
    ])
    expect(entries.map(({ message }) => message)).toEqual([mine, theirs].map((line) => (JSON.parse(line) as Line)['message']))
    expect(new Set(entries.map(({ uuid }) => uuid)).size).toBe(2)
  })

  it('separates entries that were written into one line', async () => {
    const [first, second, third, fourth] = intact.map((entry) => JSON.stringify(entry)) as [string, string, string, string]
    const { mends, entries } = await repair(`${first}${second}\n${third.slice(0, 90)}${third}\n${fourth}\n`)
    expect(mends).toEqual([
      { kind: 'split-line', line: 1 },
      { kind: 'cut-piece', line: 2 },
    ])
    expect(entries).toEqual(intact)
  })

  it('replaces lone surrogates and keeps the rest of the line', async () => {
    const line = JSON.stringify(intact[0]).replace('Why?', 'Why \\ud83d\\ude00 \\ud83d \\\\ud83d?')
    const { lines, mends } = await repair(`${line}\n${linesOf(intact.slice(1))}`)
    expect(mends).toEqual([{ kind: 'lone-surrogates', line: 1 }])
    expect(lines[0]).toBe(line.replace('\\ude00 \\ud83d', '\\ude00 \\ufffd'))
  })

  it('still recognises lines if only one entry is left', async () => {
    const [first, second] = intact.map((entry) => JSON.stringify(entry)) as [string, string]
    const { value, entries } = await repair(`${first.slice(0, 50)}\n${second.slice(0, 60)}${JSON.stringify(intact[0])}`)
    expect(value?.mends).toEqual([
      { kind: 'cut-line', line: 1 },
      { kind: 'cut-piece', line: 2 },
    ])
    expect(entries).toEqual([intact[0]])
  })

  it('reads a compressed log that is damaged at its end', async () => {
    const packed = gzipSync(linesOf(intact))
    const { value, lines } = await repair(packed.subarray(0, packed.length - 12), {}, 'log.jsonl.gz')
    expect(value?.mends.at(-1)?.kind).toBe('cut-end')
    expect(lines.length).toBeGreaterThan(0)
  })
})

describe('repairFile, on a log of Claude Code,', () => {
  it('puts the answer to an interrupted call on the path up from the last entry', async () => {
    const { entries, mends } = await repair(
      linesOf([
        claudeLine('u1', null, 1, claudeUser('Why?')),
        claudeLine('a1', 'u1', 2, claudeAnswer('m1', tool('c1'))),
        claudeLine('a2', 'a1', 2, claudeAnswer('m1', tool('c2'))),
        claudeLine('r1', 'a1', 3, claudeUser([result('c1')])),
        claudeLine('p1', 'r1', 3, { type: 'system', subtype: 'note' }),
        claudeLine('u2', 'p1', 4, claudeUser('Go on.')),
      ]),
    )
    expect(mends).toEqual([{ kind: 'answered-call', line: 3, tool: 'Bash' }])
    const made = entries.find(({ sourceToolAssistantUUID }) => sourceToolAssistantUUID === 'a2')
    expect(made).toMatchObject({
      type: 'user',
      sessionId: 'shop-1',
      message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c2', content: interrupted, is_error: true }] },
    })
    const parents = new Map(entries.map(({ uuid, parentUuid }) => [uuid, parentUuid]))
    const path: unknown[] = []
    for (let uuid: unknown = 'u2'; uuid !== null; uuid = parents.get(uuid)) path.push(uuid)
    expect(path).toEqual(['u2', 'p1', made?.['uuid'], 'r1', 'a2', 'a1', 'u1'])
  })

  it('links an entry whose parent is missing to the entry before it', async () => {
    const { entries, mends } = await repair(
      linesOf([
        claudeLine('u1', null, 1, claudeUser('Why?')),
        claudeLine('s1', null, 1, { ...claudeUser('Inner.'), isSidechain: true }),
        claudeLine('u3', 'lost', 3, claudeUser('And this?')),
        claudeLine('u4', 'u4', 4, claudeUser('And that?')),
      ]),
    )
    expect(mends).toEqual([
      { kind: 'relinked', line: 3, to: 1 },
      { kind: 'relinked', line: 4, to: 3 },
    ])
    expect(entries.map(({ parentUuid }) => parentUuid)).toEqual([null, null, 'u1', 'u3'])
  })

  it('drops orphan and duplicate results and keeps the text next to them', async () => {
    const { entries, mends } = await repair(
      linesOf([
        claudeLine('a1', null, 1, claudeAnswer('m1', tool('c1'))),
        claudeLine('r1', 'a1', 2, claudeUser([result('c1')])),
        claudeLine('r2', 'r1', 3, claudeUser([result('c1', 'again')])),
        claudeLine('u2', 'r2', 4, claudeUser([result('c9'), { type: 'text', text: 'Go on.' }])),
      ]),
    )
    expect(mends).toEqual([
      { kind: 'doubled-result', line: 3 },
      { kind: 'dropped-result', line: 4 },
      { kind: 'relinked', line: 4, to: 2 },
    ])
    expect(entries.at(-1)).toMatchObject({ parentUuid: 'r1', message: { content: [{ type: 'text', text: 'Go on.' }] } })
  })

  it('gives the second of two entries with the same id a new one, and its children follow', async () => {
    const { entries, mends } = await repair(
      linesOf([
        claudeLine('u1', null, 1, claudeUser('Why?')),
        claudeLine('u1', 'u1', 2, claudeUser('And how?')),
        claudeLine('u3', 'u1', 3, claudeUser('And when?')),
      ]),
    )
    expect(mends?.map(({ kind }) => kind)).toContain('new-id')
    const [, second, third] = entries
    expect(second?.['uuid']).toMatch(/^[\da-f-]{36}$/)
    expect(third?.['parentUuid']).toBe(second?.['uuid'])
  })

  it('never changes reasoning and its signatures', async () => {
    const reasoning = { type: 'thinking', thinking: 'Hm.', signature: `${'A'.repeat(1_500_000)}!broken` }
    const lines = [
      claudeLine('a1', null, 1, claudeAnswer('m1', reasoning)),
      claudeLine('a2', 'a1', 2, claudeAnswer('m1', tool('c1'))),
    ]
    const { lines: written } = await repair(linesOf(lines))
    expect(written.slice(0, 2)).toEqual(lines.map((line) => JSON.stringify(line)))
  })
})

describe('repairFile, on logs of other agents,', () => {
  it('Codex: moves a strayed output after its call and adds the missing head', async () => {
    const meta = codexLines[0] as Line
    const lines = codexLines.slice(1)
    const output = lines.find(({ payload }) => (payload as Line)['call_id'] === 'k1' && (payload as Line)['output'] !== undefined)
    const strayed = [...lines.filter((line) => line !== output), output as Line]
    const { mends, entries, out } = await repair(
      linesOf(strayed),
      {},
      'rollout-2026-01-05T09-00-00-019d78fc-c449-7300-92a1-1e92604a4f6a.jsonl',
    )
    expect(mends?.map(({ kind }) => kind).sort()).toEqual(['answered-call', 'moved-result', 'new-head'])
    expect(entries[0]).toMatchObject({ type: 'session_meta', payload: { id: '019d78fc-c449-7300-92a1-1e92604a4f6a' } })
    expect(meta['type']).toBe('session_meta')
    const ids = entries.flatMap(({ payload }) => (payload as Line)['call_id'] ?? [])
    expect(ids).toEqual(['k1', 'k1', 'k2', 'k2', 'k3', 'k3'])
    expect((await readLog(out)).value?.skipped).toEqual([])
  })

  it('pi: adds the missing header and links a strayed result to its call', async () => {
    const [, user, answer, result, aborted, ...rest] = piLines as [Line, Line, Line, Line, Line, ...Line[]]
    const late = { ...result, parentId: 'e2b' }
    const between = { ...user, id: 'e2b', parentId: 'e2' }
    const { mends, out } = await repair(linesOf([user, answer, between, late, aborted, ...rest]))
    expect(mends?.map(({ kind }) => kind).sort()).toEqual(['answered-call', 'moved-result', 'new-head'])
    const { value } = await readLog(out)
    expect(
      value?.sessions
        .map(outlineOf)
        .flat()
        .slice(1, 3)
        .map((line) => line.split(' ').slice(0, 2)),
    ).toEqual([
      ['e2', 'assistant'],
      ['e3', 'tool'],
    ])
  })

  it('repairs a compressed log with a damaged end and a strayed result, which was rejected as damaged', async () => {
    const [head, user, answer, result, ...rest] = piLines as [Line, Line, Line, Line, ...Line[]]
    const late = { ...result, parentId: 'e2b' }
    const between = { ...user, id: 'e2b', parentId: 'e2' }
    const packed = gzipSync(linesOf([head, user, answer, between, late, ...rest]))
    const { mends, problem } = await repair(packed.subarray(0, packed.length - 12), {}, 'log.jsonl.gz')
    expect(problem).toBeUndefined()
    expect(mends?.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['moved-result', 'cut-end']))
  })

  it('Copilot CLI: marks an unfinished execution as failed', async () => {
    const { entries } = await repair(linesOf(copilotLines))
    expect(entries.at(-1)).toMatchObject({
      type: 'tool.execution_complete',
      parentId: 'e14',
      data: { toolCallId: 'c3', success: false, error: { message: interrupted } },
    })
  })

  it('Gemini CLI: cancels an unfinished call in its own record', async () => {
    const { entries } = await repair(linesOf(geminiChatLines))
    expect(entries).toHaveLength(geminiChatLines.length)
    expect(entries.at(-2)).toMatchObject({ id: 'g5', toolCalls: [{ id: 'k2', status: 'cancelled', result: [{}] }] })
  })

  it('Plimsoll: updates the byte count of a changed line', async () => {
    const lines = plimsollLines.map((line) => (line['id'] === 'm6' ? { ...line, parentId: 'lost' } : line))
    const { lines: written, mends } = await repair(linesOf(lines))
    expect(mends?.map(({ kind }) => kind)).toEqual(['relinked', 'answered-call'])
    for (const line of written) {
      const found = /"bytes":(\d+)/.exec(line)
      const tail = line.slice((found?.index ?? 0) + (found?.[0].length ?? 0))
      expect(Buffer.byteLength(tail)).toBe(Number(found?.[1]))
    }
  })
})

describe('repairFile, on large images,', () => {
  const image = Buffer.alloc(1_200_000, 7)
  const block = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: image.toString('base64') } }
  const lines = linesOf([claudeLine('u1', null, 1, claudeUser([{ type: 'text', text: 'Look.' }, block]))])

  it('moves them to files next to the copy and leaves a note', async () => {
    const { value, entries, out } = await repair(lines)
    const file = value?.mends[0]?.file ?? ''
    expect(value?.mends).toEqual([{ kind: 'lifted-image', line: 1, file: expect.stringMatching(/^[\da-f]{16}\.png$/) as string }])
    expect(readdirSync(`${out}.files`)).toEqual([file])
    expect(readFileSync(join(`${out}.files`, file)).equals(image)).toBe(true)
    const [text, note] = ((entries[0]?.['message'] as Line)['content'] ?? []) as readonly Line[]
    expect(text).toEqual({ type: 'text', text: 'Look.' })
    expect(note?.['text']).toMatch(/^\[image\/png, 1\.2 MB, now in the file .*\.out\.files\/[\da-f]{16}\.png\]$/)
  })

  it('keeps them in the log with keepsImages', async () => {
    expect((await repair(lines, { keepsImages: true })).value).toMatchObject({ mends: [], copy: null })
  })
})

describe('repairFile, on a JSON document,', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } }
  const messages = [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: null, tool_calls: [call] },
    { role: 'user', content: 'Go on.' },
  ]

  it('keeps the formatting around a repair', async () => {
    const text = JSON.stringify({ model: 'any', messages, temperature: 1.0 }, null, 2)
    const { value, out } = await repair(text, {}, 'request.json')
    expect(value?.mends).toEqual([{ kind: 'answered-call', line: 2, tool: 'read' }])
    const written = readFileSync(out, 'utf8')
    expect((JSON.parse(written) as { messages: readonly unknown[] }).messages[2]).toEqual({
      role: 'tool',
      tool_call_id: 'c1',
      content: interrupted,
    })
    expect(written.slice(0, 120)).toBe(text.slice(0, 120))
  })

  it('closes a document that was cut off after its last complete message', async () => {
    const text = JSON.stringify(messages, null, 1)
    const { value, out } = await repair(text.slice(0, -20), {}, 'list.json')
    expect(value?.mends.map(({ kind }) => kind)).toEqual(['closed-document', 'answered-call'])
    expect(JSON.parse(readFileSync(out, 'utf8'))).toHaveLength(3)
  })
})

describe('repairFile rejects', () => {
  it.each([
    ['an empty file', '', 'empty'],
    ['plain text', 'no log at all', 'not-json'],
    ['other JSON', '{"a":1}', 'no-messages'],
  ])('%s', async (_name, text, kind) => expect((await repair(text)).problem?.kind).toBe(kind))

  it('a database of opencode, which must be exported first', async () => {
    expect((await repair(Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(100)]))).problem).toEqual({
      kind: 'store',
      agent: 'opencode',
    })
  })

  it('an output path that exists, and leaves no temporary files', async () => {
    const { path } = await repair(linesOf(piLines))
    const before = readdirSync(folder)
    const { problem } = await repairFile(path, { out: `${path}.out`, keepsImages: false })
    expect(problem).toEqual({ kind: 'exists', path: `${path}.out` })
    expect(readdirSync(folder)).toEqual(before)
  })
})

describe("Plimsoll's own log with checksums", () => {
  async function stored(damage: (lines: readonly string[]) => readonly string[]) {
    const session = await createSession(folder)
    for (const text of ['one', 'two', 'three', 'four', 'five']) {
      await session.append([{ type: 'message', message: { id: text, role: 'user', parts: [{ type: 'text', text }] } }])
    }
    await session.close()
    const log = join(session.folder, 'log.jsonl')
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    writeFileSync(
      log,
      damage(lines)
        .map((line) => `${line}\n`)
        .join(''),
    )
    const out = join(session.folder, 'log.repaired.jsonl')
    return { log, out, outcome: await repairFile(log, { out, keepsImages: true }) }
  }

  it.each<[name: string, damage: (lines: readonly string[]) => readonly string[], mends: readonly object[], texts: string]>([
    ['whose end is missing', (lines) => lines.slice(0, 4), [{ kind: 'lost-entries', line: 5, count: 2 }], 'one two three'],
    [
      'that lost a line',
      (lines) => lines.toSpliced(2, 1),
      [
        { kind: 'relinked', line: 3, to: 2 },
        { kind: 'lost-entries', line: 3, count: 1 },
      ],
      'one three four five',
    ],
    [
      'with a changed line',
      (lines) => lines.with(2, (lines[2] as string).replace('"text":"two"', '"text":"too"')),
      [{ kind: 'changed-entry', line: 3 }],
      'one too three four five',
    ],
  ])('%s says what was lost, and the copy has nothing left to repair', async (_, damage, mends, texts) => {
    const { out, outcome } = await stored(damage)
    expect(outcome.value?.mends).toEqual(mends)
    const copy = readFileSync(out, 'utf8')
    expect([...copy.matchAll(/"text":"(\w+)"/g)].map(([, text]) => text).join(' ')).toBe(texts)
    expect(
      copy
        .trimEnd()
        .split('\n')
        .every((line) => line.includes('"sum":"')),
    ).toBe(true)
    const again = await repairFile(out, { out: `${out}.again`, keepsImages: true })
    expect(again.value).toMatchObject({ mends: [], copy: null, left: null })
  })

  it('that is empty says how many entries it had', async () => {
    const { outcome } = await stored(() => [])
    expect(outcome.problem).toEqual({ kind: 'emptied', entries: 6 })
  })
})
