import type { Report } from '@plimsoll/core'

/** What a run came across, and how often: a comparison of requests in which nothing happens says nothing. */
export type Reached = Record<string, number>

/** Counts what one request shows. */
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

/** A line that only says which lines were left out and how to recall them. */
const restated = /\[\d+ lines?: [^\]\n]{1,200}; recall [0-9a-f]{12}[^\]\n]{0,40}\]/g
