import type { SkipReason } from '../strings/english/view.ts'
import type { Strings } from '../strings/strings-for.ts'

/** An entry of a log, or of a file that is imported, and why it could not be read. */
interface Skipped {
  readonly line: number
  readonly reason: string
}

/**
 * Says which lines of a log could not be read, with the first of them and why. `clean` makes a reason that is not one of ours safe to show.
 */
export function skippedSentences(
  skipped: readonly Skipped[],
  view: Strings['view'],
  clean: (reason: string) => string = (reason) => reason,
): readonly string[] {
  const reasonText = (reason: string) =>
    Object.hasOwn(view.skipReasons, reason) ? view.skipReasons[reason as keyof typeof view.skipReasons] : clean(reason)
  const lines = skipped.filter(({ reason }) => reason !== damaged)
  const compactions = skipped.filter(({ reason }) => reason === damaged)
  return [
    ...lines.slice(0, 1).map(({ line, reason }) => view.skippedLines(lines.length, line, reasonText(reason))),
    ...compactions.slice(0, 1).map(({ line }) => view.damagedCompactions(compactions.length, line)),
  ]
}

/** Such a line is read, and ends the context before it; only what it names is missing, which nothing can mend. */
const damaged: SkipReason = 'bad-compaction'
