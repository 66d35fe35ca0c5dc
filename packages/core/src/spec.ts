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

/** Replaces the output of outdated commands with one line. */
export function simplifyOutdatedTerminalResults<Item>(messages: readonly Item[], options: TrimOptions): readonly Item[] {
  return applyPolicies('simplifyOutdatedTerminalResults', [trimOutdatedCommands], messages, options).messages
}

/** Replaces all but the latest reads of each file with one line. Reads have no age, so `now` is optional. */
export function simplifyHistoricalFileReads<Item>(
  messages: readonly Item[],
  { now = 0, ...options }: Partial<TrimOptions> = {},
): readonly Item[] {
  return applyPolicies('simplifyHistoricalFileReads', [trimRepeatedReads], messages, { now, ...options }).messages
}

/** Cuts a tool result to at most `maxChars` characters: head, important lines, tail. */
export function truncateToolResult(content: string, maxChars = 8000): string {
  if (typeof content !== 'string') throw new TypeError(`truncateToolResult: expected a text, got ${describeValue(content)}`)
  if (!(maxChars >= 0)) throw new RangeError(`truncateToolResult: expected maxChars to be a number of 0 or more, got ${maxChars}`)
  return truncate(content, { by: 'cap', maxChars, maxLines: null, strategy: 'head_tail', strings: modelStrings, names: 'never' })
    .text
}

export interface SummarizeOptions {
  readonly ask: (prompt: string) => Promise<string>
  /** Maximum characters of the summary. Default: 8,000. */
  readonly maxChars?: number
  /** Maximum characters of the result shown to the model. Default: 50,000. */
  readonly maxInputChars?: number
}

/** Summarizes a tool result longer than `maxChars` with a model. Cuts it if the model fails or writes too much. */
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
