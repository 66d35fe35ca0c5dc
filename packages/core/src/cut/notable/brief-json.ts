import { endOfString, parseJson } from '../../text/json.ts'
import { grouped } from '../../text/lines.ts'
import { compactJson, shortString } from './compact-json.ts'
import { partsOf, valueStart } from './json-lists.ts'
import { isFailureValue } from './notable-records.ts'

export interface Brief {
  /** Cuts a list of like records better than by its first ones; null for other lists. */
  readonly cutList: (list: string, max: number) => string | null
  /** Paths of the fields that make a record differ from others, which come first. */
  readonly differs?: readonly string[]
  readonly path?: string
}

/**
 * JSON in at most `max` characters, if it can be: of an object first the fields that say what failed, then those that name it, then short ones; of a list what fits of
 * its items. What is omitted is counted. Numbers keep all their digits.
 */
export function briefJson(json: string, max: number, brief: Brief): string {
  const compact = compactJson(json, max)
  if (compact.length <= max) return compact
  switch (json.charAt(0)) {
    case '{':
      return briefObject(json, max, brief)
    case '[':
      return brief.cutList(json, max) ?? briefList(json, max, brief)
    case '"':
      return shortString(json, Math.max(10, max - 30))
    default:
      return json
  }
}

function briefObject(json: string, max: number, brief: Brief): string {
  const fields = partsOf(json).map(([start, end], index) => {
    const at = valueStart(json, start)
    const [key, value] = [json.slice(start, endOfString(json, start) + 1), json.slice(at, end)]
    const path = brief.path === undefined ? key.slice(1, -1) : `${brief.path}.${key.slice(1, -1)}`
    return { index, key, value, path, weight: weightOf(key.slice(1, -1), value, isAt(path, brief.differs)) }
  })
  let left = max - restOf(fields.length).length - 3
  const shown = new Map<number, string>()
  const ordered = fields.toSorted((one, other) => one.weight - other.weight || one.value.length - other.value.length)
  for (const { index, key, value, path, weight } of ordered) {
    const room = Math.min(left - key.length - 2, weight % 2 === 0 ? left * 0.8 : maxNamed)
    if (room < 1) continue
    const part = briefJson(value, Math.floor(room), { ...brief, path })
    const written = `${key}:${part}`
    if (written.length + 1 > left || part.startsWith(nothingKept)) continue
    left -= written.length + 1
    shown.set(index, written)
  }
  // A record that only shows what all others have too says nothing.
  const least = Math.min(2, ...fields.map(({ weight }) => weight))
  if (brief.path === undefined && !fields.some(({ index, weight }) => weight <= least && shown.has(index))) shown.clear()
  const kept = [...shown].toSorted(([one], [other]) => one - other).map(([, text]) => text)
  return `{${[...kept, ...(kept.length < fields.length ? [restOf(fields.length - kept.length)] : [])].join(',')}}`
}

const maxNamed = 160

/** An object of which no field fits begins so. */
export const nothingKept = '{"...":'

function isAt(path: string, differs: Brief['differs']): boolean {
  return differs !== undefined && differs.some((one) => one === path || one.startsWith(`${path}.`) || one.startsWith(`${path}[`))
}

function restOf(count: number): string {
  return `"...":"${grouped(count)} ${count === 1 ? 'field' : 'fields'} omitted"`
}

/** In one word what failed; what names it; what differs and more of what failed; what else may name it; the rest. */
function weightOf(key: string, value: string, differs: boolean): 0 | 1 | 2 | 3 | 4 {
  const isPart = value[0] === '{' || value[0] === '['
  const isFailing = isPart ? isFailingPart(value) : isFailureValue(key, parseJson(value))
  if (isFailing && !isPart && value.length <= maxWord) return 0
  if (naming.test(key)) return 1
  if (isFailing || differs) return 2
  return describing.test(key) ? 3 : 4
}

const maxWord = 40

/** Whether a text in a list or object says that something failed. */
function isFailingPart(json: string): boolean {
  let key = ''
  let at = json.indexOf('"')
  for (let tries = 0; at !== -1 && tries < maxTexts; tries += 1) {
    const end = Math.min(json.length, endOfString(json, at) + 1)
    const isKey = /^\s{0,9}:/.test(json.slice(end, end + 10))
    if (isKey) key = json.slice(at + 1, end - 1)
    else {
      const text = parseJson(end - at > maxText ? `${json.slice(at, at + maxText)}"` : json.slice(at, end))
      if (typeof text === 'string' && isFailureValue(key, text)) return true
    }
    at = json.indexOf('"', end)
  }
  return false
}

const maxTexts = 2000
const maxText = 2000
const naming = /^(?:(?:full_?)?(?:name|title)|_?id|key|test|path|file\w*|uri|code|rule\w*|message-id)$/i
const describing = /^(?:\w*name|\w*title|url|status|state|level|line|message|msg)$/i

/** Items that say what failed come before others. */
function briefList(json: string, max: number, brief: Brief): string {
  const items = partsOf(json).map(([start, end], index) => ({ index, item: json.slice(start, end) }))
  const gap = (count: number) => `"... ${grouped(count)} items omitted ..."`
  const gapLength = gap(items.length).length + 1
  let left = max - gapLength - 2
  const shown = new Map<number, string>()
  const failing = items.filter(({ item }) => isFailingPart(item))
  for (const { index, item } of [...failing, ...items]) {
    if (shown.has(index) || left < 2) continue
    const written = briefJson(item, Math.floor(left / Math.min(2, failing.length || 2)), brief)
    const besides = Number(index === 0 || shown.has(index - 1)) + Number(index === items.length - 1 || shown.has(index + 1))
    const size = written.length + 1 + gapLength * (1 - besides)
    if (size > left || written.startsWith(nothingKept)) continue
    left -= size
    shown.set(index, written)
  }
  const pieces: string[] = []
  let next = 0
  for (const [index, written] of [...shown].toSorted(([one], [other]) => one - other)) {
    if (index > next) pieces.push(gap(index - next))
    pieces.push(written)
    next = index + 1
  }
  return `[${[...pieces, ...(next < items.length ? [gap(items.length - next)] : [])].join(',')}]`
}

/** A part of a JSON text in which brackets may be open: over `max`, the values that are complete in it are made brief. */
export function briefBeside(fragment: string, max: number, brief: Brief): string {
  const compact = compactJson(fragment, max)
  if (compact.length <= max) return compact
  const values = valuesIn(fragment)
  const inside = values.reduce((sum, [start, end]) => sum + end - start, 0)
  const room = Math.max(max / 2, max - (fragment.length - inside))
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of values) {
    const share = Math.max(minBeside, Math.floor((room * (end - start)) / inside))
    pieces.push(compactJson(fragment.slice(at, start), max), briefJson(fragment.slice(start, end), share, brief))
    at = end
  }
  return pieces.join('') + compactJson(fragment.slice(at), max)
}

const minBeside = 40

/** The outermost lists and objects that are complete. */
function valuesIn(fragment: string): readonly (readonly [start: number, end: number])[] {
  const open: number[] = []
  const found: (readonly [number, number])[] = []
  for (let at = 0; at < fragment.length; at += 1) {
    const code = fragment.charCodeAt(at)
    if (code === 0x22) at = endOfString(fragment, at)
    else if (code === 0x7b || code === 0x5b) open.push(at)
    else if (code === 0x7d || code === 0x5d) {
      const start = open.pop()
      if (start === undefined) continue
      while (found.length > 0 && (found.at(-1) as readonly [number, number])[0] > start) found.pop()
      found.push([start, at + 1])
    }
  }
  return found
}
