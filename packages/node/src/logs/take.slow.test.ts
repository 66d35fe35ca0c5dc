import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message, Part } from '@plimsoll/core'
import { afterAll, describe, expect, it } from 'vitest'
import { readLog, readLogText } from './read-log.ts'
import { agentRecordings } from './testing/agent-recordings.ts'
import { claudeAnswer, claudeLine, claudeUser, linesOf, recordings } from './testing/recordings.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-take-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bare = (part: Part): Part => ('text' in part ? { ...part, text: '' } : part)
const silent = (message: Message): Message => ({ ...message, parts: message.parts.map(bare) })

/** The file is 118 MB, and its texts would be as many; young and old generation together get half of that. */
function runInLittleMemory(script: string): string {
  const memory = ['--max-old-space-size=48', '--max-semi-space-size=4']
  return execFileSync(process.execPath, [...memory, '--conditions=source', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
}

describe('take', () => {
  it.each([...recordings, ...agentRecordings])(
    'is asked for every message of $name, and changes nothing else',
    async ({ text }) => {
      const whole = (await readLogText(text)).value
      const taken = (await readLogText(text, { take: silent })).value
      const left = whole?.sessions.map((session) => ({ ...session, title: null, messages: session.messages.map(silent) }))
      expect(taken?.sessions.map((session) => ({ ...session, title: null }))).toEqual(left)
      expect({ ...taken, sessions: [] }).toEqual({ ...whole, sessions: [] })
    },
  )

  it('lets a repeated block of a streamed answer be known though its text was let go', async () => {
    const lines = [
      claudeLine('u', null, 1, claudeUser('hi')),
      claudeLine('a', 'u', 2, claudeAnswer('m', { type: 'text', text: 'Loo' })),
      claudeLine('b', 'a', 3, claudeAnswer('m', { type: 'text', text: 'Looking.' })),
      ...Array.from({ length: 40 }, (_, index) =>
        claudeLine(`s${index}`, null, 4, { ...claudeAnswer(`n${index}`, { type: 'text', text: 'x' }), isSidechain: true }),
      ),
      claudeLine('c', 'b', 5, claudeAnswer('m', { type: 'text', text: 'Looking.' })),
      claudeLine('d', 'c', 6, claudeAnswer('m', { type: 'text', text: 'Found it.' })),
    ]
    const { value } = await readLogText(linesOf(lines), { take: silent })
    expect(value?.sessions[0]?.messages[1]?.parts).toHaveLength(2)
  })

  it('reads a log that is far larger than the memory it may use', () => {
    const path = join(folder, 'large.jsonl')
    const file = openSync(path, 'w')
    const rows = 600
    for (let row = 0; row < rows; row += 1) {
      const parent = row === 0 ? null : `u${row - 1}`
      const text = `${row} ${'a long answer '.repeat(14_000)}${'-'.repeat(400)}harbour`
      writeSync(
        file,
        linesOf([
          claudeLine(`u${row}`, parent, 1, row % 2 === 0 ? claudeUser(text) : claudeAnswer(`m${row}`, { type: 'text', text })),
        ]),
      )
    }
    closeSync(file)
    const reader = fileURLToPath(new URL('./read-log.ts', import.meta.url))
    const script = `
      import { readLog } from ${JSON.stringify(reader)}
      const take = (message) => ({ ...message, parts: message.parts.map((part) => ({ ...part, text: String(part.text.length) })) })
      const { value } = await readLog(${JSON.stringify(path)}, { take })
      process.stdout.write(String(value.sessions[0].messages.length))
    `
    expect(runInLittleMemory(script)).toBe(String(rows))
  })

  it('lets a search find a word in every message of such a log', () => {
    const path = JSON.stringify(join(folder, 'large.jsonl'))
    const script = `
      import { searchLogs } from ${JSON.stringify(fileURLToPath(new URL('./search/search-logs.ts', import.meta.url)))}
      const found = ({ messages }) => process.stdout.write(String(messages.map(({ excerpt }) => excerpt.slice(-7))))
      await searchLogs([{ path: ${path}, stamp: null, bytes: 1 }], 'harbour', { found })
    `
    expect(runInLittleMemory(script)).toBe('harbour,harbour,harbour')
  })

  it('reads a file again that was read before', async () => {
    const path = join(folder, 'large.jsonl')
    expect((await readLog(path, { take: silent })).value?.sessions[0]?.messages).toHaveLength(600)
  })
})
