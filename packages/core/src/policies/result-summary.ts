import { fits, type Limit, truncate } from '../cut/truncate.ts'
import { configOf, type Facts, stringsOf } from '../facts.ts'
import { toolRules } from '../results/tools.ts'
import type { ModelStrings } from '../strings/specification.ts'
import { escapeMarks } from '../text/labels.ts'
import { countCodePoints, countLines, firstCharacters } from '../text/lines.ts'
import { outputLimitOf } from './limit-tool-output.ts'

/** A summary that a model should write in place of a tool's result. */
export interface ResultSummaryPlan {
  /** What the model is asked. */
  readonly prompt: string
  /** How long the result is. */
  readonly characters: number
  /** What may stand in its place. */
  readonly limit: Limit
}

/**
 * Whether a model should summarise what a tool answered, and what to ask it: the tool's strategy is `summarize`, summaries are
 * enabled, and the text is over both the tool's limit and the length from which on it is worth it. Null where it is cut instead.
 */
export function planResultSummary(text: string, tool: string, facts: Facts): ResultSummaryPlan | null {
  const { enabled, max_input_chars, trigger_threshold } = configOf(facts).summarization
  const limit = outputLimitOf(tool, facts)
  if (!enabled || limit === null || limit.strategy !== 'summarize' || fits(text, limit)) return null
  const rules = toolRules(tool, facts.tools)
  // Whoever asks for an original wants that and no account of it.
  if (rules?.kind === 'recall') return null
  const characters = countCodePoints(text)
  if (characters <= Math.min(trigger_threshold, rules?.summarizeOver ?? Number.POSITIVE_INFINITY)) return null
  return { prompt: summaryPromptOf(text, limit.maxChars, max_input_chars, stringsOf(facts)), characters, limit }
}

/**
 * The text that stands in place of the result: the summary, cut where it is over the limit, and a last line with the handle of the
 * original. Null where the summary says nothing, or the limit has no room for it.
 */
export function finishResultSummary({ characters, limit }: ResultSummaryPlan, summary: string, handle: string): string | null {
  const line = limit.strings.resultSummarized(characters, handle)
  const maxChars = limit.maxChars - countCodePoints(line) - 1
  const maxLines = limit.maxLines === null ? null : limit.maxLines - countLines(line)
  const text = summary.trim()
  if (text === '' || maxChars < 1 || (maxLines !== null && maxLines < 1)) return null
  // Whoever wrote the result may have talked the model into words of ours. Salient lines would come with the handle of the summary, which nobody keeps.
  const room: Limit = { ...limit, maxChars, maxLines, strategy: 'head_tail', matches: false, salient: false }
  return `${truncate(escapeMarks(text), room).text}\n${line}`
}

/** The question to the model, with the beginning of the text. */
export function summaryPromptOf(text: string, maxCharacters: number, maxInput: number, strings: ModelStrings): string {
  return strings.summarizeResult(maxCharacters, firstCharacters(text, Math.max(0, Math.floor(maxInput))))
}
