import { callInput, inputText, type Message, type Part, resultText } from '../message.ts'

/** Paths and identifiers that the folded messages introduced and the kept ones still use, the most used first. */
export function sharedNames(folded: readonly Message[], kept: readonly Message[], most: number): readonly string[] {
  const spoken = new Map<string, number>()
  for (const text of textsIn(kept, false))
    for (const name of wordsIn(text)) if (isName(name)) spoken.set(name, (spoken.get(name) ?? 0) + 1)
  const waiting = new Set(spoken.keys())
  const found: string[] = []
  for (const text of textsIn(folded, true)) {
    if (waiting.size === 0) break
    for (const name of wordsIn(text)) if (waiting.delete(name)) found.push(name)
  }
  return found.toSorted((a, b) => (spoken.get(b) as number) - (spoken.get(a) as number)).slice(0, most)
}

function isName(text: string): boolean {
  // Two strokes are what is left of an address behind its protocol.
  return text.length >= 4 && distinctive.test(text) && /[A-Za-z]/.test(text) && !text.startsWith('//') && !time.test(text)
}

function wordsIn(text: string): readonly string[] {
  return (text.match(wide.test(text) ? wideWord : word) ?? []).map((raw) => (edge.test(raw) ? raw.replaceAll(edges, '') : raw))
}

const edge = /^[-@]|[./@-]$/
const edges = /^[-@]+|[./@-]+$/g
const word = /[\w$@.\-/~]{4,120}/g
// Where letters are no ASCII, a name would be cut in two at each of them; scripts without blanks between words still end one.
const wideWord = /[\w$@.\-/~\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]{4,120}/gu
const wide = /\P{ASCII}/u
// A path, a name with an extension, snake_case, camelCase, or letters with digits.
const distinctive = /[^\s/]\/[^\s/]|\w\.[A-Za-z]\w{0,7}$|[a-zA-Z0-9]_[a-zA-Z0-9]|[a-z][A-Z]|[A-Za-z]-?\d{2}/

// What stands before the first colon of a time: a day, and the hour.
const time = /^\d{4}-\d{2}-\d{2}T\d{2}$/

const longestText = 20_000

function* textsIn(messages: readonly Message[], withResults: boolean): Generator<string> {
  for (const { parts } of messages) {
    for (const part of parts) {
      const text = textOf(part, withResults)
      if (text.length <= longestText) yield text
      else yield* [text.slice(0, longestText / 2), text.slice(-longestText / 2)]
    }
  }
}

function textOf(part: Part, withResults: boolean): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call': {
      // Without the names of its arguments.
      const input = callInput(part)
      if (input === null) return inputText(part)
      return Object.values(input)
        .filter((value) => typeof value === 'string')
        .join('\n')
    }
    case 'tool-result':
      return withResults ? resultText(part) : ''
    case 'reasoning':
    case 'media':
      return ''
  }
}
