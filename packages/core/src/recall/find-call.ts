import type { Facts, ToolKind } from '../facts.ts'
import { callInput, inputText, type Message, type Part, resultText, type ToolCallPart, type ToolResultPart } from '../message.ts'
import { toolRules } from '../results/tools.ts'
import { resultHandle, transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { originOf, type PlacedPart, placedParts, quoted, stringsIn, wholeText } from './placed-parts.ts'
import type { Lookup, Origin, RecallSource } from './recall.ts'

/** Whose result is wanted: of a tool, or any where it is null, whose arguments contain a text. */
export interface CallWanted {
  readonly tool: string | null
  readonly about: string
}

/** The latest result of a tool whose call is about a text, with the older ones that it could have been. */
export function findCall(wanted: CallWanted, source: RecallSource, facts: Facts): Lookup {
  const about = wanted.about.trim().toLowerCase()
  const isTool = toolMatcher(wanted.tool, facts)
  const meant = new Map<string | null, boolean>()
  const seen = new Set<string>()
  const results = meantResults(source, facts, ({ part, call }) => {
    if (part.type === 'tool-call') meant.set(part.callId, isTool(part.tool, call?.kind ?? 'other') && isAbout(part, about))
    if (part.type !== 'tool-result') return false
    if (call === null) return about === '' && part.tool !== null && isTool(part.tool, 'other')
    seen.add(call.tool)
    return meant.get(part.callId) === true
  })
  return results ?? noCall(wanted, [...seen])
}

/** The latest of the results that are meant and where the others stand; null when there are none. Asks about every part in turn. */
function meantResults(source: RecallSource, facts: Facts, isMeant: (placed: PlacedPart) => boolean): Lookup | null {
  let latest: { readonly part: ToolResultPart; readonly origin: Origin } | null = null
  // Newest last, each text once: what was printed twice is one original.
  const origins = new Map<string, Origin>()
  for (const placed of placedParts(source.messages(), facts)) {
    const { part } = placed
    if (!isMeant(placed) || part.type !== 'tool-result') continue
    const origin = originOf(placed, resultHandle(part))
    latest = { part, origin }
    origins.delete(origin.handle)
    origins.set(origin.handle, origin)
  }
  if (latest === null) return null
  const { part, origin } = latest
  origins.delete(origin.handle)
  const found = { others: [...origins.values()].slice(-mostOthers).reverse(), otherCount: origins.size }
  const whole = wholeText(part, source)
  if ('text' in whole) return { original: { ...origin, text: whole.text }, ...found, ...whole.found }
  // What is left has a handle of its own, by which it can be read on.
  const text = resultText(part)
  return { original: { ...origin, handle: handleOf(text), text }, ...found, trouble: whole.trouble }
}

const mostOthers = 20

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

/** The original that the id of a message or of a tool call names. Where agents use a call's id again, the latest is meant. */
export function findId(given: string, source: RecallSource, facts: Facts): Lookup {
  const id = given.trim()
  const message = messageThat((each) => each.id === id, source)
  if (message !== undefined && !(message.parts.length === 1 && message.parts[0]?.type === 'tool-result'))
    return foundMessage(message, facts)
  const results = meantResults(source, facts, ({ part, message: where }) =>
    message === undefined ? part.type === 'tool-result' && part.callId === id : where.id === message.id,
  )
  if (results !== null) return results
  const isCall = (part: Part) => part.type === 'tool-call' && part.callId === id
  const text =
    messageThat(({ parts }) => parts.some(isCall), source) === undefined
      ? `No message or tool call of this session has the id ${quoted(id)}. Ask by tool and about, or search with query.`
      : `The call ${quoted(id)} has no result in this session.`
  return { kind: 'missing', reason: 'unknown-id', text }
}

function messageThat(test: (message: Message) => boolean, source: RecallSource): Message | undefined {
  for (const message of source.messages()) if (test(message)) return message
  return undefined
}

function foundMessage(message: Message, facts: Facts): Lookup {
  const [placed] = placedParts([message], facts)
  const only = message.parts.length === 1 ? message.parts[0] : undefined
  const text = only?.type === 'text' || only?.type === 'reasoning' ? only.text : transcriptOf([message])
  const handle = handleOf(text)
  const origin =
    placed === undefined
      ? { handle, message: message.id, role: message.role, tool: null, about: '', media: [] }
      : originOf(placed, handle)
  return { original: { ...origin, text }, others: [], otherCount: 0 }
}
