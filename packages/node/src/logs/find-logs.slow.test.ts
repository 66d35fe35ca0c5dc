import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { withoutPrivileges } from '../files/testing/without-privileges.ts'
import { findLogs, type LogPlace } from './find-logs.ts'

const homes: string[] = []
afterEach(() => {
  for (const path of homes.splice(0)) rmSync(path, { recursive: true, force: true })
})

/** A folder with these files, each holding its own name. */
function folderWith(...files: readonly string[]): string {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-logs-'))
  homes.push(home)
  for (const file of files) {
    mkdirSync(dirname(join(home, file)), { recursive: true })
    writeFileSync(join(home, file), file)
  }
  return home
}

function place(folder: string, depth = 2, agent = 'pi'): LogPlace {
  return { agent, folder, logs: /\.jsonl$/, depth }
}

describe('finding logs', () => {
  it('finds those of every place by name, with their sizes, and how many each place has', async () => {
    const home = folderWith('b/two.jsonl', 'b/one.jsonl', 'a/three.jsonl', 'a/notes.txt', 'other/four.jsonl')
    const places = [place(join(home, 'b')), place(join(home, 'a'), 1, 'Codex'), place(join(home, 'nowhere'))]
    expect(await findLogs(places)).toEqual({
      logs: [
        { agent: 'pi', path: join(home, 'b/one.jsonl'), bytes: 11, stamp: null },
        { agent: 'pi', path: join(home, 'b/two.jsonl'), bytes: 11, stamp: null },
        { agent: 'Codex', path: join(home, 'a/three.jsonl'), bytes: 13, stamp: null },
      ],
      places: [
        { agent: 'pi', folder: join(home, 'b'), logs: 2 },
        { agent: 'Codex', folder: join(home, 'a'), logs: 1 },
      ],
      unreadable: [],
    })
  })

  it('stamps a log that was not changed just now by size, time and inode', async () => {
    const home = folderWith('a.jsonl')
    const stampAt = async (seconds: number) => {
      utimesSync(join(home, 'a.jsonl'), seconds, seconds)
      return (await findLogs([place(home)])).logs[0]?.stamp
    }
    const first = await stampAt(1_700_000_000)
    expect(first).toMatch(/^7 1700000000000 \d+$/)
    expect(await stampAt(1_700_000_000)).toBe(first)
    expect(await stampAt(1_700_000_001)).not.toBe(first)
    expect(await stampAt(Date.now() / 1000)).toBeNull()
  })

  it('does not stamp a log that goes on in other files', async () => {
    const home = folderWith('a.jsonl')
    utimesSync(join(home, 'a.jsonl'), 1_700_000_000, 1_700_000_000)
    expect((await findLogs([{ ...place(home), isSpread: true }])).logs[0]?.stamp).toBeNull()
  })

  it('stamps a database with its journal, which changes first', async () => {
    const home = folderWith('a.db', 'a.db-wal')
    const stamp = async () => (await findLogs([{ ...place(home), logs: /\.db$/ }])).logs[0]?.stamp
    for (const name of ['a.db', 'a.db-wal']) utimesSync(join(home, name), 1_700_000_000, 1_700_000_000)
    const first = await stamp()
    utimesSync(join(home, 'a.db-wal'), 1_700_000_001, 1_700_000_001)
    expect(first).toMatch(/^4 /)
    expect(await stamp()).not.toBe(first)
  })

  it('counts a packed log once if the unpacked one is there too', async () => {
    const home = folderWith('a.jsonl', 'a.jsonl.zst', 'b.jsonl.zst', 'c.jsonl.gz')
    const { logs } = await findLogs([{ ...place(home), logs: /\.jsonl(?:\.(?:zst|gz))?$/ }])
    expect(logs.map(({ path }) => path.slice(home.length + 1))).toEqual(['a.jsonl', 'b.jsonl.zst', 'c.jsonl.gz'])
  })

  it('goes no deeper than logs may lie', async () => {
    const home = folderWith('one.jsonl', 'a/two.jsonl', 'a/b/three.jsonl')
    const paths = async (depth: number) =>
      (await findLogs([place(home, depth)])).logs.map(({ path }) => path.slice(home.length + 1))
    expect(await paths(0)).toEqual(['one.jsonl'])
    expect(await paths(1)).toEqual(['a/two.jsonl', 'one.jsonl'])
  })

  it('stops at circular links and counts a file once, even if several links lead to it', async () => {
    const home = folderWith('real/one.jsonl')
    symlinkSync(home, join(home, 'real/up'))
    symlinkSync(join(home, 'real'), join(home, 'again'))
    symlinkSync(join(home, 'real/one.jsonl'), join(home, 'same.jsonl'))
    symlinkSync(join(home, 'gone.jsonl'), join(home, 'dangling.jsonl'))
    const { logs, unreadable } = await findLogs([place(home, 50), place(join(home, 'again'), 50)])
    expect(logs.map(({ path }) => path)).toEqual([join(home, 'again/one.jsonl')])
    expect(unreadable).toEqual([])
  })

  it('looks into a folder that is named like a log, and skips anything that is not a file', async () => {
    const home = folderWith('x.jsonl/one.jsonl')
    execFileSync('mkfifo', [join(home, 'pipe.jsonl')])
    symlinkSync('/dev/zero', join(home, 'zero.jsonl'))
    expect((await findLogs([place(home)])).logs.map(({ path }) => path)).toEqual([join(home, 'x.jsonl/one.jsonl')])
  })

  it('a file where a folder is expected is named; one above it is not ours', async () => {
    const home = folderWith('projects')
    const { logs, unreadable } = await findLogs([place(join(home, 'projects')), place(join(home, 'projects/sessions'))])
    expect({ logs, unreadable }).toEqual({
      logs: [],
      unreadable: [{ agent: 'pi', path: join(home, 'projects'), problem: { kind: 'unreadable', code: 'ENOTDIR' } }],
    })
  })

  it('a link to itself is named', async () => {
    const home = folderWith('a.txt')
    symlinkSync(join(home, 'loop'), join(home, 'loop'))
    expect((await findLogs([place(join(home, 'loop'))])).unreadable).toEqual([
      { agent: 'pi', path: join(home, 'loop'), problem: { kind: 'unreadable', code: 'ELOOP' } },
    ])
  })

  it('a folder that may not be looked into is named, and the others are read', async () => {
    const home = folderWith('closed/one.jsonl', 'open/two.jsonl')
    chmodSync(home, 0o755)
    chmodSync(join(home, 'closed'), 0)
    const { logs, unreadable } = await withoutPrivileges(() => findLogs([place(home)]))
    chmodSync(join(home, 'closed'), 0o700)
    expect(logs.map(({ path }) => path)).toEqual([join(home, 'open/two.jsonl')])
    expect(unreadable).toEqual([{ agent: 'pi', path: join(home, 'closed'), problem: { kind: 'no-permission' } }])
  })
})
