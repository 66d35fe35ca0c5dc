import type { Message, Part } from '@plimsoll/core'
import type { Supplier } from './need.ts'
import { holds, readingsOf, wordPattern } from './need-match.ts'
import { partText } from './need-texts.ts'
import type { Use } from './need-uses.ts'

/** Where a string stands in the messages of a segment. */
export interface Occurrences {
  /** The first message that anybody spoke it in. */
  spoken: number
  /** The results and calls that hold it, oldest first. */
  readonly places: Place[]
}

/** A result or a call, and the place of its message. */
export interface Place {
  readonly index: number
  readonly supplier: Supplier
}

/** Finds all places of many strings in one pass over the messages: by line, by word, and what is longer by its longest word. */
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

const none: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
/** No name is longer, and blobs are. */
const longestWord = 200

interface Wanted {
  readonly all: Map<string, Occurrences>
  readonly lines: Map<string, Occurrences>
  readonly symbols: Map<string, Occurrences>
  /** Strings that hold a word, to be looked for where the word is. */
  readonly byWord: Map<string, Longer[]>
  /** Strings without one. */
  readonly wordless: Longer[]
}

interface Longer {
  readonly use: Use
  readonly occurrences: Occurrences
}

function collect(uses: Iterable<Use>): Wanted {
  const wanted: Wanted = { all: new Map(), lines: new Map(), symbols: new Map(), byWord: new Map(), wordless: [] }
  for (const use of uses) {
    const key = keyOf(use)
    if (wanted.all.has(key)) continue
    const occurrences: Occurrences = { spoken: Number.POSITIVE_INFINITY, places: [] }
    wanted.all.set(key, occurrences)
    if (use.class === 'edit-anchor') wanted.lines.set(use.text, occurrences)
    else if (use.class === 'symbol') wanted.symbols.set(use.text, occurrences)
    else addLonger(wanted, { use, occurrences })
  }
  return wanted
}

function addLonger({ byWord, wordless }: Wanted, longer: Longer): void {
  let word = ''
  for (const [each] of longer.use.text.matchAll(wordPattern)) {
    if (each.length > word.length && each.length <= longestWord) word = each
  }
  const others = byWord.get(word)
  if (word === '') wordless.push(longer)
  else if (others === undefined) byWord.set(word, [longer])
  else others.push(longer)
}

function foundIn(text: string, { lines, symbols, byWord, wordless }: Wanted): ReadonlySet<Occurrences> {
  const found = new Set<Occurrences>()
  if (symbols.size > 0 || byWord.size > 0) {
    const asked = new Set<string>()
    for (const [word] of text.matchAll(wordPattern)) {
      if (word.length > longestWord) continue
      const symbol = symbols.get(word)
      if (symbol !== undefined) found.add(symbol)
      const longer = byWord.get(word)
      if (longer === undefined || asked.has(word)) continue
      asked.add(word)
      for (const { use, occurrences } of longer) if (holds(use.class, text, use.text)) found.add(occurrences)
    }
  }
  for (const { use, occurrences } of wordless) if (holds(use.class, text, use.text)) found.add(occurrences)
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
  if (part.type !== 'tool-call' && part.type !== 'tool-result') return null
  const from = part.type === 'tool-call' ? 'call' : 'result'
  return { index, supplier: { message: message.id, part: partIndex, from } }
}

function keyOf({ class: kind, text }: Use): string {
  return `${kind} ${text}`
}
