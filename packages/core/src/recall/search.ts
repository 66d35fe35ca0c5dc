import type { Facts } from '../facts.ts'
import { callInput, resultText } from '../message.ts'
import { handleOf } from '../text/hash.ts'
import { labelText } from '../text/labels.ts'
import { countLines, detached, pairsOf } from '../text/lines.ts'
import { estimator } from '../tokens/count-tokens.ts'
import { hasRoom, type Room } from './cut-to-room.ts'
import { originOf, type PlacedPart, placedParts, quoted, stringsIn } from './placed-parts.ts'
import type { RecallAnswer, RecallSource, Span } from './recall.ts'
import { type Candidate, createRanking } from './search-ranking.ts'

/** The best matches for a query in a session, in one pass that keeps only the best in memory. */
export function searchSession(query: string, source: RecallSource, facts: Facts, room: Room = {}): RecallAnswer {
  const terms = termsOf(query)
  if (terms.length === 0) {
    return { kind: 'missing', reason: 'no-match', text: 'A query needs at least one word to look for.' }
  }
  const pattern = patternOf(terms)
  const ranking = createRanking(query, terms)
  let order = 0
  for (const placed of placedParts(source.messages(), facts)) {
    for (const text of searchedTexts(placed, source)) {
      order += 1
      ranking.read(text.length)
      // Computed only for texts with a good match.
      let where: Pick<Candidate, 'origin' | 'total'> | null = null
      for (const window of windowsOf(text, terms, pattern)) {
        if (!ranking.isWorthKeeping(window)) continue
        where ??= { origin: originOf(placed, handleOf(text)), total: countLines(text) }
        const { start, end, counts, ...place } = window
        ranking.keep({ ...where, ...place, counts, order, text: detached(text.slice(start, end)) })
      }
    }
  }
  return answerWith(query, ranking.best(maxSpans), facts, room)
}

const maxSpans = 20

/** Recalled results are skipped: they would be found twice. */
function searchedTexts({ message, part, call }: PlacedPart, source: RecallSource): readonly string[] {
  if (message.role === 'system' || message.summary === true || call?.kind === 'recall') return []
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return [part.text]
    case 'tool-call':
      return stringsIn(callInput(part)).filter((text) => text.length >= minArgumentLength)
    case 'tool-result': {
      const whole = part.blob === undefined ? { part } : source.whole(part)
      return [resultText('part' in whole ? whole.part : part)]
    }
    case 'media':
      return []
  }
}

/** Shorter arguments, such as a path, are shown in the head of each match of their result. */
const minArgumentLength = 40

function answerWith(query: string, best: readonly Candidate[], facts: Facts, room: Room): RecallAnswer {
  const tokens = facts.tokens ?? estimator
  if (best.length === 0) {
    const text = `Nothing in this session matches ${quoted(query)}. Try other words, or ask by tool and about.`
    return { kind: 'missing', reason: 'no-match', text }
  }
  const spans: Span[] = []
  let written = ''
  for (const candidate of best) {
    const next = `${written}${written === '' ? '' : '\n\n'}${headOf(candidate)}\n${candidate.text.replaceAll(headLine, '\\[')}`
    // A later, shorter match may still fit.
    if (!hasRoom(next, room, tokens)) continue
    written = next
    const { origin, lines, characters, text, score } = candidate
    spans.push({ original: origin, lines, ...(characters === undefined ? {} : { characters }), text, score })
  }
  if (spans.length > 0) return { kind: 'spans', text: written, spans }
  const text = `There are ${best.length} places for ${quoted(query)} and no room for the first: ${headOf(best[0] as Candidate)}`
  return { kind: 'spans', text, spans: [] }
}

// A text with such a line could pretend to be another match.
const headLine = /^\[(?=handle [0-9a-f]{6})/gim

function headOf({ origin, lines: [first, last], characters, total }: Candidate): string {
  const of = origin.tool === null ? origin.role : `${labelText(origin.tool, 60)}${origin.about === '' ? '' : `: ${origin.about}`}`
  const within = characters === undefined ? '' : `, characters ${characters[0]}-${characters[1]}`
  return `[handle ${origin.handle}; ${of}; lines ${first}-${last} of ${total}${within}]`
}

export interface Window {
  readonly start: number
  readonly end: number
  readonly lines: readonly [first: number, last: number]
  /** The characters shown, if its single line is too long. */
  readonly characters?: readonly [first: number, last: number]
  /** Weighted number of occurrences per term. */
  readonly counts: Float64Array
}

function* windowsOf(text: string, terms: readonly Term[], pattern: RegExp): Generator<Window> {
  const places = new Map(terms.map(({ text: term }, index) => [term, index]))
  const windowAt = createWalk(text)
  let open: Window | null = null
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const index = places.get(found[0].toLowerCase())
    const term = index === undefined ? undefined : terms[index]
    if (index === undefined || term === undefined) continue
    const weight = hitWeight(text, found.index, pattern.lastIndex, term)
    if (weight === 0) continue
    if (open === null || found.index >= open.end) {
      if (open !== null) yield open
      const next = windowAt(found.index, open?.end ?? 0)
      open = { ...next, counts: new Float64Array(terms.length) }
    }
    open.counts[index] = (open.counts[index] ?? 0) + weight
  }
  if (open !== null) yield open
}

