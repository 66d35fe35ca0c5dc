import { isMapping } from '../config/mapping.ts'
import type { Fields } from './log-reader.ts'

/** A field that must be text to count; an empty one says nothing. */
export function textAt(entry: Fields, field: string): string | null {
  const value = entry[field]
  return typeof value === 'string' && value !== '' ? value : null
}

/** A field that must be a mapping to count; otherwise an empty one. */
export function fieldsAt(entry: Fields, field: string): Fields {
  const value = entry[field]
  return isMapping(value) ? value : {}
}

/** A field that must be a list to count; otherwise an empty one. */
export function listAt(entry: Fields, field: string): readonly unknown[] {
  const value = entry[field]
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

/** When something was written: milliseconds, or ISO text, which is UTC where it names no zone. What no date can be is no time. */
export function timeAt(entry: Fields, field: string): { readonly at?: number } {
  const value = entry[field]
  if (typeof value === 'number') return Math.abs(value) <= latestDate ? { at: value } : {}
  if (typeof value !== 'string' || value.length > 40 || !/^\d{4}-\d{2}-\d{2}T/.test(value)) return {}
  const at = Date.parse(/[\d.]$/.test(value) && !/[+-]\d{2}:?\d{2}$/.test(value) ? `${value}Z` : value)
  return Number.isNaN(at) ? {} : { at }
}

/** The last millisecond that a date can stand for. */
const latestDate = 8_640_000_000_000_000
