import { callInput, inputText, type Message, type Part, resultText } from '../message.ts'

/** Paths and identifiers that the folded messages introduced and the kept ones still use, most used first. */
export function sharedNames(folded: readonly Message[], kept: readonly Message[], max: number): readonly string[] {
  const spoken = new Map<string, number>()
  for (const text of textsIn(kept, false))
    for (const name of wordsIn(text)) if (isName(name)) spoken.set(name, (spoken.get(name) ?? 0) + 1)
  const waiting = new Set(spoken.keys())
  const found: string[] = []
  for (const text of textsIn(folded, true)) {
    if (waiting.size === 0) break
    for (const name of wordsIn(text)) if (waiting.delete(name)) found.push(name)
  }
  return found.toSorted((a, b) => (spoken.get(b) as number) - (spoken.get(a) as number)).slice(0, max)
}

function isName(text: string): boolean {
  // Two slashes are the rest of a URL after its protocol.
  return text.length >= 4 && distinctive.test(text) && /[A-Za-z]/.test(text) && !text.startsWith('//') && !time.test(text)
}

function wordsIn(text: string): readonly string[] {
  return (text.match(wide.test(text) ? wideWord : word) ?? []).map((raw) => (edge.test(raw) ? raw.replaceAll(edges, '') : raw))
}

const edge = /^[-@]|[./@-]$/
const edges = /^[-@]{1,120}|[./@-]{1,120}$/g
const word = /[\w$@.\-/~]{4,120}/g
// Names with non-ASCII letters would be split; scripts without spaces still end a name.
const wideWord = /[\w$@.\-/~\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{M}]{4,120}/gu
const wide = /\P{ASCII}/u
// A path, a name with an extension, snake_case, camelCase, or letters with digits.
const distinctive = /[^\s/]\/[^\s/]|\w\.[A-Za-z]\w{0,7}$|[a-zA-Z0-9]_[a-zA-Z0-9]|[a-z][A-Z]|[A-Za-z]-?\d{2}/

// The part of a timestamp before its first colon.
const time = /^\d{4}-\d{2}-\d{2}T\d{2}$/

const maxTextLength = 20_000

function* textsIn(messages: readonly Message[], withResults: boolean): Generator<string> {
  for (const { parts } of messages) {
    for (const part of parts) {
      const text = textOf(part, withResults)
      if (text.length <= maxTextLength) yield text
      else yield* [text.slice(0, maxTextLength / 2), text.slice(-maxTextLength / 2)]
    }
  }
}

function textOf(part: Part, withResults: boolean): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call': {
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
