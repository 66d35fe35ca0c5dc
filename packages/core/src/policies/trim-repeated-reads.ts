import { perItem } from '../derive.ts'
import type { Edit } from '../edit.ts'
import { configOf, reasonsOf, stringsOf } from '../facts.ts'
import { resultText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type KeepRule, newestFirst, placeNumber, protect } from '../results/protect.ts'
import { namesOriginal, replaceResult } from '../results/replace-result.ts'
import { aboutOf, type PlacedResult, toolResults } from '../results/tool-results.ts'
import { pathKey } from '../text/paths.ts'

const name = 'trim-repeated-reads'

/**
 * Shows one line instead of all but the latest 5 successful reads of a file. A call that read several files is trimmed only if it is outside the
 * latest reads of each; a read of an unknown file stays. Rewrites the prompt cache from the oldest trimmed read on.
 */
export const trimRepeatedReads: Policy = {
  name,
  plan(messages, facts) {
    const protectedBy = protect(messages, facts, [keepLatestReads])
    const placeholder = stringsOf(facts).repeatedRead
    const isNamed = namesOriginal(facts)
    const why = reasonsOf(facts).repeatedRead(configOf(facts).repeated_reads.keep_latest)
    const edits: Edit[] = []
    for (const result of toolResults(messages, facts)) {
      if (result.kind !== 'file-read' || protectedBy(result) !== null) continue
      const edit = replaceResult(result, name, placeholder, why, isNamed)
      if (edit !== null) edits.push(edit)
    }
    return edits
  },
}

/** Keeps each file's latest reads, and every read that cannot be counted. */
export const keepLatestReads: KeepRule = (messages, results, facts) => {
  const { keep_latest, large_file_chars } = configOf(facts).repeated_reads
  const seen = new Map<string, { keep: number; count: number }>()
  const outside = new Set<number>()
  const keysOf = readKeys(facts.root, facts.platform)
  for (const result of newestFirst(messages, results)) {
    if (result.kind !== 'file-read' || result.isError) continue
    const keys = keysOf(result)
    let wanted = keys.length === 0
    for (const key of keys) {
      let file = seen.get(key)
      if (file === undefined) {
        file = { keep: readsToKeep(result, keep_latest, large_file_chars), count: 0 }
        seen.set(key, file)
      }
      file.count += 1
      if (file.count <= file.keep) wanted = true
    }
    if (!wanted) outside.add(placeNumber(result))
  }
  return (result) => result.kind === 'file-read' && !outside.has(placeNumber(result))
}

/** The distinct files of a read, under one key for all spellings; none if unknown. */
export const readKeys = perItem(
  (result: PlacedResult, root: string | undefined, platform: string | undefined): readonly string[] =>
    [...new Set(aboutOf(result).map((path) => pathKey(path, root, platform)))].filter((key) => key !== ''),
)

function readsToKeep(newest: PlacedResult, keepLatest: number, largeFileChars: number | null): number {
  if (largeFileChars === null) return keepLatest
  const chars = resultText(newest.part).length
  return chars <= largeFileChars ? keepLatest : Math.max(1, Math.floor((keepLatest * largeFileChars) / chars))
}
