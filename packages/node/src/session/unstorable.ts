/** What keeps a value from coming back as it was given. */
export interface Unstorable {
  /** Where and what it is; null when nothing is. */
  readonly fault: string | null
  /** Whether a number is zero below zero, whose sign JSON is not asked to write down by itself. */
  readonly hasNegativeZero: boolean
}

/** More levels than any file may have that messages are read from. */
const mostLevels = 1200

/** Nobody looks for bytes deeper inside. */
const mostLevelsOfBytes = 400

/** What is shared many times over at every level grows without end once it is written out. */
const mostValues = 20_000_000

/**
 * Looks for what JSON would change in silence or cannot write: numbers that are none, things that are neither data nor bytes, and
 * nesting without end. A field without a value is as good as no field.
 */
export function unstorable(entry: object): Unstorable {
  let hasNegativeZero = false
  let count = 0
  const waiting: Place[] = [{ value: entry, key: '', level: 0, inside: null }]
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const { value, level } = place
    count += 1
    const fault = count > mostValues ? 'more values than can be counted' : faultOf(value, level, place.inside)
    if (fault !== null) return { fault: `${nameOf(place)} is ${fault}`, hasNegativeZero }
    hasNegativeZero ||= Object.is(value, -0)
    if (typeof value !== 'object' || value === null || value instanceof Uint8Array) continue
    if (Array.isArray(value)) {
      for (let key = value.length - 1; key >= 0; key -= 1) {
        waiting.push({ value: value[key], key, level: level + 1, inside: place })
      }
    } else {
      for (const key of Object.keys(value)) {
        waiting.push({ value: (value as Record<string, unknown>)[key], key, level: level + 1, inside: place })
      }
    }
  }
  return { fault: null, hasNegativeZero }
}

/** The same value in a form in which JSON writes the sign of zero, too. */
export function withNegativeZeros(value: unknown): unknown {
  if (Object.is(value, -0)) return (JSON as unknown as { readonly rawJSON: (text: string) => unknown }).rawJSON('-0')
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(withNegativeZeros)
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, withNegativeZeros(child)]))
}

interface Place {
  readonly value: unknown
  readonly key: string | number
  readonly level: number
  readonly inside: Place | null
}

function faultOf(value: unknown, level: number, inside: Place | null): string | null {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return null
    case 'undefined':
      return Array.isArray(inside?.value) ? 'undefined' : null
    case 'number':
      return Number.isFinite(value) ? null : `${value}, which JSON has no number for`
    case 'object':
      return value === null ? null : faultOfObject(value, level)
    case 'bigint':
    case 'function':
    case 'symbol':
      return `a ${typeof value}`
  }
}

function faultOfObject(value: object, level: number): string | null {
  if (level > mostLevels) return `nested more than ${mostLevels} levels deep, or in a circle`
  if (value instanceof Uint8Array) return level > mostLevelsOfBytes ? `bytes more than ${mostLevelsOfBytes} levels deep` : null
  if (Array.isArray(value)) return null
  const prototype: unknown = Object.getPrototypeOf(value)
  // Whatever realm it is from, what stands above a plain object has nothing above it.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return `an object of its own kind (${kindOf(value)})`
  return typeof (value as { readonly toJSON?: unknown }).toJSON === 'function' ? 'an object that writes itself' : null
}

function kindOf(value: object): string {
  return Object.prototype.toString.call(value).slice(8, -1).slice(0, 40)
}

/** The way to a place, as far as it can be read. */
function nameOf(place: Place): string {
  const keys: (string | number)[] = []
  for (let at: Place | null = place; at?.inside != null; at = at.inside) keys.push(at.key)
  const shown = keys
    .reverse()
    .slice(0, 8)
    .map((key) => (typeof key === 'number' ? `[${key}]` : `.${key.slice(0, 40)}`))
  return `${shown.join('').replace(/^\./, '')}${keys.length > 8 ? '…' : ''}`
}
