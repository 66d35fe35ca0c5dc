/** A string of a request that became another one on its way. */
export interface Change {
  readonly path: string
  readonly was: string
  readonly is: string
}

/** The strings in which two JSON values differ. Throws where anything else does: a number, a key, an order, a count. */
export function changes(before: unknown, after: unknown, path = ''): readonly Change[] {
  if (before === after) return []
  if (typeof before === 'string' && typeof after === 'string') return [{ path, was: before, is: after }]
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after))
    throw new Error(`differs at ${path}`)
  const [keys, others] = [Object.keys(before), Object.keys(after)]
  if (keys.join('\n') !== others.join('\n')) throw new Error(`other keys at ${path}`)
  return keys.flatMap((key) => changes(before[key], after[key], `${path}/${key}`))
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
