import { withEscapedControls } from '@plimsoll/core/text'
import type { RepairKind } from '../strings/english/setup.ts'

/** The JSON objects that a line was repaired to, as texts, and the repairs. */
export interface RepairedLine {
  readonly texts: readonly string[]
  readonly kinds: readonly RepairKind[]
}

export interface LineRules {
  /** Parses a JSON object; undefined if the text is anything else or nests too deep. */
  readonly parse: (text: string) => Readonly<Record<string, unknown>> | undefined
  /** Whether an object is an entry of this log, not a value inside one. */
  readonly isEntry: (value: Readonly<Record<string, unknown>>) => boolean
}

/** Repairs one line of a log. An intact line is returned unchanged. */
export function repairLine(line: string, rules: LineRules): RepairedLine {
  const kinds: RepairKind[] = []
  let text = line
  if (text.startsWith('\ufeff')) {
    text = text.slice(1)
    kinds.push('byte-order-mark')
  }
  if (text.includes('\0')) {
    text = text.replaceAll('\0', '')
    kinds.push('nul-bytes')
  }
  if (!/\S/.test(text)) return { texts: [], kinds }
  if (rules.parse(text) !== undefined) return wellFormed([text], kinds)
  const escaped = withEscapedControls(text)
  if (escaped !== text && rules.parse(escaped) !== undefined) return wellFormed([escaped], [...kinds, 'control-characters'])
  const { texts, isCut } = completeEntries(escaped, rules)
  if (texts.length === 0) return { texts, kinds: ['cut-line'] }
  return wellFormed(texts, [
    ...kinds,
    ...(texts.length > 1 ? (['split-line'] as const) : []),
    ...(isCut ? (['cut-piece'] as const) : []),
  ])
}

function wellFormed(texts: readonly string[], kinds: readonly RepairKind[]): RepairedLine {
  const repaired = texts.map(withoutLoneSurrogates)
  if (repaired.every((text) => text === null)) return { texts, kinds }
  return { texts: texts.map((text, index) => repaired[index] ?? text), kinds: [...kinds, 'lone-surrogates'] }
}

/** Replaces escaped lone surrogates, which providers reject, with U+FFFD; null if there are none. */
export function withoutLoneSurrogates(json: string): string | null {
  const pieces: string[] = []
  let copied = 0
  for (let at = json.indexOf('\\'); at >= 0; at = json.indexOf('\\', at)) {
    const kind = halfAt(json, at)
    if (kind === 'first' && halfAt(json, at + 6) === 'second') at += 12
    else if (kind === null) at += 2
    else {
      pieces.push(json.slice(copied, at), '\\ufffd')
      at += 6
      copied = at
    }
  }
  if (pieces.length === 0) return null
  pieces.push(json.slice(copied))
  return pieces.join('')
}

function halfAt(json: string, at: number): 'first' | 'second' | null {
  if (json[at] !== '\\' || json[at + 1] !== 'u' || (json[at + 2] !== 'd' && json[at + 2] !== 'D')) return null
  const digits = json.slice(at + 2, at + 6)
  if (/^d[89ab][\da-f]{2}$/i.test(digits)) return 'first'
  return /^d[c-f][\da-f]{2}$/i.test(digits) ? 'second' : null
}

/** Limits of the search in a garbled line: failed attempts in a row, and characters scanned in total. */
const maxTries = 100
const maxScanned = 500_000_000

/** The complete entries in a garbled line, as left by a killed writer or by two concurrent writers. */
function completeEntries(text: string, rules: LineRules): { readonly texts: readonly string[]; readonly isCut: boolean } {
  const texts: string[] = []
  let isCut = false
  let scanned = 0
  let tries = 0
  let at = text.indexOf('{')
  if (at > 0 && /\S/.test(text.slice(0, at))) isCut = true
  while (at >= 0 && tries < maxTries && scanned < maxScanned) {
    tries += 1
    const end = endOfObject(text, at)
    scanned += (end < 0 ? text.length : end) - at
    const found = end < 0 ? undefined : rules.parse(text.slice(at, end))
    if (found !== undefined && rules.isEntry(found)) {
      texts.push(text.slice(at, end))
      tries = 0
      const next = text.indexOf('{', end)
      if (/\S/.test(next < 0 ? text.slice(end) : text.slice(end, next))) isCut = true
      at = next
    } else {
      isCut = true
      at = text.indexOf('{"', at + 1)
    }
  }
  return { texts, isCut: isCut || at >= 0 }
}

function endOfObject(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) {
      at += 1
      while (at < text.length && text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1
    } else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return -1
}
