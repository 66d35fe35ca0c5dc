import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { claudeLines, linesOf, piLines } from '../logs/testing/recordings.ts'
import { repairFile } from './repair-file.ts'
import { type Breakage, breakLog } from './testing/break-log.ts'

// Uses recorded sessions next to the repository if there are any, else invented ones in the same formats.
const recorded = fileURLToPath(new URL('../../../../../shared/sessions', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'plimsoll-repair-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const logs = existsSync(recorded)
  ? (readdirSync(recorded, { recursive: true }) as readonly string[])
      .filter((name) => /^(?:badlogic|cline|entireio-skills|obra).*\.jsonl?$/.test(name) && !name.includes('SOURCE'))
      .map((name) => join(recorded, name))
      .filter((path) => statSync(path).size < 600_000)
      .map((path) => ({ name: basename(path), text: readFileSync(path, 'utf8') }))
  : [
      { name: 'Claude Code', text: linesOf(claudeLines) },
      { name: 'pi', text: linesOf(piLines) },
    ]

const breakages: readonly Breakage[] = [
  { kind: 'garble', at: 0.2, other: 0.5 },
  { kind: 'drop', at: 0.4, other: 0 },
  { kind: 'double', at: 0.5, other: 0.6 },
  { kind: 'swap', at: 0.7, other: 0.1 },
  { kind: 'half', at: 0.8, other: 0.3 },
  { kind: 'cut', at: 0.95, other: 0.4 },
]

it.each(logs)('leaves nothing to repair in a log that was broken in six ways: $name', async ({ name, text }) => {
  const path = join(folder, name)
  writeFileSync(path, breakLog(text, name.endsWith('.json') ? breakages.slice(-1) : breakages))
  const { value } = await repairFile(path, { out: `${path}.out`, keepsImages: false })
  expect(value?.left).toBeNull()
  expect(value?.mends.length).toBeGreaterThan(0)
  const again = await repairFile(`${path}.out`, { out: `${path}.again`, keepsImages: false })
  expect(again.value).toMatchObject({ mends: [], copy: null, left: null })
})
