import { claudeLine, claudeUser } from './recordings.ts'

type Line = Readonly<Record<string, unknown>>

/** The fields of a compaction line that say which messages it kept. */
export interface PreservedFields {
  readonly preservedSegment?: unknown
  readonly preservedMessages?: unknown
}

/** A response whose prompt had this many tokens. */
export function claudeReply(id: string, block: Line, prompt: number): Line {
  const usage = { input_tokens: 10, cache_read_input_tokens: 0, cache_creation_input_tokens: prompt - 10, output_tokens: 20 }
  return { type: 'assistant', message: { id, role: 'assistant', model: 'claude-x', content: [block], usage } }
}

/** A compaction line after another line. */
export function claudeBoundary(uuid: string, after: string, step: number, kept: PreservedFields): Line {
  return {
    ...claudeLine(uuid, null, step, {
      type: 'system',
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      compactMetadata: { trigger: 'manual', preTokens: 65_000, postTokens: 21_000, ...kept },
    }),
    logicalParentUuid: after,
  }
}

/** The kept messages of a compaction as newer versions of Claude Code write them: both ends, and each of them. */
export function keptFields(anchorUuid: string, uuids: readonly string[]): PreservedFields {
  return {
    preservedSegment: { headUuid: uuids[0], anchorUuid, tailUuid: uuids.at(-1) },
    preservedMessages: { anchorUuid, uuids, allUuids: uuids },
  }
}

/** The summary of a compaction. */
export function claudeSummary(uuid: string, parent: string, step: number): Line {
  return claudeLine(uuid, parent, step, claudeUser('Summary: invoices are sorted by date.', { isCompactSummary: true }))
}

/** About a token for each word. */
const words = (count: number) => 'order '.repeat(count)
const call = (id: string, path: string): Line => ({ type: 'tool_use', id, name: 'Read', input: { file_path: path } })
const text = (said: string): Line => ({ type: 'text', text: said })

/** A round with two large reads, of which only the answer `a3` and the hook line `h1` after it are kept. */
export const beforeCompaction: readonly Line[] = [
  claudeLine('u1', null, 1, claudeUser('Sort the invoices by date.')),
  claudeLine('a1', 'u1', 2, claudeReply('m1', call('c1', 'src/invoices.ts'), 20_010)),
  claudeLine('r1', 'a1', 3, claudeUser([{ type: 'tool_result', tool_use_id: 'c1', content: words(30_000) }])),
  claudeLine('a2', 'r1', 4, claudeReply('m2', call('c2', 'src/ledger.ts'), 50_060)),
  claudeLine('r2', 'a2', 5, claudeUser([{ type: 'tool_result', tool_use_id: 'c2', content: words(15_000) }])),
  claudeLine('a3', 'r2', 6, claudeReply('m3', text(`Sorted. ${words(1000)}`), 65_110)),
  claudeLine('h1', 'a3', 7, { type: 'system', subtype: 'stop_hook_summary' }),
]

/** What Claude Code writes after a compaction: its lines hang on the last kept line. Four requests follow. */
export function afterCompaction(tail: string): readonly Line[] {
  return [
    claudeLine('v1', tail, 8, claudeUser('The user ran a command.', { isMeta: true })),
    claudeLine('v2', 'v1', 8, claudeUser('/compact')),
    claudeLine('f1', 'v2', 10, { type: 'attachment', attachment: { type: 'date_change' } }),
    claudeLine('u2', 'f1', 11, claudeUser('Sort the ledger in the same way.')),
    claudeLine('a4', 'u2', 12, claudeReply('m4', call('c3', 'src/ledger.ts'), 21_100)),
    claudeLine('r3', 'a4', 13, claudeUser([{ type: 'tool_result', tool_use_id: 'c3', content: words(2000) }])),
    claudeLine('a5', 'r3', 14, claudeReply('m5', call('c4', 'src/report.ts'), 23_200)),
    claudeLine('r4', 'a5', 15, claudeUser([{ type: 'tool_result', tool_use_id: 'c4', content: words(2000) }])),
    claudeLine('a6', 'r4', 16, claudeReply('m6', text('Sorted as well.'), 25_300)),
    claudeLine('u3', 'a6', 17, claudeUser('Is anything left?')),
    claudeLine('a7', 'u3', 18, claudeReply('m7', text('Nothing.'), 25_350)),
  ]
}

/** A log with one compaction that kept the last answer. */
export const preservedLines: readonly Line[] = [
  ...beforeCompaction,
  claudeBoundary('b1', 'h1', 9, keptFields('k1', ['a3', 'h1'])),
  claudeSummary('k1', 'b1', 9),
  ...afterCompaction('h1'),
]
