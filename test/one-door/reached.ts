import type { Report } from '@plimsoll/core'

/** The situations a run reached, with counts: comparing requests without any edits proves nothing. */
export type Reached = Record<string, number>

/** Counts the situations of one request. */
export function noteReached(
  reached: Reached,
  { edits, waiting, rewrite }: Pick<Report, 'edits' | 'waiting' | 'rewrite'>,
  original: string,
  shown: string,
): void {
  const add = (key: string, times: number) => {
    if (times > 0) reached[key] = (reached[key] ?? 0) + times
  }
  add('requests', 1)
  add('changed', original === shown ? 0 : 1)
  for (const { policy } of edits) add(policy, 1)
  add('waiting', waiting.length)
  add('rewrites', rewrite === null ? 0 : 1)
  const count = (pattern: RegExp) => (shown.match(pattern)?.length ?? 0) - (original.match(pattern)?.length ?? 0)
  add('restated', count(restated))
}

/** A line that only names omitted lines and their handle. */
const restated = /\[\d+ lines?: [^\]\n]{1,200}; recall [0-9a-f]{12}[^\]\n]{0,40}\]/g
