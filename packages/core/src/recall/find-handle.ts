import type { Facts } from '../facts.ts'
import type { Message, ToolResultPart } from '../message.ts'
import { resultHandle, transcriptHandle, transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { derivedTexts, handlesOf, originOf, type PlacedPart, placedParts, quoted, textsOf, wholeText } from './placed-parts.ts'
import type { FoundOriginal, Lookup, Original, RecallFold, RecallSource } from './recall.ts'

/** Finds the original of a handle or its unique beginning: in what was said and printed, then in folds, then elsewhere. */
export function findHandle(given: string, source: RecallSource, facts: Facts): Lookup {
  // More of the sentence around it may have been copied.
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
  for (const candidates of [saidTexts, foldedTexts, otherTexts]) {
    const chosen = choose(prefix, named(candidates(source, facts)))
    if (chosen !== null) return chosen
  }
  const near = nearest.found()
  const hint = `${near === null ? 'Ask' : `The nearest known one is ${near}; or ask`} by tool and about, or search with query.`
  return { kind: 'missing', reason: 'unknown-handle', text: `No text of this session has the handle ${prefix}. ${hint}` }
}

interface Candidate {
  readonly handle: string
  readonly sha256?: string
  readonly get: () => Lookup
}

function choose(prefix: string, candidates: Generator<Candidate>): Lookup | null {
  const named = new Map<string, Candidate>()
  for (const candidate of candidates) {
    if (candidate.handle === prefix) return onlyText(candidate, candidates)
    if (named.size < mostNamed) named.set(candidate.handle, candidate)
  }
  const [first] = named.values()
  if (first === undefined) return null
  if (named.size === 1) return first.get()
  const more = named.size === mostNamed ? ' and perhaps others' : ''
  const text = `${prefix} is the beginning of several handles: ${[...named.keys()].join(', ')}${more}. Give all 12 digits.`
  return { kind: 'missing', reason: 'ambiguous-handle', text }
}

const mostNamed = 6

/**
 * Equal handles are equal texts, unless somebody made two texts so that they are not: a handle is a short hash, and what a tool reads
 * may be anybody's. Then neither is given as what the other one was.
 */
function onlyText(first: Candidate, others: Generator<Candidate>): Lookup {
  const { handle, sha256 } = first
  const given = first.get()
  for (const other of others) {
    if (other.handle !== handle || (sha256 !== undefined && sha256 === other.sha256)) continue
    const also = other.get()
    if (!isDifferent(given, also)) continue
    const ids = [given, also].flatMap((one) => ('original' in one ? [quoted(one.original.message)] : []))
    const text = `Different texts have the handle ${handle}, which happens only where one was made for it. Ask by id (${ids.join(' or ')}), or by tool and about.`
    return { kind: 'missing', reason: 'ambiguous-handle', text }
  }
  return given
}

/** Of what is too large to be held, the hash of its bytes has told already. */
function isDifferent(one: Lookup, other: Lookup): boolean {
  if (!('original' in one && 'original' in other) || one.large !== undefined || other.large !== undefined) return false
  return one.original.text !== other.original.text
}

function* saidTexts(source: RecallSource, facts: Facts): Generator<Candidate> {
  for (const placed of placedParts(source.messages(), facts)) {
    const { part } = placed
    for (const [index, handle] of handlesOf(placed, facts).entries())
      yield { handle, get: () => found(placed, handle, textsOf(placed, facts)[index] ?? '') }
    if (part.type === 'tool-result' && part.blob?.handle !== undefined)
      yield { handle: part.blob.handle, sha256: part.blob.sha256, get: () => wholeOf(placed, part, source) }
  }
}

function* foldedTexts(source: RecallSource): Generator<Candidate> {
  for (const fold of source.folds()) {
    // A fold that was made of a view, not of the log, names a transcript of that view. Its originals say more. One that has a
    // name is not read to find out another: there may be hundreds, each with thousands of messages.
    const handle = namedBy(fold.into ?? null) ?? transcriptHandle(fold.messages)
    yield { handle, get: () => foundFold(fold, handle) }
  }
}

function* otherTexts(source: RecallSource, facts: Facts): Generator<Candidate> {
  for (const placed of placedParts(source.messages(), facts))
    for (const text of derivedTexts(placed, source, facts)) {
      const handle = handleOf(text)
      yield { handle, get: () => found(placed, handle, text) }
    }
}

function found(placed: PlacedPart, handle: string, text: string): FoundOriginal {
  return { original: { ...originOf(placed, handle), text }, others: [], otherCount: 0 }
}

function foundFold({ messages }: RecallFold, handle: string): Lookup {
  const origin = { handle, message: messages[0]?.id ?? '', role: 'system', tool: null } as const
  const original: Original = { ...origin, about: `${messages.length} folded messages`, media: [], text: transcriptOf(messages) }
  return { original, others: [], otherCount: 0 }
}

function wholeOf(placed: PlacedPart, part: ToolResultPart, source: RecallSource): Lookup {
  const whole = wholeText(part, source)
  if ('text' in whole) return { ...found(placed, resultHandle(part), whole.text), ...whole.found }
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
  let least = mostSlips + 1
  return {
    see(handle) {
      const slips = slipsBetween(wanted, handle.slice(0, wanted.length))
      if (slips < least) [least, best] = [slips, handle]
    },
    found: () => best,
  }
}

/** More are another handle. */
const mostSlips = 3

function slipsBetween(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let start = 0
  while (start < length && a.charCodeAt(start) === b.charCodeAt(start)) start += 1
  const moved = Math.min(differences(a, b, start + 1, start, length), differences(a, b, start, start + 1, length)) + 1
  return Math.min(differences(a, b, start, start, length), moved)
}

function differences(a: string, b: string, i: number, j: number, length: number): number {
  let count = 0
  for (let step = 0; Math.max(i, j) + step < length && count <= mostSlips; step += 1) {
    if (a.charCodeAt(i + step) !== b.charCodeAt(j + step)) count += 1
  }
  return count
}
