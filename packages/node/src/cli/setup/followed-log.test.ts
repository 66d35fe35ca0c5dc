import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { followLog } from './followed-log.ts'
import { currentFacts } from './log-facts.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function workplace() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-follow-'))
  folders.push(folder)
  const path = join(folder, 'log.jsonl')
  let counted = 0
  const follow = async (cache: string | null = folder, now = 0) => {
    const trimmableIn = async (lines: readonly string[]) => {
      counted += 1
      return lines.length
    }
    const log = await followLog({ path, folder: cache, version: 'v', prices: {}, now, trimmableIn })
    return log === null ? null : { ...log, ...currentFacts(log.facts) }
  }
  return { path, follow, counted: () => counted }
}

const line = (id: string, input: number, more: object = {}) =>
  `${JSON.stringify({
    timestamp: '2026-01-31T10:00:00.000Z',
    message: { id, model: 'claude-opus-4-5', usage: { input_tokens: input, cache_read_input_tokens: 5, output_tokens: 1 } },
    ...more,
  })}\n`

describe('a log that is followed', () => {
  it('gives the same facts as one that is read at once, wherever it was cut', async () => {
    const entry = fc.oneof(
      fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), fc.nat(99)).map(([id, input]) => line(id, input)),
      fc.constantFrom(
        '{"type":"user","message":"é😀"}\n',
        '\n',
        'not "usage" at all\n',
        '{"type":"request","model":"gpt-5.5"}\n',
      ),
      fc.nat(9).map((input) => `{"type":"usage","usage":{"input_tokens":${input},"output_tokens":2},"at":5}\n`),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { maxLength: 12 }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true })),
        async (lines, cuts) => {
          const { path, follow } = workplace()
          const text = Buffer.from(lines.join(''))
          let done = 0
          for (const cut of [...cuts.toSorted((one, other) => one - other), 1]) {
            const end = Math.round(cut * text.length)
            if (done === 0) writeFileSync(path, text.subarray(0, end))
            else appendFileSync(path, text.subarray(done, end))
            done = end
            const { trimmable: _remembered, facts: followed, ...shown } = (await follow()) ?? { trimmable: 0, facts: null }
            const { trimmable: _counted, facts, ...expected } = (await follow(null)) ?? { trimmable: 0, facts: null }
            expect({ ...shown, answers: followed?.answers }).toEqual({ ...expected, answers: facts?.answers })
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('is read again if it was written again, cut or replaced', async () => {
    const { path, follow } = workplace()
    for (const text of [line('a', 1) + line('b', 2), line('a', 1) + line('b', 3), line('c', 4), '', line('d', 5)]) {
      writeFileSync(path, text)
      expect(await follow()).toMatchObject({ used: (await follow(null))?.used, dollars: (await follow(null))?.dollars })
    }
  })

  it('counts an answer once, as its last line has it, even if others came between', async () => {
    const { path, follow } = workplace()
    writeFileSync(path, line('a', 1_000_000) + line('b', 1_000_000))
    await follow()
    appendFileSync(path, line('a', 3_000_000))
    expect(await follow()).toMatchObject({ used: 1_000_005, dollars: expect.closeTo(20, 3) })
  })

  it('has the cost of answers that are no longer among the latest', async () => {
    const { path, follow } = workplace()
    writeFileSync(path, '')
    for (let part = 0; part < 3; part += 1) {
      appendFileSync(path, Array.from({ length: 200 }, (_, index) => line(`${part}-${index}`, 1_000_000)).join(''))
      await follow()
    }
    const log = await follow()
    expect(log?.facts.answers.length).toBe(300)
    expect(log?.dollars).toBeCloseTo(600 * 5.0000275, 3)
  })

  it('is not counted again for what could be trimmed until it has grown, minutes have passed or it was compacted', async () => {
    const { path, follow, counted } = workplace()
    const after = async (text: string, now: number) => {
      appendFileSync(path, text)
      await follow(undefined, now)
      return counted()
    }
    expect(await after(line('a', 1), 0)).toBe(1)
    expect(await after(line('b', 1), 60_000)).toBe(1)
    expect(await after(line('c', 1, { text: 'x'.repeat(70_000) }), 60_000)).toBe(2)
    expect(await after('{"isCompactSummary":true}\n', 60_000)).toBe(3)
    expect(await after('', 120_000)).toBe(3)
    expect(await after('', 400_000)).toBe(4)
  })

  it('is null if it cannot be read, and needs no folder to remember', async () => {
    const { path, follow } = workplace()
    expect(await follow()).toBeNull()
    writeFileSync(path, line('a', 1))
    expect(await follow('/dev/null/no')).toMatchObject({ used: 6 })
  })
})
