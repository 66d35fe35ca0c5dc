import { appendFileSync, existsSync, mkdirSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createFolder } from '../../cli/testing/run-captured.ts'
import { findLogs, type LogPlace } from '../find-logs.ts'
import { agentRecordings } from '../testing/agent-recordings.ts'
import { recordings } from '../testing/recordings.ts'
import { measureLogs } from './measure-logs.ts'

const texts = [...recordings, ...agentRecordings].map(({ text }) => text)
const names = ['a.jsonl', 'b.jsonl', 'c.jsonl', 'd.jsonl']

const step = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), name: fc.constantFrom(...names), text: fc.constantFrom(...texts) }),
  fc.record({ kind: fc.constant('append' as const), name: fc.constantFrom(...names), text: fc.constantFrom(...texts) }),
  fc.record({
    kind: fc.constant('cut' as const),
    name: fc.constantFrom(...names),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  fc.record({ kind: fc.constant('rename' as const), name: fc.constantFrom(...names), to: fc.constantFrom(...names) }),
  fc.record({ kind: fc.constant('delete' as const), name: fc.constantFrom(...names) }),
  fc.record({ kind: fc.constant('touch' as const), name: fc.constantFrom(...names) }),
)

it('logs that are written, continued, cut, renamed and deleted give the same overview with an index as without, in any number of threads', async () => {
  let spared = 0
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), fc.constantFrom(0, 2), async (steps, workers) => {
      const folder = createFolder()
      try {
        const logs = join(folder.path, 'logs')
        mkdirSync(logs)
        const index = { file: join(folder.path, 'cache', 'overview-index'), program: '1.0.0' }
        const place: LogPlace = { agent: 'Claude Code', folder: logs, logs: /\.jsonl$/, depth: 1 }
        for (const [minute, change] of steps.entries()) {
          apply(change, logs, minute)
          const found = await findLogs([place])
          const plain = await measureLogs(found, { platform: 'linux', workers: 0 })
          // Threads take long to start, so only the last step has them.
          const threads = minute === steps.length - 1 ? workers : 0
          let read = 0
          const progress = ({ files }: { readonly files: number }) => void (read = Math.max(read, files))
          expect(await measureLogs(found, { platform: 'linux', index, workers: threads, progress })).toEqual(plain)
          if (found.logs.length > 0 && read === 0) spared += 1
        }
      } finally {
        folder.remove()
      }
    }),
    { numRuns: 24 },
  )
  // Otherwise the index was never used, and the property says nothing.
  expect(spared).toBeGreaterThan(5)
})

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

function apply(change: Step, folder: string, minute: number): void {
  const path = join(folder, change.name)
  if (change.kind === 'write') writeFileSync(path, change.text)
  else if (!existsSync(path)) return
  if (change.kind === 'append') appendFileSync(path, change.text)
  if (change.kind === 'cut') truncateSync(path, Math.floor(change.share * 2000))
  if (change.kind === 'delete') return rmSync(path)
  if (change.kind === 'rename') return renameSync(path, join(folder, change.to))
  // A clock that is not fooled by how fast a test is.
  utimesSync(path, 1_700_000_000 + minute, 1_700_000_000 + minute)
}
