import type { Message } from '@plimsoll/core'
import { partText } from './call-texts.ts'
import type { NeedClass, Supplier } from './need.ts'
import { holds, holdsAt, readingsOf, wordPattern } from './need-match.ts'
import type { Use } from './need-uses.ts'

export interface Occurrences {
  /** The first message with it in plain text. */
  spoken: number
  /** The results, calls and reasoning that hold it, oldest first. */
  readonly places: { readonly index: number; readonly supplier: Supplier }[]
}

/** Finds all places of many strings in one pass over the messages: lines, words, and longer strings by their rarest word. */
export function findOccurrences(messages: readonly Message[], uses: Iterable<Use>): (use: Use) => Occurrences {
  const wanted = collect(uses)
  for (const [index, message] of messages.entries()) {
    for (const [partIndex, part] of message.parts.entries()) {
      const text = partText(part)
      if (text === '') continue
      const from = sources[part.type]
      // One object for all strings in a part, which identifies text recalled for any of them.
      const place = from === null ? null : { index, supplier: { message: message.id, part: partIndex, from } }
      for (const found of foundIn(text, wanted)) {
        if (place !== null) found.places.push(place)
        else found.spoken = Math.min(found.spoken, index)
      }
    }
  }
  return (use) => wanted.all.get(keyOf(use)) ?? none
}

const none: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
const noneLonger: readonly Longer[] = []
/** Longer words are blobs. */
const maxWord = 200

interface Wanted {
  readonly all: Map<string, Occurrences>
  readonly lines: Map<string, Occurrences>
  readonly symbols: Map<string, Occurrences>
  /** Strings by their rarest word, which is searched for. */
  readonly byWord: ReadonlyMap<string | undefined, readonly Longer[]>
}

interface Longer {
  readonly kind: Exclude<NeedClass, 'edit-anchor'>
  readonly text: string
  readonly occurrences: Occurrences
  readonly word: string | undefined
  readonly offset: number
}

function collect(uses: Iterable<Use>): Wanted {
  const wanted = { all: new Map(), lines: new Map(), symbols: new Map() } satisfies Omit<Wanted, 'byWord'>
  const longer: Omit<Longer, 'word' | 'offset'>[] = []
  for (const use of uses) {
    const key = keyOf(use)
    if (wanted.all.has(key)) continue
    const occurrences: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
    wanted.all.set(key, occurrences)
    if (use.class === 'edit-anchor') wanted.lines.set(use.text, occurrences)
    else if (use.class === 'symbol') wanted.symbols.set(use.text, occurrences)
    else longer.push({ kind: use.class, text: use.text, occurrences })
  }
  return { ...wanted, byWord: Map.groupBy(withRarestWord(longer), ({ word }) => word) }
}

/** Uses the rarest word, so that many paths of one folder are not all compared at the same places. */
function withRarestWord(all: readonly Omit<Longer, 'word' | 'offset'>[]): readonly Longer[] {
  const counts = new Map<string, number>()
  for (const { text } of all) for (const { word } of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const rareness = (word: string) => word.length / 1000 - (counts.get(word) ?? 0)
  return all.map((longer) => {
    const [rarest] = wordsOf(longer.text).toSorted((a, b) => rareness(b.word) - rareness(a.word))
    return { ...longer, word: rarest?.word, offset: rarest?.offset ?? 0 }
  })
}

function wordsOf(text: string): readonly { readonly word: string; readonly offset: number }[] {
  const words = [...text.matchAll(wordPattern)].map(({ 0: word, index: offset }) => ({ word, offset }))
  return words.filter(({ word }) => word.length <= maxWord)
}

function foundIn(text: string, { lines, symbols, byWord }: Wanted): ReadonlySet<Occurrences> {
  const found = new Set<Occurrences>()
  if (symbols.size > 0 || byWord.size > 0) {
    for (const { 0: word, index } of text.matchAll(wordPattern)) {
      const symbol = symbols.get(word)
      if (symbol !== undefined) found.add(symbol)
      for (const longer of byWord.get(word) ?? noneLonger) {
        const isNew = !found.has(longer.occurrences)
        if (isNew && holdsAt(longer.kind, text, longer.text, index - longer.offset)) found.add(longer.occurrences)
      }
    }
  }
  for (const longer of byWord.get(undefined) ?? []) if (holds(longer.kind, text, longer.text)) found.add(longer.occurrences)
  if (lines.size > 0) {
    for (const line of text.split('\n')) {
      for (const reading of readingsOf(line)) {
        const occurrences = lines.get(reading)
        if (occurrences !== undefined) found.add(occurrences)
      }
    }
  }
  return found
}

/** Plain text stays in view under every policy. */
const sources = { 'tool-call': 'call', 'tool-result': 'result', reasoning: 'reasoning', text: null, media: null } as const

function keyOf({ class: kind, text }: Use): string {
  return `${kind} ${text}`
}
