import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { handleOf } from '@plimsoll/core'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createFolder } from '../../cli/testing/run-captured.ts'
import { findLogs, type LogPlace } from '../find-logs.ts'
import { readLogText } from '../read-log.ts'
import { agentRecordings } from '../testing/agent-recordings.ts'
import { claudeAnswer, claudeLine, claudeUser, linesOf, recordings } from '../testing/recordings.ts'
import { measureRead } from './measure-log.ts'
import { measureLogs } from './measure-logs.ts'
import { type IndexPlace, measureVersion } from './overview-index.ts'

const question = (text: string) => claudeLine('u1', null, 1, claudeUser(text))
const answer = (output: number) => claudeLine('a1', 'u1', 2, claudeAnswer('m1', { type: 'text', text: 'Yes.' }, output))
const log = (output: number) => linesOf([question('Is it in?'), answer(output)])

/** A folder with logs that were changed long ago, and an index outside of it. */
function workplace() {
  const folder = createFolder()
  onTestFinished(folder.remove)
  const [logs, cache] = [join(folder.path, 'logs'), join(folder.path, 'cache', 'plimsoll')]
  mkdirSync(logs)
  const place: LogPlace = { agent: 'Claude Code', folder: logs, logs: /\.jsonl$/, depth: 2 }
  const index: IndexPlace = { file: join(cache, 'overview-index'), program: '1.0.0' }
  const path = (name: string) => join(logs, name)
  const age = (name: string, minutes = 0) => utimesSync(path(name), 1_700_000_000 + minutes * 60, 1_700_000_000 + minutes * 60)
  return {
    index,
    cache,
    path,
    age,
    write: (name: string, text: string, minutes = 0) => {
      writeFileSync(path(name), text)
      age(name, minutes)
    },
    /** Changes a log in a way that no stamp shows, so that only a read of the file would find it. */
    writeUnnoticed: (name: string, text: string) => {
      const { mtimeMs, size } = statSync(path(name))
      expect(Buffer.byteLength(text)).toBe(size)
      writeFileSync(path(name), text)
      utimesSync(path(name), mtimeMs / 1000, mtimeMs / 1000)
    },
    overview: async (given: IndexPlace | null = index, workers = 0) =>
      measureLogs(await findLogs([place]), { platform: 'linux', index: given, workers }),
  }
}

const outputOf = ({ usage }: { readonly usage: { readonly output: number } | null }) => usage?.output ?? null

describe('the index of the overview', () => {
  it('spares reading logs that have not changed', async () => {
    const { write, writeUnnoticed, overview } = workplace()
    write('a.jsonl', log(20))
    expect(outputOf(await overview())).toBe(20)
    writeUnnoticed('a.jsonl', log(99))
    expect([outputOf(await overview()), outputOf(await overview(null))]).toEqual([20, 99])
  })

  it.each([
    ['another size', (place: ReturnType<typeof workplace>) => place.write('a.jsonl', log(1000))],
    ['another time', (place: ReturnType<typeof workplace>) => place.write('a.jsonl', log(99), 1)],
    [
      'another file in its place',
      (place: ReturnType<typeof workplace>) => {
        place.write('b.jsonl', log(99))
        renameSync(place.path('b.jsonl'), place.path('a.jsonl'))
      },
    ],
  ])('is not used for a log with %s', async (_, change) => {
    const place = workplace()
    place.write('a.jsonl', log(20))
    await place.overview()
    change(place)
    expect(await place.overview()).toEqual(await place.overview(null))
    expect(outputOf(await place.overview())).toBeGreaterThan(20)
  })

  it('does not remember a log that was written a moment ago', async () => {
    const { path, overview, writeUnnoticed } = workplace()
    writeFileSync(path('a.jsonl'), log(20))
    await overview()
    writeUnnoticed('a.jsonl', log(99))
    expect(outputOf(await overview())).toBe(99)
  })

  it('forgets a log that was deleted', async () => {
    const { write, path, overview, index } = workplace()
    write('a.jsonl', linesOf([question('Where is the treasure?'), answer(20)]))
    write('b.jsonl', log(30))
    await overview()
    expect(readFileSync(index.file, 'utf8')).toContain('treasure')
    rmSync(path('a.jsonl'))
    expect(await overview()).toEqual(await overview(null))
    expect(readFileSync(index.file, 'utf8')).not.toContain('treasure')
  })

  it('remembers that a file is not a log', async () => {
    const { write, writeUnnoticed, overview } = workplace()
    const text = log(20)
    write('a.jsonl', 'x'.repeat(Buffer.byteLength(text)))
    await overview()
    writeUnnoticed('a.jsonl', text)
    expect((await overview()).unreadable.map(({ trouble }) => trouble.kind)).toEqual(['not-json'])
    expect((await overview(null)).unreadable).toEqual([])
  })

  it('does not remember that a file could not be opened', async () => {
    const { write, path, index } = workplace()
    const found = { logs: [{ agent: 'pi', path: path('a.jsonl'), bytes: 1, stamp: 'always the same' }], unreadable: [] }
    expect((await measureLogs(found, { platform: 'linux', index })).files).toBe(0)
    write('a.jsonl', log(20))
    expect((await measureLogs(found, { platform: 'linux', index })).files).toBe(1)
  })

  it('is readable only by its owner, in a folder only for them, with nothing left beside it', async () => {
    const { write, overview, index, cache } = workplace()
    write('a.jsonl', log(20))
    await overview()
    expect([statSync(index.file).mode & 0o777, statSync(cache).mode & 0o777]).toEqual([0o600, 0o700])
    expect(readdirSync(cache)).toEqual(['overview-index', 'spending'])
    expect(statSync(join(cache, 'spending')).mode & 0o777).toBe(0o600)
  })

  it('holds the title and what the largest results are about, but no other text of the conversation', async () => {
    const { write, overview, index } = workplace()
    const call = { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'ls harbour', description: 'a wordy reason' } }
    write(
      'a.jsonl',
      linesOf([
        question('Count the boats.'),
        claudeLine('a1', 'u1', 2, claudeAnswer('m1', { type: 'text', text: 'An answer of the model.' })),
        claudeLine('a2', 'a1', 3, claudeAnswer('m1', call)),
        claudeLine('r1', 'a2', 4, claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: 'seven boats, one leaking' }])),
        claudeLine('u2', 'r1', 5, claudeUser('A second question.')),
      ]),
    )
    await overview()
    const text = readFileSync(index.file, 'utf8')
    expect(['Count the boats.', 'ls harbour'].filter((piece) => !text.includes(piece))).toEqual([])
    expect(['answer of the model', 'wordy', 'leaking', 'second question'].filter((piece) => text.includes(piece))).toEqual([])
  })
})

