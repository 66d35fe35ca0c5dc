import { grouped } from '../../text/lines.ts'
import type { ListedRecord } from './read-records.ts'

/** The children of one element as records, if they are alike and most of the text: the cases of a test report, the rows of a table. Empty for other texts. Linear. */
export function readXml(text: string): readonly ListedRecord[] {
  if (!/^\s{0,99}<[?!A-Za-z]/.test(text.slice(0, 200))) return []
  const open: Open[] = []
  let best: Open | null = null
  for (let at = text.indexOf('<'); at !== -1; ) {
    const end = endOfTag(text, at)
    if (end === -1) break
    const next = text.charCodeAt(at + 1)
    if (next === slash) {
      const name = nameAt(text, at + 2)
      const place = open.findLastIndex((one) => one.name === name)
      // Tags such as <br> are never closed.
      const closed = place === -1 ? undefined : open.splice(place)[0]
      if (closed !== undefined) {
        if (isBetter(closed, best, text)) best = closed
        open.at(-1)?.children.push({ name: closed.name, start: closed.start, end })
      }
    } else if (isLetter(next)) {
      const name = nameAt(text, at + 1)
      if (text.charCodeAt(end - 2) === slash) open.at(-1)?.children.push({ name, start: at, end })
      else open.push({ name, start: at, end: text.length, children: [] })
      if (open.length > maxDepth) return []
    }
    at = text.indexOf('<', end)
  }
  return best === null ? [] : best.children.map(({ start, end }) => ({ start, end, fields: fieldsOf(text.slice(start, end)) }))
}

interface Element {
  readonly name: string
  readonly start: number
  readonly end: number
}

interface Open extends Element {
  readonly children: Element[]
}

const maxDepth = 100
const minRecords = 6
const slash = 0x2f

/** Nearly all children have one name, they take half of the text, and more of it than those found before. */
function isBetter({ children }: Open, best: Open | null, { length }: string): boolean {
  const [first, last] = [children[0], children.at(-1)]
  if (first === undefined || last === undefined || children.length < minRecords) return false
  const size = last.end - first.start
  if (size * 2 < length || (best !== null && best.children.length >= children.length)) return false
  const counts = new Map<string, number>()
  for (const { name } of children) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts.values()].some((count) => count * 10 >= children.length * 9)
}

function endOfTag(text: string, start: number): number {
  for (const [begin, end] of sections) {
    if (!text.startsWith(begin, start)) continue
    const found = text.indexOf(end, start + begin.length)
    return found === -1 ? -1 : found + end.length
  }
  let quote = 0
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (quote !== 0) {
      if (code === quote) quote = 0
    } else if (code === 0x22 || code === 0x27) quote = code
    else if (code === 0x3e) return at + 1
  }
  return -1
}

const sections = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
] as const

function nameAt(text: string, start: number): string {
  return /^[\w:.-]{1,80}/.exec(text.slice(start, start + 80))?.[0] ?? ''
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** Attributes and texts by the names of their elements, as `failure.message`. */
function fieldsOf(element: string): ListedRecord['fields'] {
  const fields = new Map<string, unknown>()
  const path: string[] = []
  const set = (name: string, value: string) => {
    const key = [...path.slice(1), name].filter((one) => one !== '').join('.')
    if (fields.size < maxFields && !fields.has(key)) fields.set(key, numberOr(value.trim()))
  }
  for (let at = element.indexOf('<'); at !== -1; ) {
    const end = endOfTag(element, at)
    if (end === -1) break
    const tag = element.slice(at, Math.min(end, at + maxTag))
    if (element.charCodeAt(at + 1) === slash) path.pop()
    else if (isLetter(element.charCodeAt(at + 1))) {
      path.push(nameAt(element, at + 1))
      set('', '')
      for (const [, name = '', one, other] of tag.matchAll(
        /\s([\w:.-]{1,60})\s{0,9}=\s{0,9}(?:"([^"]{0,2000})"|'([^']{0,2000})')/g,
      ))
        set(name, one ?? other ?? '')
      if (element.charCodeAt(end - 2) === slash) path.pop()
    }
    at = element.indexOf('<', end)
    const inside = element.slice(end, at === -1 ? undefined : Math.min(at, end + maxText)).trim()
    if (inside !== '' && path.length > 0) set('text', inside)
  }
  return fields
}

const maxFields = 60
const maxTag = 4000
const maxText = 2000

function numberOr(value: string): unknown {
  return /^-?\d{1,15}(?:\.\d{1,15})?$/.test(value) ? Number(value) : value
}

/** An element in about `max` characters: long texts in it are shortened, and behind that the number of characters omitted is said. Tags stay, while they fit. */
export function briefXml(element: string, max: number): string {
  if (element.length <= max) return element
  for (let most = 200; most >= 20; most = Math.floor(most / 2)) {
    const short = withTexts(element, most)
    if (short.length <= max) return short
  }
  return withTexts(element, 20)
}

function withTexts(element: string, most: number): string {
  const pieces: string[] = []
  let at = element.indexOf('<')
  while (at !== -1) {
    const end = endOfTag(element, at)
    if (end === -1) break
    pieces.push(element.slice(at, end))
    at = element.indexOf('<', end)
    const inside = element.slice(end, at === -1 ? element.length : at)
    // A part of an entity is none.
    const start = inside.slice(0, most).replace(/&[^;]{0,9}$/, '').toWellFormed() // biome-ignore format: one line
    pieces.push(inside.length <= most + 30 ? inside : `${start}... (${grouped(inside.length - start.length)} characters more)`)
  }
  return pieces.join('')
}
