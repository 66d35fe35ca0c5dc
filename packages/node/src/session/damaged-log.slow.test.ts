import { appendFileSync, copyFileSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { formatVersion } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'
import { createSession } from './create-session.ts'
import { openSession, readSession } from './open-session.ts'
import { pathsOf } from './session-folder.ts'
import { said, temporarySessions } from './testing/sessions.ts'

/** A closed session with six messages; the fourth has text beyond ASCII, so that a cut can fall inside a character. */
async function written(): Promise<{ readonly sessions: string; readonly id: string; readonly log: string }> {
  const sessions = temporarySessions()
  const session = await createSession(sessions)
  await session.append([said('m1', 'one'), said('m2', 'two'), said('m3', 'three')])
  await session.append([said('m4', 'four 四 🛟'), said('m5', '{"type":"note"}'), said('m6', 'six')])
  await session.close()
  return { sessions, id: session.id, log: pathsOf(session.folder).log }
}

async function kinds(sessions: string, id: string) {
  const session = await readSession(sessions, id)
  const ids = session.state().messages.map((message) => message.id)
  const troubles = session.troubles().map(({ line, kind }) => `${line} ${kind}`)
  await session.close()
  return { ids, troubles }
}

describe('a log that was cut off', () => {
  it('at any byte of its last three lines loses nothing before, reports the problem, and accepts more entries', async () => {
    const { sessions, id, log } = await written()
    const { end } = pathsOf(join(sessions, id))
    const [whole, wholeEnd] = [readFileSync(log), readFileSync(end)]
    const lines = whole.toString('utf8').trimEnd().split('\n')
    const ends = lines.map((_, index) => Buffer.byteLength(`${lines.slice(0, index + 1).join('\n')}\n`))
    let torn = 0
    for (let length = ends[3] as number; length <= whole.length; length += 1) {
      writeFileSync(log, whole.subarray(0, length))
      writeFileSync(end, wholeEnd)
      // A line is complete with its last brace, with or without its line end.
      const complete = ends.filter((end) => end - 1 <= length).length
      const isTorn = !ends.includes(length) && !ends.includes(length + 1)
      if (isTorn) torn += 1
      const before = Array.from({ length: complete - 1 }, (_, n) => `m${n + 1}`)
      const session = await openSession(sessions, id)
      expect(session.state().messages.map((message) => message.id)).toEqual(before)
      const gone = lines.length - complete - (isTorn ? 1 : 0)
      const lost = gone === 0 ? [] : [['missing', complete + (isTorn ? 2 : 1)]]
      const problems = [...(isTorn ? [['torn', complete + 1]] : []), ...lost]
      expect(session.troubles().map(({ kind, line }) => [kind, line])).toEqual(problems)
      const [entry] = await session.append([said('next', 'goes on')])
      expect(entry?.parentId).toBe(before.at(-1))
      await session.close()
      expect(readFileSync(log).subarray(0, length)).toEqual(whole.subarray(0, length))
      const after = await kinds(sessions, id)
      // What was lost is still named once the log goes on.
      expect(after).toEqual({ ids: [...before, 'next'], troubles: problems.map(([kind, line]) => `${line} ${kind}`) })
    }
    expect(torn).toBeGreaterThan(200)
  })

  it('in its first line is still a session', async () => {
    const { sessions, id, log } = await written()
    const [, ...rest] = readFileSync(log, 'utf8').split('\n')
    writeFileSync(log, `{"type":"header","id":"2026\n${rest.join('\n')}`)
    expect(await kinds(sessions, id)).toEqual({ ids: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], troubles: ['1 torn'] })
  })

  it('to nothing can be read, names what it lost, and is not written on', async () => {
    const { sessions, id, log } = await written()
    truncateSync(log, 0)
    await expect(openSession(sessions, id)).rejects.toMatchObject({
      problem: { kind: 'emptied', file: log, entries: 7 },
      message: expect.stringContaining('it had 7'),
    })
    expect(readFileSync(log).length).toBe(0)
    expect(await kinds(sessions, id)).toEqual({ ids: [], troubles: ['1 missing'] })
  })
})

