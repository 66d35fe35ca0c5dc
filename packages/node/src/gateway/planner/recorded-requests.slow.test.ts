import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Message } from '@plimsoll/core'
import { trimModes } from '@plimsoll/core/policies'
import { estimator } from '@plimsoll/core/text'
import { writeRequest } from '@plimsoll/core/wire'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ReadLog } from '../../logs/log-reader.ts'
import { readLog } from '../../logs/read-log.ts'
import { recordSession } from '../../replay/record-session.ts'
import { type WireDialect, wireDialects } from '../../store/gateway-record.ts'
import { accepted, openPlanningBench, type PlanningBench, planned, relayed, unchangeable } from '../testing/planning.ts'

// Recorded sessions may be in a folder next to the repository.
const folder = fileURLToPath(new URL('../../../../../../shared/sessions', import.meta.url))
const maxBytes = 1_200_000
const maxRequests = 5
const files = existsSync(folder) ? sampleOf(folder) : []

let bench: PlanningBench

beforeAll(async () => {
  bench = await openPlanningBench()
})

afterAll(() => bench.close())

describe.skipIf(files.length === 0)('requests of recorded sessions', () => {
  test.each(files.map((file, index) => ({ file, dialect: wireDialects[index % wireDialects.length] as WireDialect })))(
    '$file as $dialect: not a byte changes in observe, and nothing but what a mode may change',
    async ({ file, dialect }) => {
      const requests = await requestsIn(join(folder, file), dialect)
      expect(requests.length).toBeGreaterThan(0)
      for (const mode of trimModes) {
        const planner = bench.planner()
        for (const [number, value] of requests.entries()) {
          const at = 1_700_000_000_000 + number * 400_000
          const request = relayed(dialect, value, mode, { at, credential: `${file} ${mode}`, model: 'claude-opus-5' })
          const sent = await planned(planner, request)
          if (mode === 'observe') expect(sent.equals(request.body)).toBe(true)
          expect(unchangeable(dialect, mode, JSON.parse(sent.toString()))).toEqual(unchangeable(dialect, mode, value))
          planner.answered(accepted(request))
        }
        await planner.close()
      }
    },
  )
})

/** One log of each kind, not too long. */
function sampleOf(root: string): readonly string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap(({ name }) => {
      const sized = readdirSync(join(root, name), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && /\.(?:jsonl?|traj)$/.test(entry.name) && entry.name !== 'SOURCE.json')
        .map((entry) => join(entry.parentPath, entry.name))
        .map((path) => ({ path: path.slice(root.length + 1), size: statSync(path).size }))
        .filter(({ size }) => size < maxBytes)
        .sort((one, other) => other.size - one.size)
      return sized.slice(0, 1).map(({ path }) => path)
    })
}

/** Some requests of the first session in a log: the first ones, and the last. */
async function requestsIn(path: string, dialect: WireDialect): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const [session] = ((await readLog(path)).value as ReadLog).sessions
  if (session === undefined) return []
  const { segments, steps } = recordSession(session, { name: path, format: 'any', tokens: estimator })
  const chosen = steps.length <= maxRequests ? steps : [...steps.slice(0, maxRequests - 1), ...steps.slice(-1)]
  return chosen.map(({ segment, length }) => {
    const messages = (segments[segment] as readonly Message[]).slice(0, length)
    return JSON.parse(JSON.stringify(writeRequest(dialect, messages, { model: 'claude-opus-5' }))) as Record<string, unknown>
  })
}
