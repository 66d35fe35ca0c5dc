/** What came in place of what was expected, short enough for a sentence. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  if (typeof value === 'string') return value.length > 60 ? `${JSON.stringify(value.slice(0, 57))}...` : JSON.stringify(value)
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : `a ${typeof value}`
}
