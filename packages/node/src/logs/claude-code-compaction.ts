import { fieldsAt, listAt, textAt } from './entry-fields.ts'
import type { Fields } from './log-reader.ts'

/** The messages that a compaction line says it kept in the context. All fields are as the line has them, so any of them may be wrong. */
export interface PreservedMessages {
  /** The line after which the kept messages follow: the summary, or the compaction line itself if they come before the summary. */
  readonly anchor: string | null
  /** The first and the last kept line. */
  readonly head: string | null
  readonly tail: string | null
  /** Every kept line in order; empty if the log names only the first and the last. */
  readonly uuids: readonly string[]
}

/** Reads which messages a compaction kept. Returns null for other lines, and for a compaction that kept nothing. */
export function preservedBy(entry: Fields): PreservedMessages | null {
  if (entry['subtype'] !== 'compact_boundary') return null
  const metadata = fieldsAt(entry, 'compactMetadata')
  if (metadata['preservedSegment'] == null && metadata['preservedMessages'] == null) return null
  const segment = fieldsAt(metadata, 'preservedSegment')
  const messages = fieldsAt(metadata, 'preservedMessages')
  return {
    anchor: textAt(messages, 'anchorUuid') ?? textAt(segment, 'anchorUuid'),
    head: textAt(segment, 'headUuid'),
    tail: textAt(segment, 'tailUuid'),
    uuids: listAt(messages, 'uuids').filter((uuid) => typeof uuid === 'string'),
  }
}