type Place = Omit<Window, 'counts'>

const linesBefore = 2
const linesAfter = 9
const maxWindowLength = 1200
const charactersBefore = 200
const charactersAfter = 600

function createWalk(text: string): (index: number, from: number) => Place {
  const endFrom = (at: number) => {
    const found = text.indexOf('\n', at)
    return found === -1 ? text.length : found
  }
  let line = { number: 1, start: 0, end: endFrom(0) }
  let earlier: (typeof line)[] = []
  return (index, from) => {
    while (index > line.end) {
      earlier = [...earlier.slice(1 - linesBefore), line]
      line = { number: line.number + 1, start: line.end + 1, end: endFrom(line.end + 1) }
    }
    if (line.end - line.start > maxWindowLength) return insideLine(index, from)
    // Skips lines that an earlier window shows, and long ones.
    const before = earlier.filter(({ start, end }) => start >= from && end - start <= maxWindowLength / 4)
    const first = before[0]?.number === line.number - before.length ? (before[0] ?? line) : line
    const { end, count } = linesFrom(index)
    return { start: first.start, end, lines: [first.number, line.number + count] }
  }

  function insideLine(index: number, from: number): Place {
    const start = Math.max(line.start, from, index - charactersBefore)
    const end = Math.min(line.end, index + charactersAfter)
    return { start, end, lines: [line.number, line.number], characters: [start - line.start + 1, end - line.start] }
  }

  function linesFrom(index: number): { readonly end: number; readonly count: number } {
    const near = text.slice(line.start, line.start + maxWindowLength)
    let end = line.end
    let count = 0
    while (count < linesAfter && end < text.length) {
      const next = near.indexOf('\n', end + 1 - line.start)
      if (next === -1) {
        const isLast = near.length < maxWindowLength && end + 1 < text.length
        return isLast ? { end: text.length, count: count + 1 } : { end, count }
      }
      end = line.start + next
      count += 1
    }
    return { end: Math.max(end, index + 1), count }
  }
}

export interface Term {
  readonly text: string
  /** 1 for a requested word, less for part of one. */
  readonly weight: number
  /** Whether a match must start at a word or camel-case boundary; scripts without spaces have none. */
  readonly isWord: boolean
}

/** Words, camel-case parts, and character pairs in scripts without spaces; stop words only if there is nothing else. */
function termsOf(query: string): readonly Term[] {
  const terms = new Map<string, Term>()
  const add = (text: string, weight: number, isWord: boolean) => {
    const known = terms.get(text)
    if (known === undefined ? terms.size < maxTerms : known.weight < weight) terms.set(text, { text, weight, isWord })
  }
  const words = [...query.slice(0, maxQueryLength).matchAll(wordPattern)].map(([word]) => word)
  const telling = words.filter((word) => !emptyWords.has(word.toLowerCase()) && !/^\w$/.test(word))
  for (const word of telling.length === 0 ? words : telling) {
    if (spaceless.test(word)) for (const pair of pairsOf(word)) add(pair, 1, false)
    else {
      add(stem(word.toLowerCase()), 1, true)
      const humps = word.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []
      if (humps.length > 1) for (const hump of humps) if (hump.length > 2) add(stem(hump.toLowerCase()), humpWeight, true)
    }
  }
  return [...terms.values()]
}

function patternOf(terms: readonly Term[]): RegExp {
  const byLength = terms.toSorted((a, b) => b.text.length - a.text.length)
  return new RegExp(byLength.map(({ text }) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')).join('|'), 'gi')
}

function hitWeight(text: string, start: number, end: number, term: Term): number {
  if (!term.isWord) return 1
  const first = text.charCodeAt(start)
  const before = start === 0 ? 0 : text.charCodeAt(start - 1)
  const isHump = isCapital(first) && !isCapital(before)
  if (isLetter(before) && !isHump) return 0
  let after = end
  while (after < text.length && after - end < 4 && isSmall(text.charCodeAt(after))) after += 1
  return after === end ? 1 : after - end < 4 ? 0.8 : 0.4
}

const maxQueryLength = 1000
const maxTerms = 48
const humpWeight = 0.4

// Chinese, Japanese and Korean, and words between spaces in any other script.
const cjk = '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}'
const wordPattern = new RegExp(`[${cjk}]+|(?:(?![${cjk}])[\\p{L}\\p{N}_])+`, 'gu')
const spaceless = new RegExp(`[${cjk}]`, 'u')

function stem(word: string): string {
  if (!/^[a-z]+$/.test(word)) return word
  if (word.length > 6 && word.endsWith('ing')) return word.slice(0, -3)
  if (word.length > 5 && word.endsWith('ed')) return word.slice(0, -2)
  return word.length > 4 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

const emptyWords = new Set(
  'a an and any are as at be been but by can could did do does for from get got had has have how i if in into is it its me my no not of on or our out shall should so that the their them then there these they this to up us was we were what when where which who why will with would you your'.split(
    ' ',
  ),
)

const isCapital = (code: number) => code >= 0x41 && code <= 0x5a
const isSmall = (code: number) => code >= 0x61 && code <= 0x7a
const isLetter = (code: number) => isSmall(code) || isCapital(code) || (code >= 0xc0 && code < 0x2000)
