/** The source documents' own names, as thin pure functions: each returns a new value and never changes its input. */

import { truncate } from './cut/truncate.ts'
import { summaryPromptOf } from './policies/result-summary.ts'
import { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
import { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
import { modelStrings } from './strings/specification.ts'
import { describeValue } from './text/json.ts'
import { countCodePoints } from './text/lines.ts'
import { applyPolicies, type TrimOptions } from './trim-messages.ts'

export { sanitizeToolResultForHistory, sanitizeToolResultsJson } from './binary/filter.ts'
export { formatToolResultForModel, toolResultsMessage } from './results/format-results.ts'

/** The messages with the output of outdated commands replaced by one line. */
export function simplifyOutdatedTerminalResults<Item>(messages: readonly Item[], options: TrimOptions): readonly Item[] {
  return applyPolicies('simplifyOutdatedTerminalResults', [trimOutdatedCommands], messages, options).messages
}

/** The messages with all but the latest reads of each file replaced by one line. Reads have no age, so `now` may be left out. */
export function simplifyHistoricalFileReads<Item>(
  messages: readonly Item[],
  { now = 0, ...options }: Partial<TrimOptions> = {},
): readonly Item[] {
  return applyPolicies('simplifyHistoricalFileReads', [trimRepeatedReads], messages, { now, ...options }).messages
}

/** A tool result cut to at most `maxChars` characters: head, what matters of the middle, tail. */
export function truncateToolResult(content: string, maxChars = 8000): string {
  if (typeof content !== 'string') throw new TypeError(`truncateToolResult: expected a text, got ${describeValue(content)}`)
  if (!(maxChars >= 0)) throw new RangeError(`truncateToolResult: expected maxChars to be a number of 0 or more, got ${maxChars}`)
  return truncate(content, { by: 'cap', maxChars, maxLines: null, strategy: 'head_tail', strings: modelStrings }).text
}

export interface SummarizeOptions {
  readonly ask: (prompt: string) => Promise<string>
  /** Characters that the summary may have. Default: 8,000. */
  readonly maxChars?: number
  /** Characters of the result that the model is shown, from its beginning. Default: 50,000. */
  readonly maxInputChars?: number
}

/** A tool result, summarised by a model if it is longer than `maxChars`. If the model fails or says too much, it is cut. */
export async function summarizeToolResult(content: string, options: SummarizeOptions): Promise<string> {
  const { ask, maxChars = 8000, maxInputChars = 50_000 } = options
  const cut = truncateToolResult(content, maxChars)
  if (countCodePoints(content) <= maxChars) return content
  try {
    const summary = (await ask(summaryPromptOf(content, maxChars, maxInputChars, modelStrings))).trim()
    return summary === '' ? cut : truncateToolResult(summary, maxChars)
  } catch {
    return cut
  }
}
