import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { withLongSession } from './session-choice.ts'

const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-long-'))
afterEach(() => rmSync(sessions, { recursive: true, force: true }))

const id = '20260105-120000-abcdef'

/** The text written to stderr while a log of `bytes` bytes is read. */
async function progressFor(bytes: number, isTerminal: boolean): Promise<readonly string[]> {
  mkdirSync(join(sessions, id), { recursive: true })
  writeFileSync(join(sessions, id, 'log.jsonl'), '')
  truncateSync(join(sessions, id, 'log.jsonl'), bytes)
  const written: string[] = []
  const output = { write: (text: string) => written.push(text), isTerminal, columns: 80 }
  const result = await withLongSession(id, { io: { stderr: output }, sessions, strings: stringsFor('en') }, async () =>
    written.slice(),
  )
  expect(written.slice(0, result.length)).toEqual(result)
  return written
}

it('shows on a terminal that a long session is being read, and removes the line afterwards', async () => {
  expect(await progressFor(122_000_000, true)).toEqual([`reading ${id} (122 MB) …`, '\r\u001b[K'])
})

it('writes nothing for a short session, or without a terminal', async () => {
  expect(await progressFor(1000, true)).toEqual([])
  expect(await progressFor(122_000_000, false)).toEqual([])
})
