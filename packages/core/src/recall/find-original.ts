import type { Facts, ToolKind } from '../facts.ts'
import { callInput, inputText, type Message, type Part, resultText, type ToolCallPart, type ToolResultPart } from '../message.ts'
import { toolRules } from '../results/tools.ts'
import { resultHandle, transcriptHandle, transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import {
  derivedTexts,
  handlesOf,
  originOf,
  type PlacedPart,
  placedParts,
  quoted,
  stringsIn,
  textsOf,
  wholeText,
} from './placed-parts.ts'
import type { FoundOriginal, Lookup, Origin, RecallFold, RecallSource } from './recall.ts'

/** Finds the original of a handle or a unique prefix: in messages, then in folds, then in derived texts. */
export function findHandle(given: string, source: RecallSource, facts: Facts): Lookup {
  // More of the sentence around the handle may have been copied.
  const handle = /^(?:\[?recall[ :]{1,3})?([0-9a-f]{6,12})\]?$/.exec(given.slice(0, 200).trim().toLowerCase())
  const prefix = handle?.[1]
  if (prefix === undefined) {
    const text = `A handle is the 12 hexadecimal digits behind the word recall, or at least the first 6 of them; got ${quoted(given)}.`
    return { kind: 'missing', reason: 'bad-handle', text }
  }
  const nearest = createNearest(prefix)
  function* named(candidates: Iterable<Candidate>): Generator<Candidate> {
    for (const candidate of candidates) {
      nearest.see(candidate.handle)
      if (candidate.handle.startsWith(prefix as string)) yield candidate
    }
  }
  for (const [place, candidates] of tiers.entries()) {
    const chosen = choose(prefix, named(candidates(source, facts)))
    if (typeof chosen === 'string') return onlyText(chosen, textsFrom(place, source, facts))
    if (chosen !== null) return chosen
  }
  const near = nearest.found()
  const hint = `${near === null ? 'Ask' : `The nearest known one is ${near}; or ask`} by tool and about, or search with query.`
  return { kind: 'missing', reason: 'unknown-handle', text: `${unknownHandle} ${prefix}. ${hint}` }
}

interface Candidate {
  readonly handle: string
  readonly sha256?: string
  readonly get: () => Lookup
}

/** The only handle with this beginning. */
function choose(prefix: string, candidates: Generator<Candidate>): string | Lookup | null {
  const named = new Set<string>()
  for (const { handle } of candidates) {
    if (handle === prefix) return handle
    if (named.size < maxNamed) named.add(handle)
  }
  const [first] = named
  if (first === undefined || named.size === 1) return first ?? null
  const more = named.size === maxNamed ? ' and perhaps others' : ''
  const text = `${prefix} is the beginning of several handles: ${[...named].join(', ')}${more}. Give all 12 digits.`
  return { kind: 'missing', reason: 'ambiguous-handle', text }
}

const maxNamed = 6

/** The texts of the place where a handle was found, and later ones that a view names by a handle. */
function* textsFrom(place: number, source: RecallSource, facts: Facts): Generator<Candidate> {
  yield* tiers[place]?.(source, facts) ?? []
  if (place < 1) yield* namedFolds(source)
  if (place < 2) yield* argumentTexts(source, facts)
}

/** Handles are short hashes, so a tool could craft two texts with the same one. Then neither is returned. */
function onlyText(handle: string, candidates: Generator<Candidate>): Lookup {
  let first: Candidate | null = null
  let given: Lookup = { kind: 'missing', reason: 'unknown-handle', text: `${unknownHandle} ${handle}.` }
  for (const candidate of candidates) {
    if (candidate.handle !== handle) continue
    if (first === null) [first, given] = [candidate, candidate.get()]
    else if (isDifferent([first, given], candidate)) return severalTexts(handle, [given, candidate.get()])
  }
  return given
}

function severalTexts(handle: string, found: readonly Lookup[]): Lookup {
  const ids = found.flatMap((one) => ('original' in one ? [quoted(one.original.message)] : []))
  const text = `Different texts have the handle ${handle}, which only happens if someone constructed one of them. Ask by id (${ids.join(' or ')}), or by tool and about.`
  return { kind: 'missing', reason: 'ambiguous-handle', text }
}

/** Two texts too large for memory differ by the hashes of their bytes. A text that is lost is not compared. */
function isDifferent([first, given]: readonly [Candidate, Lookup], second: Candidate): boolean {
  if (first.sha256 !== undefined && first.sha256 === second.sha256) return false
  const also = second.get()
  if (!('original' in given && 'original' in also)) return false
  if (given.large !== undefined && also.large !== undefined) return true
  return textIn(given) !== textIn(also)
}

function textIn({ original, large }: FoundOriginal): string | null {
  return large === undefined ? original.text : large.whole()
}

function* saidTexts(source: RecallSource, facts: Facts): Generator<Candidate> {
  for (const placed of placedParts(source.messages(), facts)) {
    const { part } = placed
    for (const [index, handle] of handlesOf(placed, facts).entries())
      yield { handle, get: () => foundPart(placed, handle, textsOf(placed, facts)[index] ?? '') }
    if (part.type === 'tool-result' && part.blob?.handle !== undefined)
      yield { handle: part.blob.handle, sha256: part.blob.sha256, get: () => wholeOf(placed, part, source) }
  }
}

function* foldedTexts(source: RecallSource): Generator<Candidate> {
  for (const fold of source.folds()) {
    // A fold made from a view names a transcript of that view; the originals are more complete. A fold with a handle is not read:
    // there may be hundreds, each with thousands of messages.
    const handle = namedBy(fold.into ?? null) ?? transcriptHandle(fold.messages)
    yield { handle, get: () => foundFold(fold, handle) }
  }
}

function* otherTexts(source: RecallSource, facts: Facts): Generator<Candidate> {
  for (const placed of placedParts(source.messages(), facts))
    for (const text of derivedTexts(placed, source, facts)) {
      const handle = handleOf(text)
      yield { handle, get: () => foundPart(placed, handle, text) }
    }
}

function* namedFolds(source: RecallSource): Generator<Candidate> {
  for (const fold of source.folds()) {
    const handle = namedBy(fold.into ?? null)
    if (handle !== null) yield { handle, get: () => foundFold(fold, handle) }
  }
}

/** Long arguments of calls, which a view shortens. */
function* argumentTexts(source: RecallSource, facts: Facts): Generator<Candidate> {
  for (const placed of placedParts(source.messages(), facts)) {
    if (placed.part.type !== 'tool-call') continue
    for (const text of stringsIn(callInput(placed.part))) {
      const handle = handleOf(text)
      yield { handle, get: () => foundPart(placed, handle, text) }
    }
  }
}

/** Where a handle is looked for, in order. */
const tiers = [saidTexts, foldedTexts, otherTexts]

/** The handles that name the texts of a source, and those that name texts made from it, which count only if no text has the handle. */
export function handlesIn(source: RecallSource, facts: Facts = {}) {
  const handles = (candidates: Iterable<Candidate>) => Array.from(candidates, ({ handle }) => handle)
  return { said: handles(saidTexts(source, facts)), derived: () => handles(otherTexts(source, facts)) }
}

function foundPart(placed: PlacedPart, handle: string, text: string): FoundOriginal {
  return foundText(originOf(placed, handle), text)
}

function foundFold({ messages }: RecallFold, handle: string): Lookup {
  const origin = { handle, message: messages[0]?.id ?? '', role: 'system', tool: null } as const
  return foundText({ ...origin, about: `${messages.length} folded messages`, media: [] }, transcriptOf(messages))
}

function foundText(origin: Origin, text: string): FoundOriginal {
  return { original: { ...origin, text }, others: [], otherCount: 0 }
}

function wholeOf(placed: PlacedPart, part: ToolResultPart, source: RecallSource): Lookup {
  const whole = wholeText(part, source)
  if ('text' in whole) return { ...foundPart(placed, resultHandle(part), whole.text), ...whole.found }
  const text = `${whole.trouble} An extract is left: recall message ${placed.message.id} by its id, or run the tool again.`
  return { kind: 'missing', reason: 'lost-blob', text }
}

function namedBy(into: Message | null): string | null {
  const last = into?.parts.findLast((part) => part.type === 'text')
  if (last === undefined) return null
  return /\bfolded; recall ([0-9a-f]{12})\]\s{0,20}$/.exec(last.text.slice(-200))?.[1] ?? null
}

