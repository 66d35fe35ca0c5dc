import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codecs } from '@plimsoll/core'
import { type DialectName, writeRequest } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { readLogText } from '../logs/read-log.ts'
import { agentRecordings } from '../logs/testing/agent-recordings.ts'
import { linesOf, recordings } from '../logs/testing/recordings.ts'
import { type Repaired, type RepairProblem, repairFile } from './repair-file.ts'
import { type Breakage, breakageKinds, breakLog } from './testing/break-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-repair-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const onlyRead = /openhands|swe/
const agents = [...recordings, ...agentRecordings].filter(({ format }) => !onlyRead.test(format))

const share = fc.nat(999).map((number) => number / 1000)
const breakages: fc.Arbitrary<readonly Breakage[]> = fc.array(
  fc.record({ kind: fc.constantFrom(...breakageKinds), at: share, other: share }),
  { minLength: 1, maxLength: 4 },
)

let files = 0
const repair = async (bytes: string | Uint8Array) => {
  files += 1
  const path = join(folder, `log-${files}.jsonl`)
  writeFileSync(path, bytes)
  return { out: `${path}.out`, ...(await repairFile(path, { out: `${path}.out`, keepsImages: false })) }
}

/** Acceptable errors if too much of a log is gone. */
const hopeless: ReadonlySet<RepairProblem['kind']> = new Set(['not-json', 'empty', 'no-messages'])

/** Repairs, and checks that nothing is left to repair in the copy. */
const settle = async (bytes: Buffer): Promise<Repaired | null> => {
  const { value, problem, out } = await repair(bytes)
  if (value === undefined) {
    expect(hopeless).toContain(problem.kind)
    return null
  }
  expect({ left: value.left, isWritten: existsSync(out) }).toEqual({ left: null, isWritten: value.mends.length > 0 })
  if (value.copy === null) return value
  const again = await repairFile(out, { out: `${out}.out`, keepsImages: false })
  expect(again.value).toMatchObject({ mends: [], copy: null, left: null })
  return value
}

describe('a log that was broken in any way, repaired', () => {
  const met = new Set<string>()
  const outcomes = { mended: 0, hopeless: 0 }

  it.each(agents)('$name: is read without trouble, and repaired again has nothing to mend', async ({ name, text }) => {
    for (const sample of fc.sample(breakages, { numRuns: 3, seed: name.length })) {
      const value = await settle(breakLog(text, sample))
      if (value === null) outcomes.hopeless += 1
      else outcomes.mended += 1
      for (const { kind } of value?.mends ?? []) met.add(kind)
    }
  })

  it('reached every kind of trouble that lines can have', () => {
    expect([...met]).toEqual(
      expect.arrayContaining([
        'answered-call',
        'cut-line',
        'cut-end',
        'cut-piece',
        'relinked',
        'repeated-entry',
        'dropped-result',
        'new-id',
        'not-utf8',
        'lone-surrogates',
      ]),
    )
    expect(outcomes.mended).toBeGreaterThan(outcomes.hopeless * 2)
  })
})

describe.each(Object.keys(codecs) as readonly DialectName[])('a conversation in the dialect %s', (dialect) => {
  it.each([1, 2, 3])('cut into messages and shuffled (%i), is repaired to a whole one', async (seed) => {
    const { value } = await readLogText(linesOf(openAi))
    const request = writeRequest(dialect, value?.sessions[0]?.messages ?? [], { model: 'any' }) as Record<string, unknown>
    const key = ['messages', 'input', 'contents'].find((name) => Array.isArray(request[name])) as string
    const list = request[key] as readonly unknown[]
    const [order] = fc.sample(fc.shuffledSubarray([...list], { minLength: list.length - 2, maxLength: list.length }), {
      numRuns: 1,
      seed,
    })
    await settle(Buffer.from(JSON.stringify({ ...request, [key]: order })))
  })
})

const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } })
const openAi = [
  { role: 'user', content: 'Why?' },
  { role: 'assistant', content: 'Look.', tool_calls: [call('c1'), call('c2')] },
  { role: 'tool', tool_call_id: 'c1', content: 'one' },
  { role: 'tool', tool_call_id: 'c2', content: 'two' },
  { role: 'assistant', content: 'And again.', tool_calls: [call('c3')] },
  { role: 'tool', tool_call_id: 'c3', content: 'three' },
  { role: 'assistant', content: 'Because.' },
  { role: 'user', content: 'Thanks.' },
]
