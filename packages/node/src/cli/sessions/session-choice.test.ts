import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { stringsFor } from '../../strings/strings-for.ts'
import { withLongSession } from './session-choice.ts'

const sessions = mkdtempSync(join(tmpdir(), 'plimsoll-long-'))
afterEach(() => rmSync(sessions, { recursive: true, force: true }))

const id = '20260105-120000-abcdef'

/** What is said on stderr around and while something is done with a log of so many bytes. */
async function saidFor(bytes: number, isTerminal: boolean): Promise<readonly string[]> {
  mkdirSync(join(sessions, id), { recursive: true })
  writeFileSync(join(sessions, id, 'log.jsonl'), '')
  truncateSync(join(sessions, id, 'log.jsonl'), bytes)
  const said: string[] = []
  const output = { write: (text: string) => said.push(text), isTerminal, columns: 80 }
  const result = await withLongSession(id, { io: { stderr: output }, sessions, strings: stringsFor('en') }, async () =>
    said.slice(),
  )
  expect(said.slice(0, result.length)).toEqual(result)
  return said
}

it('somebody at a terminal is told that a long session is being read, and the line goes away', async () => {
  expect(await saidFor(122_000_000, true)).toEqual([`reading ${id} (122 MB) …`, '\r\u001b[K'])
})

it('nothing is said about a short session, and nothing where nobody sits', async () => {
  expect(await saidFor(1000, true)).toEqual([])
  expect(await saidFor(122_000_000, false)).toEqual([])
})
