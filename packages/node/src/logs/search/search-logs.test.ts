import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it, onTestFinished } from 'vitest'
import { findLogs } from '../find-logs.ts'
import { createFilter, pruneFilters } from './search-index.ts'
import { type FoundIn, searchLogs } from './search-logs.ts'

const place = (folder: string) => [{ agent: 'test', folder, logs: /\.jsonl$/, depth: 0 }]

/** Logs of Claude Code that were last written to an hour ago, the later the later in the list. */
function writeLogs(...texts: readonly string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-search-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const logs = join(folder, 'logs')
  mkdirSync(logs)
  const write = (number: number, text: string) => {
    const log = join(logs, `${number}.jsonl`)
    const answer = { role: 'assistant', content: [{ type: 'text', text: 'Fine.' }] }
    const lines = [
      { type: 'user', uuid: 'u', parentUuid: null, sessionId: 's', message: { role: 'user', content: text } },
      { type: 'assistant', uuid: 'a', parentUuid: 'u', sessionId: 's', message: answer },
    ]
    writeFileSync(log, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    const time = Date.now() / 1000 - 3600 + number
    utimesSync(log, time, time)
    return log
  }
  texts.forEach((text, number) => write(number, text))
  const index = join(folder, 'index')
  const search = async (text: string) => {
    const found: FoundIn[] = []
    await searchLogs((await findLogs(place(logs))).logs, text, { index, found: (log) => found.push(log) })
    return found.map(({ path, messages }) => `${path.slice(logs.length + 1)} ${messages.map(({ excerpt }) => excerpt).join('|')}`)
  }
  return { logs, index, write, search }
}

it('finds messages by all of their words in any case, the latest log first, with and without an index', async () => {
  const { search } = writeLogs('The harbour of Genoa', 'Nothing here', 'a HARBOUR far from genoa', '港口在热那亚')
  for (let times = 0; times < 2; times += 1) {
    expect(await search('genoa harbour')).toEqual(['2.jsonl a HARBOUR far from genoa', '0.jsonl The harbour of Genoa'])
    expect(await search('热那亚')).toEqual(['3.jsonl 港口在热那亚'])
    expect(await search('genoa ship')).toEqual([])
    expect(await search('')).toEqual([])
  }
})

it('keeps the index for its owner alone, makes a damaged or readable part again, and removes it with its log', async () => {
  const { logs, index, search, write } = writeLogs('one ship', 'two ships')
  await search('')
  const files = readdirSync(index)
  expect(files.map((name) => statSync(join(index, name)).mode & 0o777)).toEqual([0o600, 0o600])
  const before = files.map((name) => readFileSync(join(index, name)))
  for (const name of files) writeFileSync(join(index, name), readFileSync(join(index, name)).fill(0, 200))
  expect(await search('ship')).toHaveLength(2)
  for (const name of files) chmodSync(join(index, name), 0o644)
  expect(await search('ship')).toHaveLength(2)
  expect(files.map((name) => readFileSync(join(index, name)))).toEqual(before)
  expect(files.map((name) => statSync(join(index, name)).mode & 0o777)).toEqual([0o600, 0o600])
  write(1, 'three boats')
  expect([await search('ships'), await search('boats')]).toEqual([[], ['1.jsonl three boats']])
  rmSync(join(logs, '0.jsonl'))
  await pruneFilters(index, [join(logs, '1.jsonl')])
  expect(readdirSync(index)).toHaveLength(1)
})

it('never misses a text that a log has, and stays within a sixteenth of it', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), fc.nat(300), fc.nat(40), (text, from, length) => {
      const filter = createFilter(text.length)
      filter.add(text)
      expect(filter.mayHold(text.toLowerCase().slice(from, from + length))).toBe(true)
    }),
    { numRuns: 200 },
  )
  expect([1, 100_000, 1e6, 1e9].map((bytes) => createFilter(bytes).bytes.length)).toEqual([1024, 4096, 32_768, 2 ** 20])
  const filter = createFilter(100_000)
  filter.add('the harbour of Genoa')
  expect(['harbor', 'quay'].map((word) => filter.mayHold(word))).toEqual([false, false])
})
