import type { JsonExpectation } from '../strings/english/command.ts'
import type { JsonFault } from './problem.ts'

interface Stop {
  readonly at: number
  readonly expected: JsonExpectation
}

/** Finds where a text stops being JSON, which the engine's error does not always say; null if it is JSON. */
export function findJsonFault(text: string): JsonFault | null {
  const stop = scan(text)
  return stop === null ? null : locate(text, stop)
}

function scan(text: string): Stop | null {
  const open: ('{' | '[')[] = []
  let at = skipSpace(text, 0)
  for (;;) {
    const first = text[at]
    if (first === '{' || first === '[') {
      const next = skipSpace(text, at + 1)
      if (text[next] === (first === '{' ? '}' : ']')) {
        at = next + 1
      } else {
        open.push(first)
        const begun = first === '{' ? readKey(text, next) : next
        if (typeof begun !== 'number') return begun
        at = begun
        continue
      }
    } else {
      const end = readScalar(text, at)
      if (typeof end !== 'number') return end
      at = end
    }
    // A value has ended: close what it closes, or continue with the next one.
    for (;;) {
      at = skipSpace(text, at)
      const within = open.at(-1)
      if (within === undefined) return at === text.length ? null : { at, expected: 'end' }
      if (text[at] === ',') break
      if (text[at] !== (within === '{' ? '}' : ']'))
        return { at, expected: within === '{' ? 'comma-or-brace' : 'comma-or-bracket' }
      open.pop()
      at += 1
    }
    at = skipSpace(text, at + 1)
    if (open.at(-1) === '{') {
      const begun = readKey(text, at)
      if (typeof begun !== 'number') return begun
      at = begun
    }
  }
}

function readKey(text: string, at: number): number | Stop {
  if (text[at] !== '"') return { at, expected: 'key' }
  const end = readString(text, at)
  if (typeof end !== 'number') return end
  const colon = skipSpace(text, end)
  return text[colon] === ':' ? skipSpace(text, colon + 1) : { at: colon, expected: 'colon' }
}

function readScalar(text: string, at: number): number | Stop {
  if (text[at] === '"') return readString(text, at)
  const word = ['true', 'false', 'null'].find((known) => text.startsWith(known, at))
  if (word !== undefined) return at + word.length
  return text[at] === '-' || isDigit(text, at) ? readNumber(text, at) : { at, expected: 'value' }
}

function readString(text: string, at: number): number | Stop {
  for (let index = at + 1; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code === 0x22) return index + 1
    if (code < 0x20) return { at: index, expected: 'printable' }
    if (code !== 0x5c) continue
    index += 1
    if (text[index] === 'u' && /^[0-9a-fA-F]{4}$/.test(text.slice(index + 1, index + 5))) index += 4
    else if (!'"\\/bfnrt'.includes(text[index] ?? '?')) return { at: index, expected: index < text.length ? 'escape' : 'quote' }
  }
  return { at: text.length, expected: 'quote' }
}

function readNumber(text: string, start: number): number | Stop {
  let at = text[start] === '-' ? start + 1 : start
  if (!isDigit(text, at)) return { at, expected: 'digit' }
  at = text[at] === '0' ? at + 1 : skipDigits(text, at)
  if (text[at] === '.') {
    if (!isDigit(text, at + 1)) return { at: at + 1, expected: 'digit' }
    at = skipDigits(text, at + 1)
  }
  if (text[at] === 'e' || text[at] === 'E') {
    at += text[at + 1] === '+' || text[at + 1] === '-' ? 2 : 1
    if (!isDigit(text, at)) return { at, expected: 'digit' }
    at = skipDigits(text, at)
  }
  return at
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0x30 && code <= 0x39
}

function skipDigits(text: string, from: number): number {
  let at = from
  while (isDigit(text, at)) at += 1
  return at
}

function skipSpace(text: string, from: number): number {
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at
    at += 1
  }
}

function locate(text: string, { at, expected }: Stop): JsonFault {
  let line = 1
  let start = 0
  for (let next = text.indexOf('\n'); next >= 0 && next < at; next = text.indexOf('\n', next + 1)) {
    line += 1
    start = next + 1
  }
  const point = text.codePointAt(at)
  return { line, column: at - start + 1, expected, came: point === undefined ? null : String.fromCodePoint(point) }
}
