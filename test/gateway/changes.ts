/** A string of a request that was changed on its way. */
export interface Change {
  readonly path: string
  readonly was: string
  readonly is: string
}

/** The strings in which two JSON values differ. Throws if anything else differs: a number, a key, the order, a length. */
export function changes(before: unknown, after: unknown, path = ''): readonly Change[] {
  if (before === after) return []
  if (typeof before === 'string' && typeof after === 'string') return [{ path, was: before, is: after }]
  if (!isNested(before) || !isNested(after) || Array.isArray(before) !== Array.isArray(after))
    throw new Error(`differs at ${path}`)
  const [keys, others] = [Object.keys(before), Object.keys(after)]
  if (keys.join('\n') !== others.join('\n')) throw new Error(`different keys at ${path}`)
  return keys.flatMap((key) => changes(before[key], after[key], `${path}/${key}`))
}

function isNested(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
