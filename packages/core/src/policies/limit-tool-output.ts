import { type Config, defaultConfig, type ToolLimits } from '../config.ts'
import { fits, type Limit, type Truncation, truncate } from '../cut/truncate.ts'
import { perPair } from '../derive.ts'
import { configOf, type Facts, reasonsOf, stringsOf, type ToolKind } from '../facts.ts'
import { callInput, resultText, type ToolResultPart } from '../message.ts'
import type { Policy } from '../policy.ts'
import { withLinesOf } from '../results/plain-result.ts'
import { resultPolicy } from '../results/result-policy.ts'
import type { PlacedResult } from '../results/tool-results.ts'
import { toolRules } from '../results/tools.ts'
import type { ModelStrings } from '../strings/specification.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { handleOf } from '../text/hash.ts'
import { grouped } from '../text/lines.ts'

/**
 * Holds every tool result to its limit: the tool's own if the configuration has a row under exactly its name, else the default, which skips file
 * reads. Errors and unseen results are cut too; their error lines are kept.
 */
export const limitToolOutput: Policy = resultPolicy('limit-tool-output', {
  needs: (facts) => [configOf(facts).tool_output_limits, stringsOf(facts), reasonsOf(facts)],
  decide(result, [limits, strings, reasons]) {
    const limit = limitFor(result.tool, result.kind, limits, strings)
    if (limit === null || fits(resultText(result.part), limit) || asksForMore(result)) return null
    const cut = cutTo(result.part, result.whole, result.tool, result.kind, limits, strings)
    return cut === null ? null : { text: cut.text, why: whyCut(cut, limit, reasons) }
  },
})

type Limits = Config['tool_output_limits']

interface ToolLimit extends Limit {
  readonly maxLines: number
}

export function outputLimitOf(tool: string, facts: Facts): ToolLimit | null {
  return limitFor(tool, toolRules(tool, facts.tools)?.kind ?? 'other', configOf(facts).tool_output_limits, stringsOf(facts))
}

/** Whose limit cuts a result: the tool's own, or the global cap. */
export function cutBy({ part, tool, kind }: Pick<PlacedResult, 'part' | 'tool' | 'kind'>, facts: Facts): 'cap' | 'tool' {
  const cut = cutTo(part, part, tool, kind, configOf(facts).tool_output_limits, stringsOf(facts))
  return cut?.limitedBy === 'tool' ? 'tool' : 'cap'
}

export function isWithinLimit(
  part: ToolResultPart,
  { tool, kind }: Pick<PlacedResult, 'tool' | 'kind'>,
  limits: Limits,
  strings: ModelStrings,
): boolean {
  const limit = limitFor(tool, kind, limits, strings)
  return limit === null || fits(resultText(part), limit)
}

/** A result recalled with its own budget keeps to that; cut again, it would only be recalled again. */
function asksForMore({ kind, call }: PlacedResult): boolean {
  const budget = kind === 'recall' && call !== null ? callInput(call)?.['budget'] : undefined
  return typeof budget === 'number' || typeof budget === 'string' ? Number(budget) > 0 : false
}

function limitFor(tool: string | null, kind: ToolKind, limits: Limits, strings: ModelStrings): ToolLimit | null {
  const own = tool !== null && Object.hasOwn(limits.tools, tool) ? limits.tools[tool] : undefined
  return own === undefined && kind === 'file-read' ? null : limitOf(own ?? {}, kind, limits.default, strings)
}

function limitOf(own: ToolLimits, kind: ToolKind, common: Limits['default'], strings: ModelStrings): ToolLimit {
  const { max_chars, max_lines, show_context } = own
  const fallback = defaultConfig.tool_output_limits.default
  return {
    maxChars: [max_chars, common.max_chars].find(isLimit) ?? fallback.max_chars,
    maxLines: [max_lines, common.max_lines].find(isLimit) ?? fallback.max_lines,
    by: isLimit(max_chars) ? 'tool' : 'cap',
    linesBy: isLimit(max_lines) ? 'tool' : 'cap',
    strategy: own.truncation_strategy ?? common.truncation_strategy,
    strings,
    names: 'always',
    ...(kind === 'search' && isLimit(max_lines)
      ? { matches: true, ...(show_context === undefined ? {} : { context: show_context }) }
      : {}),
  }
}

function isLimit(value: number | undefined): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}

const cutTo = perPair(
  (
    part: ToolResultPart,
    whole: ToolResultPart,
    tool: string | null,
    kind: ToolKind,
    limits: Limits,
    strings: ModelStrings,
  ): Truncation | null => {
    const limit = limitFor(tool, kind, limits, strings)
    if (limit === null) return null
    const isOriginal = (handle: string | null) => handle !== null && handle === part.blob?.handle
    const handle = part === whole ? '' : handleOf(resultText(whole))
    if (part === whole || resultText(part).includes(handle)) return truncate(resultText(part), limit, isOriginal)
    // The same in another form: the cut names the original, and lines by their numbers there.
    const cut = truncate(resultText(withLinesOf(whole, part)), limit, isOriginal)
    return { ...cut, text: cut.text.replaceAll(cut.handle, handle), handle }
  },
)

function whyCut(cut: Truncation, limit: Limit, reasons: ReasonStrings): string {
  const kept = cut.kept ?? 'head-and-tail'
  // A limit of matches that was not reached does not limit lines.
  const maxLines = limit.matches === true && kept !== 'matches' ? null : limit.maxLines
  return reasons.outputCut({
    characters: grouped(cut.charsBefore),
    maxCharacters: grouped(limit.maxChars),
    maxLines: maxLines === null ? null : grouped(maxLines),
    kept,
    salientLines: cut.salientLines,
  })
}
