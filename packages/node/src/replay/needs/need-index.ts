import type { Message, Part } from '@plimsoll/core'
import { partText } from './call-texts.ts'
import type { NeedClass, Supplier } from './need.ts'
import { holds, holdsAt, readingsOf, wordPattern } from './need-match.ts'
import type { Use } from './need-uses.ts'

/** Where a string stands in the messages of a segment. */
export interface Occurrences {
  /** The first message that anybody spoke it in. */
  spoken: number
  /** The results, calls and thoughts that hold it, oldest first. */
  readonly places: Place[]
}

/** A result, a call or a thought, and the place of its message. */
export interface Place {
  readonly index: number
  readonly supplier: Supplier
}

/** Finds all places of many strings in one pass over the messages: by line, by word, and what is longer by its rarest word. */
export function findOccurrences(messages: readonly Message[], uses: Iterable<Use>): (use: Use) => Occurrences {
  const wanted = collect(uses)
  for (const [index, message] of messages.entries()) {
    for (const [partIndex, part] of message.parts.entries()) {
      const text = partText(part)
      if (text === '') continue
      const place = placeOf(part, message, index, partIndex)
      for (const found of foundIn(text, wanted)) {
        if (place !== null) found.places.push(place)
        else found.spoken = Math.min(found.spoken, index)
      }
    }
  }
  return (use) => wanted.all.get(keyOf(use)) ?? none
}

const noneLonger: readonly Placed[] = []
const none: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
/** No name is longer, and blobs are. */
const longestWord = 200

interface Wanted {
  readonly all: Map<string, Occurrences>
  readonly lines: Map<string, Occurrences>
  readonly symbols: Map<string, Occurrences>
  /** Strings that hold a word, to be looked for where the word is. */
  readonly byWord: Map<string, Placed[]>
  /** Strings without one. */
  readonly wordless: Longer[]
}

interface Longer {
  readonly kind: Exclude<NeedClass, 'edit-anchor'>
  readonly text: string
  readonly occurrences: Occurrences
}

/** Where in the string its word stands. */
interface Placed extends Longer {
  readonly offset: number
}

function collect(uses: Iterable<Use>): Wanted {
  const wanted: Wanted = { all: new Map(), lines: new Map(), symbols: new Map(), byWord: new Map(), wordless: [] }
  const longer: Longer[] = []
  for (const use of uses) {
    const key = keyOf(use)
    if (wanted.all.has(key)) continue
    const occurrences: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
    wanted.all.set(key, occurrences)
    if (use.class === 'edit-anchor') wanted.lines.set(use.text, occurrences)
    else if (use.class === 'symbol') wanted.symbols.set(use.text, occurrences)
    else longer.push({ kind: use.class, text: use.text, occurrences })
  }
  addLonger(wanted, longer)
  return wanted
}

/** Puts each under the word that the fewest others have, so that many paths of one folder are not all looked for at once. */
function addLonger({ byWord, wordless }: Wanted, all: readonly Longer[]): void {
  const counts = new Map<string, number>()
  for (const { text } of all) for (const { word } of wordsOf(text)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const rareness = (word: string) => word.length / 1000 - (counts.get(word) ?? 0)
  for (const longer of all) {
    const [rarest] = wordsOf(longer.text).toSorted((a, b) => rareness(b.word) - rareness(a.word))
    if (rarest === undefined) {
      wordless.push(longer)
      continue
    }
    const placed = { ...longer, offset: rarest.offset }
    const others = byWord.get(rarest.word)
    if (others === undefined) byWord.set(rarest.word, [placed])
    else others.push(placed)
  }
}

function wordsOf(text: string): readonly { readonly word: string; readonly offset: number }[] {
  return [...text.matchAll(wordPattern)].flatMap(({ 0: word, index: offset }) =>
    word.length <= longestWord ? [{ word, offset }] : [],
  )
}

function foundIn(text: string, { lines, symbols, byWord, wordless }: Wanted): ReadonlySet<Occurrences> {
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
  for (const longer of wordless) if (holds(longer.kind, text, longer.text)) found.add(longer.occurrences)
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

function placeOf(part: Part, message: Message, index: number, partIndex: number): Place | null {
  const from = sources[part.type]
  return from === null ? null : { index, supplier: { message: message.id, part: partIndex, from } }
}

/** What was said aloud stays in view whatever a policy does. */
const sources = { 'tool-call': 'call', 'tool-result': 'result', reasoning: 'thought', text: null, media: null } as const

function keyOf({ class: kind, text }: Use): string {
  return `${kind} ${text}`
}