describe('an index that cannot be trusted', () => {
  /** An index whose row says 20 where the log now says 99. */
  async function stale() {
    const place = workplace()
    place.write('a.jsonl', log(20))
    await place.overview()
    place.writeUnnoticed('a.jsonl', log(99))
    return { ...place, text: readFileSync(place.index.file, 'utf8') }
  }

  it.each<[string, (text: string) => string]>([
    ['is empty', () => ''],
    ['is no text', () => '\u0000\ufffd\u0000'],
    ['is the file of another program', () => '{"version":1}\n'],
    ['was cut off in its row', (text) => text.slice(0, -20)],
    ['has a changed figure', (text) => text.replace(/,20,((?:\d+,){4}\d+)\]/, ',21,$1]')],
    ['has a row without its checksum', (text) => text.replace(/\n[0-9a-f]{8} /, '\n')],
    ['measures in an older way', (text) => text.replace(`overview ${measureVersion} `, `overview ${measureVersion - 1} `)],
    ['is of another version of the program', (text) => text.replace(' 1.0.0 ', ' 0.9.0 ')],
    ['is of another system', (text) => text.replace(process.platform, 'plan9')],
  ])('is rebuilt if it %s', async (_, change) => {
    const { index, text, overview } = await stale()
    expect(change(text)).not.toBe(text)
    writeFileSync(index.file, change(text))
    expect(outputOf(await overview())).toBe(99)
    expect(readFileSync(index.file, 'utf8')).toContain(`plimsoll overview ${measureVersion} 1.0.0 ${process.platform}\n`)
    expect(outputOf(await overview())).toBe(99)
  })

  it.each([0o644, 0o660, 0o606])('is rebuilt if others may open it (mode %o)', async (mode) => {
    const { index, overview } = await stale()
    chmodSync(index.file, mode)
    expect(outputOf(await overview())).toBe(99)
    expect(statSync(index.file).mode & 0o777).toBe(0o600)
  })

  it('is ignored if it is a folder', async () => {
    const { index, overview } = await stale()
    rmSync(index.file)
    mkdirSync(index.file)
    expect(outputOf(await overview())).toBe(99)
    expect(readdirSync(join(index.file, '..'))).toEqual(['overview-index', 'spending'])
  })

  it('is not needed on a disk that cannot be written', async () => {
    const { write, overview, cache, index } = workplace()
    write('a.jsonl', log(20))
    writeFileSync(join(cache, '..', '..', 'file'), '')
    for (const file of [join(cache, '..', '..', 'file', 'overview-index'), '/proc/overview-index'])
      expect(outputOf(await overview({ ...index, file }))).toBe(20)
  })

  it('is never torn by several that write it at once', async () => {
    const { write, overview, index } = workplace()
    for (let number = 0; number < 20; number += 1) write(`${number}.jsonl`, log(20 + number))
    const expected = await overview(null)
    expect(await Promise.all(Array.from({ length: 8 }, () => overview()))).toEqual(Array.from({ length: 8 }, () => expected))
    expect(readFileSync(index.file, 'utf8').trimEnd().split('\n')).toHaveLength(21)
  })
})

describe('what is measured of recorded logs', () => {
  it('is what the version of the measures stands for: raise it if this changes, or old figures stay on the screen', async () => {
    const measures = await Promise.all(
      [...recordings, ...agentRecordings].map(async ({ text }) => {
        const { value } = await readLogText(text)
        return value === undefined ? null : measureRead(value, 'linux')
      }),
    )
    expect(JSON.parse(JSON.stringify(measures))).toEqual(measures)
    expect(`${measureVersion} ${handleOf(JSON.stringify(measures))}`).toBe('9 98813e6b0289')
  })
})
