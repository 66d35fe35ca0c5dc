import { type Config, defaultConfig, type ToolLimits } from '../config.ts'
import { fits, type Limit, type Truncation, truncate } from '../cut/truncate.ts'
import type { Edit, ReplaceEdit } from '../edit.ts'
import { configOf, type Facts, reasonsOf, stringsOf, type ToolKind } from '../facts.ts'
import { callInput, resultText, type ToolResultPart, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import { toolRules } from '../results/tools.ts'
import { rememberUncut } from '../results/transcript.ts'
import type { ModelStrings } from '../strings/specification.ts'
import type { ReasonStrings } from '../strings/strings-for.ts'
import { grouped } from '../text/lines.ts'

/**
 * Holds every tool result to its limit: the tool's own where the configuration has a row under exactly its name, else the default
 * one, which leaves file reads alone. Errors and results the model has not seen are cut too; their error lines are what is kept.
 */
export const limitToolOutput: Policy = {
  name: 'limit-tool-output',
  plan(messages, facts) {
    const limits = limitsOf(configOf(facts), facts)
    const reasons = reasonsOf(facts)
    const edits: Edit[] = []
    for (const result of toolResults(messages, facts)) {
      const limit = limitFor(result.tool, result.kind, limits)
      const edit = limit === null || asksForMore(result) ? null : editFor(result, limit, reasons)
      if (edit !== null) edits.push(edit)
    }
    return edits
  },
}

interface ToolLimit extends Limit {
  readonly maxLines: number
}

/** The limit that holds for what a tool answers, or null where there is none. */
export function outputLimitOf(tool: string, facts: Facts): ToolLimit | null {
  return limitFor(tool, toolRules(tool, facts.tools)?.kind ?? 'other', limitsOf(configOf(facts), facts))
}

/** Whose limit cuts a result: the tool's own, or else the global cap. */
export function cutBy(before: ToolResultPart, tool: string | null, kind: ToolKind, facts: Facts): 'cap' | 'tool' {
  const limit = limitFor(tool, kind, limitsOf(configOf(facts), facts))
  const short = limit === null ? null : shortened(before, limit)
  return short?.cut.limitedBy === 'tool' ? 'tool' : 'cap'
}

/** Says whether a part in place of a result would be within the limit of its tool. */
export function createLimitCheck(facts: Facts): (part: ToolResultPart, result: Pick<PlacedResult, 'tool' | 'kind'>) => boolean {
  const limits = limitsOf(configOf(facts), facts)
  return (part, { tool, kind }) => {
    const limit = limitFor(tool, kind, limits)
    return limit === null || shortened(part, limit) === null
  }
}

/** What was recalled with a budget of its own keeps to that one; cut again, it would only be asked for again. */
function asksForMore({ kind, call }: PlacedResult): boolean {
  const budget = kind === 'recall' && call !== null ? callInput(call)?.['budget'] : undefined
  return typeof budget === 'number' || typeof budget === 'string' ? Number(budget) > 0 : false
}

interface Limits {
  readonly config: Config['tool_output_limits']
  readonly strings: ModelStrings
  readonly known: Map<ToolKind, Map<string | null, ToolLimit | null>>
}

const limitsByConfig = new WeakMap<Limits['config'], { readonly given: Facts['strings']; readonly limits: Limits }>()

function limitsOf({ tool_output_limits: config }: Config, facts: Facts): Limits {
  const known = limitsByConfig.get(config)
  if (known !== undefined && known.given === facts.strings) return known.limits
  const limits: Limits = { config, strings: stringsOf(facts), known: new Map() }
  limitsByConfig.set(config, { given: facts.strings, limits })
  return limits
}

function limitFor(tool: string | null, kind: ToolKind, { config, strings, known }: Limits): ToolLimit | null {
  let ofKind = known.get(kind)
  if (ofKind === undefined) {
    ofKind = new Map()
    known.set(kind, ofKind)
  }
  const found = ofKind.get(tool)
  if (found !== undefined) return found
  const own = tool !== null && Object.hasOwn(config.tools, tool) ? config.tools[tool] : undefined
  const limit = own === undefined && kind === 'file-read' ? null : limitOf(own ?? {}, kind, config.default, strings)
  ofKind.set(tool, limit)
  return limit
}

function limitOf(
  own: ToolLimits,
  kind: ToolKind,
  common: Config['tool_output_limits']['default'],
  strings: ModelStrings,
): ToolLimit {
  const { max_chars, max_lines, show_context } = own
  const fallback = defaultConfig.tool_output_limits.default
  return {
    maxChars: [max_chars, common.max_chars].find(isLimit) ?? fallback.max_chars,
    maxLines: [max_lines, common.max_lines].find(isLimit) ?? fallback.max_lines,
    by: isLimit(max_chars) ? 'tool' : 'cap',
    linesBy: isLimit(max_lines) ? 'tool' : 'cap',
    strategy: own.truncation_strategy ?? common.truncation_strategy,
    strings,
    ...(kind === 'search' && isLimit(max_lines)
      ? { matches: true, ...(show_context === undefined ? {} : { context: show_context }) }
      : {}),
  }
}

/** A configuration may hold anything: what is no number sets no limit of its own. */
function isLimit(value: number | undefined): value is number {
  return typeof value === 'number' && !Number.isNaN(value)
}

interface KnownEdit {
  readonly reasons: ReasonStrings
  readonly edit: ReplaceEdit
}

// The same objects come back at every request.
const edits = new WeakMap<Shortened, KnownEdit>()

function editFor({ message, part, partIndex }: PlacedResult, limit: ToolLimit, reasons: ReasonStrings): ReplaceEdit | null {
  const short = shortened(part, limit)
  if (short === null) return null
  const known = edits.get(short)
  if (known !== undefined && known.reasons === reasons && known.edit.message === message.id && known.edit.part === partIndex)
    return known.edit
  const edit: ReplaceEdit = {
    id: `${limitToolOutput.name}:${message.id}.${partIndex}`,
    policy: limitToolOutput.name,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: short.part,
    why: whyCut(short.cut, limit, reasons),
  }
  edits.set(short, { reasons, edit })
  return edit
}

interface Shortened {
  readonly part: ToolResultPart
  readonly cut: Truncation
}

const shortenedParts = new WeakMap<ToolResultPart, { readonly limit: Limit; readonly short: Shortened | null }>()

/** A part never changes, so neither does its cut; null when it fits. */
function shortened(part: ToolResultPart, limit: ToolLimit): Shortened | null {
  const known = shortenedParts.get(part)
  if (known !== undefined && known.limit === limit) return known.short
  const short = shorten(part, limit)
  if (short !== null) rememberUncut(short.part, part)
  shortenedParts.set(part, { limit, short })
  return short
}

/** The text blocks of a list are cut as the one text they are together. Pictures stay. */
function shorten(part: ToolResultPart, limit: Limit): Shortened | null {
  const text = resultText(part)
  if (fits(text, limit)) return null
  const cut = truncate(text, limit, isOriginalOf(part))
  return { part: withShownText(part, cut.text), cut }
}

/** Whatever a text says, it was cut from something else only where its part knows of it. */
function isOriginalOf(part: ToolResultPart): (handle: string) => boolean {
  return (handle) => handle === part.blob?.handle
}

function whyCut(cut: Truncation, limit: Limit, reasons: ReasonStrings): string {
  const kept = cut.kept ?? 'head-and-tail'
  // A limit of matches that did not bind says nothing about lines.
  const maxLines = limit.matches === true && kept !== 'matches' ? null : limit.maxLines
  return reasons.outputCut({
    characters: grouped(cut.charsBefore),
    maxCharacters: grouped(limit.maxChars),
    maxLines: maxLines === null ? null : grouped(maxLines),
    kept,
    salientLines: cut.salientLines,
  })
}
