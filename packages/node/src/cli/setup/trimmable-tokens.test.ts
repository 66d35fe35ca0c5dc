import { expect, it } from 'vitest'
import { claudeBoundary, claudeReply, claudeSummary, keptFields } from '../../logs/testing/preserved-log.ts'
import { claudeLine, claudeUser } from '../../logs/testing/recordings.ts'
import { trimmableTokens } from './trimmable-tokens.ts'

/** Two reads of images as text, which policies omit; the compaction keeps some of their lines. */
async function trimmable(kept: readonly string[]): Promise<number | null> {
  const image = `data:image/png;base64,${'iVBORw0KGgoAAAANSUhEUgAA'.repeat(2000)}`
  const read = (id: string) => ({ type: 'tool_use', id, name: 'Read', input: { file_path: `${id}.html` } })
  const result = (id: string) => claudeUser([{ type: 'tool_result', tool_use_id: id, content: image }])
  const lines = [
    claudeLine('u1', null, 1, claudeUser('Look.')),
    claudeLine('a1', 'u1', 2, claudeReply('m1', read('c1'), 20_000)),
    claudeLine('r1', 'a1', 3, result('c1')),
    claudeLine('a2', 'r1', 4, claudeReply('m2', read('c2'), 40_000)),
    claudeLine('r2', 'a2', 5, result('c2')),
    claudeLine('a3', 'r2', 6, claudeReply('m3', { type: 'text', text: 'Seen.' }, 60_000)),
    claudeBoundary('b1', 'a3', 7, keptFields('k1', kept)),
    claudeSummary('k1', 'b1', 7),
    claudeLine('u2', 'a3', 8, claudeUser('Go on.')),
  ]
  return trimmableTokens(
    lines.map((line) => JSON.stringify(line)),
    Date.UTC(2026, 0, 5, 12),
  )
}

it('counts results that a compaction kept, but not those it summarised', async () => {
  const all = (await trimmable(['u1', 'a1', 'r1', 'a2', 'r2', 'a3'])) ?? 0
  expect(all).toBeGreaterThan(1000)
  expect(await trimmable(['a2', 'r2', 'a3'])).toBe(all / 2)
  expect(await trimmable(['a3'])).toBe(0)
})
