import { readFileSync } from 'node:fs'
import { formatVersion, readHead, readLine, writeLine } from '@plimsoll/core/session'
import { describe, expect, it } from 'vitest'

const page = readFileSync(new URL('../../../../docs/formats.md', import.meta.url), 'utf8')
const lines = /```jsonl\n([^`]*)\n```/.exec(page)?.[1]?.split('\n') ?? []

describe('docs/formats.md', () => {
  it('has an example', () => expect(lines.length).toBeGreaterThan(5))

  it.each(lines)('has a line as it is written: %s', (line) => {
    const read = readLine(line)
    expect(read.kind).toBe('entry')
    if (read.kind !== 'entry') return
    expect(writeLine(read.entry)).toBe(line)
    expect(readHead(line, Buffer.byteLength(line))).toMatchObject({ type: read.entry.type, id: read.entry.id })
  })

  it('names the version that is written', () => expect(page).toContain(`the version of this format, now ${formatVersion}`))
})
