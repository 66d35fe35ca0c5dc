import type { Facts } from '../facts.ts'
import { type ToolKind } from '../facts.ts'
import { callInput, inputText, resultText, type ToolCallPart, type ToolResultPart } from '../message.ts'
import { toolRules } from '../results/tools.ts'
import { handleOf } from '../text/hash.ts'
import { stringsIn } from './derived-texts.ts'
import { originOfResult, type PlacedPart, placedParts } from './placed-parts.ts'
import { quoted } from './quoted.ts'
import type { Lookup, Origin, RecallSource } from './recall.ts'
import { wholeText } from './whole-text.ts'

/** Whose result is wanted: of a tool, or any where it is null, whose arguments contain a text. */
export interface CallWanted {
  readonly tool: string | null
  readonly about: string
}

/** The latest result of a tool whose call is about a text, with the older ones that it could have been. */
export function findCall(wanted: CallWanted, source: RecallSource, facts: Facts): Lookup {
  const about = wanted.about.trim().toLowerCase()
  const isTool = toolMatcher(wanted.tool, facts)
  const isMeant = (call: ToolCallPart, kind: ToolKind) => isTool(call.tool, kind) && isAbout(call, about)
  const seen = new Set<string>()
  const results = meantResults(
    source,
    facts,
    ({ call, part }) => {
      if (call !== null) seen.add(call.tool)
      return call === null ? about === '' && part.tool !== null && isTool(part.tool, 'other') : call.meant
    },
    isMeant,
  )
  return results ?? noCall(wanted, [...seen])
}

/** The latest of the results that are meant and where the others stand; null when there are none. */
export function meantResults(
  source: RecallSource,
  facts: Facts,
  isMeant: (placed: PlacedPart & { readonly part: ToolResultPart }) => boolean,
  isMeantCall?: (call: ToolCallPart, kind: ToolKind) => boolean,
): Lookup | null {
  let latest: (PlacedPart & { readonly part: ToolResultPart }) | null = null
  // Newest last, each text once: what was printed twice is one original.
  const origins = new Map<string, Origin>()
  for (const { message, part, call } of placedParts(source.messages(), facts, isMeantCall)) {
    if (part.type !== 'tool-result') continue
    const placed = { message, part, call }
    if (!isMeant(placed)) continue
    latest = placed
    const origin = originOfResult(placed)
    origins.delete(origin.handle)
    origins.set(origin.handle, origin)
  }
  if (latest === null) return null
  const origin = originOfResult(latest)
  origins.delete(origin.handle)
  const others = [...origins.values()].slice(-mostOthers).reverse()
  const whole = wholeText(latest.part, source)
  const found = { others, otherCount: origins.size }
  if ('text' in whole) return { original: { ...origin, text: whole.text }, ...found, ...whole.found }
  // What is left has a handle of its own, by which it can be read on.
  const text = resultText(latest.part)
  return { original: { ...origin, handle: handleOf(text), text }, ...found, trouble: whole.trouble }
}

const mostOthers = 20

/** A tool is meant by its name, by another name of the same tool, or by its kind. */
function toolMatcher(wanted: string | null, facts: Facts): (tool: string, kind: ToolKind) => boolean {
  // What was recalled before is no original, unless it is asked for.
  if (wanted === null) return (_tool, kind) => kind !== 'recall'
  const name = wanted.trim().toLowerCase()
  const row = toolRules(wanted.trim(), facts.tools) ?? toolRules(name, facts.tools)
  return (tool, kind) =>
    tool.toLowerCase() === name || kind === name || (row !== null && toolRules(tool, facts.tools)?.name === row.name)
}

function isAbout(call: ToolCallPart, about: string): boolean {
  if (about === '') return true
  if (inputText(call).toLowerCase().includes(about)) return true
  // JSON escapes quotes, backslashes and newlines; whoever asks does not.
  return stringsIn(callInput(call)).some((text) => text.toLowerCase().includes(about))
}

function noCall({ tool, about }: CallWanted, seen: readonly string[]): Lookup {
  const what = tool === null ? 'No tool' : `No call of ${quoted(tool)}`
  const of = about.trim() === '' ? '' : ` about ${quoted(about)}`
  const known = seen.slice(0, 12).map(quoted).join(', ')
  const hint = seen.length === 0 ? 'It has no tool results at all.' : `Tools with results are ${known}; or search with query.`
  return { kind: 'missing', reason: 'no-call', text: `${what}${of} has a result in this session. ${hint}` }
}