describe('a line in the middle', () => {
  it.each([
    ['torn', (line: string) => line.slice(0, 60), ['3 torn', '4 unreachable']],
    ['all zero', (line: string) => '\0'.repeat(line.length), ['3 torn', '4 unreachable']],
    ['not UTF-8', (line: string) => Buffer.concat([Buffer.from(line.slice(0, -1)), Buffer.from([0xff])]), ['3 torn']],
    ['of another kind', () => '{"role":"user","content":"hi"}', ['3 foreign', '4 unreachable']],
    ['not an object', () => '[1,2]', ['3 foreign', '4 unreachable']],
    [
      'with parts that are none',
      (line: string) => line.replace(/"parts":.*/, '"parts":null}}').replace('"type"', '"type" '),
      ['3 foreign', '4 unreachable'],
    ],
    ['of a newer version', (line: string) => line.replace('"type":"message"', '"type":"vision"'), ['3 newer']],
    ['for its parent', (line: string) => line.replace(/"parentId":"[^"]*"/, '"parentId":"m6"'), ['3 unreachable']],
    ['a second time', (line: string) => `${line}\n${line}`, ['4 duplicate']],
    ['empty', () => '', ['4 unreachable', '4 missing']],
    ['with another text', (line: string) => line.replace('"two"', '"too"'), ['3 changed']],
  ] as const)('%s is named and skipped, and everything after it is there', async (_, damage, troubles) => {
    const { sessions, id, log } = await written()
    const lines = readFileSync(log, 'utf8').split('\n')
    const damaged = damage(lines[2] as string)
    const bytes = lines.map((line, index) => (index === 2 ? Buffer.from(damaged) : Buffer.from(line)))
    writeFileSync(log, Buffer.concat(bytes.flatMap((line, index) => (index === 0 ? [line] : [Buffer.from('\n'), line]))))
    const result = await kinds(sessions, id)
    expect(result.ids.filter((one) => one !== 'm2')).toEqual(['m1', 'm3', 'm4', 'm5', 'm6'])
    expect(result.troubles).toEqual(troubles)
  })

  it('is reported when it is read, if it only looked complete', async () => {
    const { sessions, id, log } = await written()
    writeFileSync(log, readFileSync(log, 'utf8').replace('"text":"two"', '"text":two21'))
    const session = await readSession(sessions, id)
    expect(session.state().messages.map((message) => message.id)).toEqual(['m1', 'm3', 'm4', 'm5', 'm6'])
    expect(session.state('m2').messages.map((message) => message.id)).toEqual(['m1'])
    expect(session.troubles().map(({ line, kind }) => [line, kind])).toEqual([[3, 'torn']])
    await session.close()
  })

  it('written by another program while the session is open is neither lost nor overwritten', async () => {
    const { sessions, id, log } = await written()
    const session = await openSession(sessions, id)
    appendFileSync(log, '# a comment\n')
    await session.append([said('m7', 'seven')])
    await session.close()
    expect(await kinds(sessions, id)).toEqual({ ids: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6', 'm7'], troubles: ['8 torn'] })
    expect(readFileSync(log, 'utf8')).toContain('# a comment\n')
  })

  it('stops further writing if it disappears while the session is open', async () => {
    const { sessions, id, log } = await written()
    const session = await openSession(sessions, id)
    truncateSync(log, readFileSync(log).length - 5)
    const refused = { problem: { kind: 'changed-behind', file: log } }
    await expect(session.append([said('m7', 'seven')])).rejects.toMatchObject(refused)
    await expect(session.append([said('m7', 'seven')])).rejects.toMatchObject(refused)
    await session.close()
  })

  it('is read with its keys in any order', async () => {
    const { sessions, id, log } = await written()
    const lines = readFileSync(log, 'utf8').trimEnd().split('\n')
    const turned = lines.map((line) => JSON.stringify(Object.fromEntries(Object.entries(JSON.parse(line) as object).reverse())))
    writeFileSync(log, `${turned.join('\r\n')}\r\n`)
    const all = ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']
    // Its checksums cannot be checked in this form.
    expect(await kinds(sessions, id)).toEqual({ ids: all, troubles: lines.map((_, index) => `${index + 1} changed`) })
    writeFileSync(log, turned.map((line) => `${line.replace(/"sum":"[^"]*",?/, '')}\r\n`).join(''))
    rmSync(pathsOf(join(sessions, id)).end)
    expect(await kinds(sessions, id)).toEqual({ ids: all, troubles: [] })
  })
})

describe('a log of a newer version', () => {
  it('can be read and never written to, and the error says which version is needed', async () => {
    const { sessions, id, log } = await written()
    const newer = readFileSync(log, 'utf8').replace(`"version":${formatVersion}`, `"version":${formatVersion + 1}`)
    writeFileSync(log, newer)
    await expect(openSession(sessions, id)).rejects.toThrow(`use a version that supports format ${formatVersion + 1}`)
    expect(await kinds(sessions, id)).toEqual({ ids: ['m1', 'm2', 'm3', 'm4', 'm5', 'm6'], troubles: ['1 newer'] })
    expect(readFileSync(log, 'utf8')).toBe(newer)
    // The lock was released.
    await expect(openSession(sessions, id)).rejects.toMatchObject({ problem: { kind: 'newer' } })
  })
})

describe('the clock', () => {
  it('never goes back in the log, and a jump leaves a note', async () => {
    const sessions = temporarySessions()
    let clock = 1_000_000_000_000
    const session = await createSession(sessions, { now: () => clock })
    const at: number[] = []
    for (const step of [0, 10, -500, -3_600_000, 5, 7_200_000, Number.NaN, 1]) {
      clock += step
      const [entry] = await session.append([{ type: 'note', code: `${step}` }])
      at.push((entry?.at ?? 0) - 1_000_000_000_000)
      if (Number.isNaN(clock)) clock = 1_000_003_600_000
    }
    expect(at).toEqual(at.toSorted((a, b) => a - b))
    expect(at.slice(0, 5)).toEqual([0, 10, 10, 10, 10])
    const notes = session.heads().flatMap(({ id }) => {
      const entry = session.entry(id)
      return entry?.type === 'note' && entry.code === 'clock' ? [entry.data] : []
    })
    expect(notes).toEqual([{ before: 999_999_999_510, after: 999_996_399_510 }])
    await session.close()
    const later = await openSession(sessions, session.id, { now: () => 5 })
    const [first] = await later.append([{ type: 'note', code: 'x' }])
    expect(first?.at).toBe((at.at(-1) ?? 0) + 1_000_000_000_000)
    expect(later.entry(first?.parentId ?? '')).toMatchObject({ type: 'note', code: 'clock' })
    await later.close()
  })
})

it('a session folder that was copied by hand opens under its new name', async () => {
  const { sessions, id, log } = await written()
  const copy = '20200101-000000-aaaaaa'
  mkdirSync(join(sessions, copy))
  copyFileSync(log, pathsOf(join(sessions, copy)).log)
  expect((await kinds(sessions, copy)).ids).toEqual((await kinds(sessions, id)).ids)
})
