import { fits, type Limit, truncate } from '../cut/truncate.ts'
import { configOf, type Facts, stringsOf } from '../facts.ts'
import { toolRules } from '../results/tools.ts'
import type { ModelStrings } from '../strings/specification.ts'
import { escapeMarks } from '../text/labels.ts'
import { countCodePoints, countLines, firstCharacters } from '../text/lines.ts'
import { outputLimitOf } from './limit-tool-output.ts'

export interface ResultSummaryPlan {
  readonly prompt: string
  /** The length of the result. */
  readonly characters: number
  /** The limit of its replacement. */
  readonly limit: Limit
}

/**
 * Whether a model should summarise a tool's answer, and the prompt for it: summaries are enabled, the tool's strategy is `summarize` or it has its
 * own minimum length and no other strategy, and the text exceeds both the tool's limit and the minimum length. Null if it is cut instead.
 */
export function planResultSummary(text: string, tool: string, facts: Facts): ResultSummaryPlan | null {
  const { summarization, tool_output_limits } = configOf(facts)
  const { enabled, max_input_chars, trigger_threshold } = summarization
  const limit = outputLimitOf(tool, facts)
  if (!enabled || limit === null || fits(text, limit)) return null
  const rules = toolRules(tool, facts.tools)
  const chosen = Object.hasOwn(tool_output_limits.tools, tool) ? tool_output_limits.tools[tool]?.truncation_strategy : undefined
  const strategy = chosen ?? (rules?.summarizeOver === undefined ? limit.strategy : 'summarize')
  // A recall asks for the original, not a summary of it.
  if (strategy !== 'summarize' || rules?.kind === 'recall') return null
  const characters = countCodePoints(text)
  if (characters <= Math.min(trigger_threshold, rules?.summarizeOver ?? Number.POSITIVE_INFINITY)) return null
  return { prompt: summaryPromptOf(text, limit.maxChars, max_input_chars, stringsOf(facts)), characters, limit }
}

/** The summary, cut to the limit, and a last line with the handle of the original. Null if the summary is empty or does not fit. */
export function finishResultSummary({ characters, limit }: ResultSummaryPlan, summary: string, handle: string): string | null {
  const line = limit.strings.resultSummarized(characters, handle)
  const maxChars = limit.maxChars - countCodePoints(line) - 1
  const maxLines = limit.maxLines === null ? null : limit.maxLines - countLines(line)
  const text = summary.trim()
  if (text === '' || maxChars < 1 || (maxLines !== null && maxLines < 1)) return null
  // The result may have made the model write our markers. Salient lines would come with the handle of the summary, which is not stored.
  const room: Limit = { ...limit, maxChars, maxLines, strategy: 'head_tail', matches: false, salient: false, names: 'never' }
  return `${truncate(escapeMarks(text), room).text}\n${line}`
}

export function summaryPromptOf(text: string, maxCharacters: number, maxInput: number, strings: ModelStrings): string {
  return strings.summarizeResult(maxCharacters, firstCharacters(text, Math.max(0, Math.floor(maxInput))))
}
