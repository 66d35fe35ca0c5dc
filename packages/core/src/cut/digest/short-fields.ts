import type { DigestFields } from '../../facts.ts'
import { isRecord } from '../../message.ts'
import { jsonText } from '../../text/json-text.ts'
import { clip, lineWidth } from './clip.ts'

/** How much of a value is shown. */
export interface Shape {
  /** Items of each list. */
  readonly items: number
  /** What is shown of a text. Default: its head and tail, as much as fits a line. */
  readonly text?: (text: string) => string
}

/**
 * Data with its long parts cut: texts clipped, of each list the first items and under `<name>_total` how many there are. Numbers
 * and flags stay. Cutting a second time changes nothing.
 */
export function shortFields(fields: DigestFields, shape: Shape, depth = 0): DigestFields {
  const entries: [string, unknown][] = []
  for (const key of Object.keys(fields).slice(0, mostFields)) {
    const value = fields[key]
    entries.push([key, shortValue(value, shape, depth)])
    const total = `${key}_total`
    if (Array.isArray(value) && value.length > shape.items && !Object.hasOwn(fields, total)) entries.push([total, value.length])
  }
  return Object.fromEntries(entries)
}

const mostFields = 40
/** Deeper than this, a value is shown as the beginning and end of its JSON. */
const mostLevels = 3

function shortValue(value: unknown, shape: Shape, depth: number): unknown {
  if (typeof value === 'string') return (shape.text ?? clipText)(value)
  if (typeof value !== 'object' || value === null) return value
  if (depth >= mostLevels) {
    const text = jsonText(value)
    return text.length <= lineWidth ? value : clip(text, lineWidth)
  }
  if (Array.isArray(value)) return value.slice(0, shape.items).map((item) => shortValue(item, shape, depth + 1))
  return isRecord(value) ? shortFields(value, shape, depth + 1) : value
}

function clipText(text: string): string {
  return clip(text, lineWidth)
}