function createNearest(wanted: string): { readonly see: (handle: string) => void; readonly found: () => string | null } {
  let best: string | null = null
  let minSlips = maxSlips + 1
  return {
    see(handle) {
      const slips = slipsBetween(wanted, handle.slice(0, wanted.length))
      if (slips < minSlips) [minSlips, best] = [slips, handle]
    },
    found: () => best,
  }
}

const maxSlips = 3

function slipsBetween(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let start = 0
  while (start < length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  const moved = Math.min(differences(a, b, start + 1, start, length), differences(a, b, start, start + 1, length)) + 1
  return Math.min(differences(a, b, start, start, length), moved)
}

function differences(a: string, b: string, i: number, j: number, length: number): number {
  let count = 0
  for (let step = 0; Math.max(i, j) + step < length && count <= maxSlips; step += 1) {
    if (a.charCodeAt(i + step) !== b.charCodeAt(j + step)) count += 1
  }
  return count
}

interface CallWanted {
  readonly tool: string | null
  readonly about: string
}

/** The latest result of a tool whose call mentions a text, and the older candidates. */
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

function meantResults(source: RecallSource, facts: Facts, isMeant: (placed: PlacedPart) => boolean): Lookup | null {
  let latest: { readonly part: ToolResultPart; readonly origin: Origin } | null = null
  // Newest last, each text once.
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
  const found = { others: [...origins.values()].slice(-maxOthers).reverse(), otherCount: origins.size }
  const whole = wholeText(part, source)
  if ('text' in whole) return { original: { ...origin, text: whole.text }, ...found, ...whole.found }
  // A cut result has its own handle, by which it can be read on.
  const text = resultText(part)
  return { original: { ...origin, handle: handleOf(text), text }, ...found, trouble: whole.trouble }
}

const maxOthers = 20

function toolMatcher(wanted: string | null, facts: Facts): (tool: string, kind: ToolKind) => boolean {
  // Recalled texts are not originals, unless requested.
  if (wanted === null) return (_tool, kind) => kind !== 'recall'
  const name = wanted.trim().toLowerCase()
  const row = toolRules(wanted.trim(), facts.tools) ?? toolRules(name, facts.tools)
  return (tool, kind) =>
    tool.toLowerCase() === name || kind === name || (row !== null && toolRules(tool, facts.tools)?.name === row.name)
}

function isAbout(call: ToolCallPart, about: string): boolean {
  if (about === '') return true
  if (inputText(call).toLowerCase().includes(about)) return true
  // JSON escapes quotes, backslashes and newlines; the request does not.
  return stringsIn(callInput(call)).some((text) => text.toLowerCase().includes(about))
}

function noCall({ tool, about }: CallWanted, seen: readonly string[]): Lookup {
  const what = tool === null ? 'No tool' : `No call of ${quoted(tool)}`
  const of = about.trim() === '' ? '' : ` about ${quoted(about)}`
  const known = seen.slice(0, 12).map(quoted).join(', ')
  const hint = seen.length === 0 ? 'It has no tool results at all.' : `Tools with results are ${known}; or search with query.`
  return { kind: 'missing', reason: 'no-call', text: `${what}${of} has a result in this session. ${hint}` }
}

/** Finds an original by the id of a message or tool call. If a call id was reused, the latest wins. */
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
  if (placed !== undefined) return foundPart(placed, handle, text)
  return foundText({ handle, message: message.id, role: message.role, tool: null, about: '', media: [] }, text)
}

const unknownHandle = 'No text of this session has the handle'

/** Whether an answer says that a handle is not known here. */
export function isUnknownHandle(answer: string): boolean {
  return answer.startsWith(unknownHandle)
}
