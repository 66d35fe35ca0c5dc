import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { agentRecordings } from '../../logs/testing/agent-recordings.ts'
import { claudeLines, linesOf, recordings } from '../../logs/testing/recordings.ts'
import { runCaptured } from '../testing/run-captured.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-view-logs-'))
afterAll(() => rmSync(folder, { recursive: true }))

function write(name: string, content: string | Uint8Array): string {
  mkdirSync(dirname(join(folder, name)), { recursive: true })
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

async function view(path: string) {
  const { code, stdout, stderr } = await runCaptured(['view', path, '--json'])
  const messages: readonly { readonly id?: string }[] = code === 0 ? JSON.parse(stdout).messages : []
  return { code, messages: messages.length, stderr }
}

const claude = linesOf(claudeLines)

describe('plimsoll view', () => {
  it.each([...recordings, ...agentRecordings])('shows a log of $name', async ({ name, text }) => {
    const { code, messages } = await view(write(`${name}.jsonl`, text))
    expect(code).toBe(0)
    expect(messages).toBeGreaterThan(3)
  })

  it.each([
    ['gzip', gzipSync],
    ['Zstandard', zstdCompressSync],
  ] as const)('shows a log compressed with %s', async (name, pack) => {
    expect(await view(write(`${name}.packed`, pack(claude)))).toEqual(await view(write('plain.jsonl', claude)))
  })

  it('shows the readable part of a truncated compressed log, with a warning', async () => {
    const packed = gzipSync(claude)
    const { code, messages, stderr } = await view(write('cut.jsonl.gz', packed.subarray(0, -60)))
    expect({ code, isSome: messages > 3 }).toEqual({ code: 0, isSome: true })
    expect(stderr).toMatch(/^Line \d+ was skipped: the file is cut off or damaged from here on\./)
  })

  it('skips a line that is nested too deep', async () => {
    const deep = `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`
    const { code, stderr } = await view(write('deep.jsonl', `${claude}${deep}\n`))
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining('it is nested too deep') })
  })

  it('shows a session of opencode’s storage, which keeps messages in separate files', async () => {
    const path = write('storage/session/project/ses_1.json', '{"id":"ses_1","title":"Cart"}')
    write('storage/message/ses_1/msg_1.json', '{"id":"msg_1","role":"user"}')
    write('storage/part/msg_1/prt_1.json', '{"type":"text","text":"Hi."}')
    expect(await view(path)).toEqual({ code: 0, messages: 1, stderr: '' })
  })

  it('refuses a log without messages', async () => {
    const { code, stderr } = await view(write('mute.jsonl', '{"type":"file-history-snapshot","isSnapshotUpdate":false}\n'))
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('a log in which nothing is said') })
  })
})
