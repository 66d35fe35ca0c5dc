import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { withoutPrivileges } from '../files/testing/without-privileges.ts'
import { type LogOutcome, readLogs } from './read-logs.ts'
import { agentRecordings } from './testing/agent-recordings.ts'
import { claudeLines, linesOf, recordings } from './testing/recordings.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-read-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(path: string, text: string): string {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
  return join(folder, path)
}

async function collect(...paths: readonly string[]): Promise<readonly LogOutcome[]> {
  const found: LogOutcome[] = []
  for await (const one of readLogs(paths)) found.push(one)
  return found
}

const told = (found: readonly LogOutcome[]) =>
  found.map(({ path, log, problem }) => [relative(folder, path), log?.format ?? problem?.kind])
const claude = linesOf(claudeLines)

describe('readLogs', () => {
  it('reads a folder of every format in the order of names, and one that holds none is only counted', async () => {
    const all = [...recordings, ...agentRecordings]
    all.forEach(({ text }, index) => write(`mixed/${String(index).padStart(2, '0')}.json`, text))
    write('mixed/SOURCE.json', '[{"file":"a","sha256":"x"}]')
    write('mixed/README.md', 'No log at all.')
    write('mixed/node_modules/a.jsonl', claude)
    write('mixed/.git/a.jsonl', claude)
    expect(told(await collect(join(folder, 'mixed')))).toEqual([
      ...all.map(({ format }, index) => [`mixed/${String(index).padStart(2, '0')}.json`, format]),
      ['mixed/SOURCE.json', 'not-a-log'],
    ])
  })

  it('says what is wrong with a file, goes on, and takes a file that is named for what it is', async () => {
    write('bad/a.jsonl', '')
    write('bad/b.json', '{"messages": [')
    write('bad/c.jsonl', claude)
    const notes = write('bad/notes.txt', claude)
    write('bad/package.json', '{"name":"x"}')
    expect(told(await collect(join(folder, 'bad'), notes, join(folder, 'bad/package.json'), join(folder, 'bad/none')))).toEqual([
      ['bad/a.jsonl', 'empty'],
      ['bad/b.json', 'not-json'],
      ['bad/c.jsonl', 'claude-code'],
      ['bad/package.json', 'not-a-log'],
      ['bad/notes.txt', 'claude-code'],
      ['bad/none', 'not-found'],
    ])
  })

  it('follows links, and reads what several ways lead to once', async () => {
    const real = write('links/real/a.jsonl', claude)
    symlinkSync(join(folder, 'links'), join(folder, 'links/real/loop'))
    symlinkSync(real, join(folder, 'links/b.jsonl'))
    symlinkSync(join(folder, 'nowhere'), join(folder, 'links/broken.jsonl'))
    expect(told(await collect(join(folder, 'links'), real))).toEqual([
      ['links/b.jsonl', 'claude-code'],
      ['links/broken.jsonl', 'not-found'],
    ])
  })

  it('says which folder it may not look into', async () => {
    write('closed/inner/a.jsonl', claude)
    write('closed/b.jsonl', claude)
    chmodSync(folder, 0o755)
    chmodSync(join(folder, 'closed/inner'), 0)
    expect(told(await withoutPrivileges(() => collect(join(folder, 'closed'))))).toEqual([
      ['closed/b.jsonl', 'claude-code'],
      ['closed/inner', 'no-permission'],
    ])
    chmodSync(join(folder, 'closed/inner'), 0o700)
  })

  it('reads the sessions of opencode’s storage, and not their pieces', async () => {
    write('storage/session/project/ses_1.json', '{"id":"ses_1","title":"Cart"}')
    write('storage/message/ses_1/msg_1.json', '{"id":"msg_1","role":"user"}')
    write('storage/part/msg_1/prt_1.json', '{"type":"text","text":"Hi."}')
    write('storage/session_diff/ses_1.json', '[]')
    expect(told(await collect(join(folder, 'storage')))).toEqual([['storage/session/project/ses_1.json', 'opencode']])
  })

  it('goes down as far as folders go', async () => {
    const deep = Array.from({ length: 200 }, () => 'd').join('/')
    write(`deep/${deep}/a.jsonl`, claude)
    expect(told(await collect(join(folder, 'deep')))).toEqual([[`deep/${deep}/a.jsonl`, 'claude-code']])
  })
})
