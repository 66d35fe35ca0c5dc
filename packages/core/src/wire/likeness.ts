/** What a value looked like when it was read; null when it is too large or deep to be looked over at every request. */
export type Likeness = readonly unknown[] | null

/** Deeper than any dialect nests what it reads. */
const deepest = 12
/** Names and values; a message of some hundred blocks. */
const most = 8000

/** Remembers what a value holds, so that a change made in place can be noticed. */
export function likenessOf(value: unknown): Likeness {
  const seen: unknown[] = []
  return note(value, 0, seen) ? seen : null
}

/** Whether a value still holds what it did. Looks at every name and value, copies nothing. */
export function isLike(value: unknown, likeness: Likeness): boolean {
  return likeness !== null && compare(value, likeness, 0) === likeness.length
}

function note(value: unknown, depth: number, seen: unknown[]): boolean {
  seen.push(value)
  if (typeof value !== 'object' || value === null) return true
  if (depth >= deepest || seen.length > most) return false
  if (Array.isArray(value)) {
    seen.push(value.length)
    return value.every((item) => note(item, depth + 1, seen))
  }
  for (const key in value) {
    seen.push(key)
    if (!note((value as Readonly<Record<string, unknown>>)[key], depth + 1, seen)) return false
  }
  seen.push(end)
  return true
}

/** Walks as `note` did; returns how far it came, or -1 at the first difference. */
function compare(value: unknown, seen: readonly unknown[], start: number): number {
  if (!Object.is(seen[start], value)) return -1
  let at = start + 1
  if (typeof value !== 'object' || value === null) return at
  if (Array.isArray(value)) {
    if (seen[at] !== value.length) return -1
    at += 1
    for (let index = 0; index < value.length && at >= 0; index += 1) at = compare(value[index], seen, at)
    return at
  }
  for (const key in value) {
    if (seen[at] !== key) return -1
    at = compare((value as Readonly<Record<string, unknown>>)[key], seen, at + 1)
    if (at < 0) return -1
  }
  return seen[at] === end ? at + 1 : -1
}

const end = Symbol('end')
