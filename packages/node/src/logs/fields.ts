import type { Message } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { findJsonExcess } from '../files/json-excess.ts'

/** An entry of a log, of which nothing is known but that it is an object. */
export type Fields = Readonly<Record<string, unknown>>

/** When something was written, as messages have it. */
export type Time = Pick<Message, 'at'>

/** The text of a field; null if it is empty or not text. */
export function textAt(entry: Fields, field: string): string | null {
  const value = entry[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** The mapping in a field; an empty one for anything else. */
export function fieldsAt(entry: Fields, field: string): Fields {
  return fieldsOf(entry[field])
}

export function fieldsOf(value: unknown): Fields {
  return isRecord(value) ? value : {}
}

/** The list in a field; an empty one for anything else. */
export function listAt(entry: Fields, field: string): readonly unknown[] {
  const value = entry[field]
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** The time in a field: milliseconds, or ISO text, which is UTC if it names no zone. Numbers that cannot be a date do not count. */
export function timeAt(entry: Fields, field: string): Time {
  const value = entry[field]
  if (typeof value === 'number') return Math.abs(value) <= latestDate ? { at: value } : {}
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return {}
  const at = Date.parse(/[\d.]$/.test(value) && !/[+-]\d{2}:?\d{2}$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(at) ? {} : { at }
}

const latestDate = 8_640_000_000_000_000

/** The mapping that a log holds as JSON text; an empty one for anything else. */
export function parseFields(text: string): Fields {
  if (!text.trimStart().startsWith('{') || findJsonExcess(text, { depth: 200, values: 1_000_000 }) !== null) return {}
  return fieldsOf(parseJson(text))
}
