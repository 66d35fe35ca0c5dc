import type { Edit } from '../edit.ts'
import type { Message } from '../message.ts'
import type { RecallSource } from '../recall/recall.ts'
import { sourceOfMessages } from '../recall/recall-tool.ts'

/** A source of originals in memory, with the folds that edits made of them, which takes any pattern. */
export function sourceOf(
  messages: readonly Message[],
  edits: readonly Edit[] = [],
  extra: Partial<RecallSource> = {},
): RecallSource {
  return {
    ...sourceOfMessages(messages, edits),
    findLines(pattern, lines) {
      const expression = new RegExp(pattern)
      return { found: lines.flatMap((line, index) => (expression.test(line) ? [index] : [])) }
    },
    ...extra,
  }
}
