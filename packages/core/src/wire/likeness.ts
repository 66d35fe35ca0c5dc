/** What a value looked like when it was read, down to the depth a dialect reads. */
export type Likeness = readonly unknown[]

/** From a message through its calls to their arguments, or through its blocks to the text of a result. */
const deepest = 5
/** Beyond so many values a message is taken to be like itself: those are large inputs, which nobody edits in place. */
const most = 400

/** Remembers what a value holds, so that a change made in place can be noticed. */
export function likenessOf(value: unknown): Likeness {
  const seen: unknown[] = []
  note(value, 0, seen)
  return seen
}

/** Whether a value still holds what it did. Looks at every value within reach, copies nothing. */
export function isLike(value: unknown, likeness: Likeness): boolean {
  return compare(value, 0, likeness, 0) >= 0
}

function note(value: unknown, depth: number, seen: unknown[]): void {
  seen.push(value)
  if (typeof value !== 'object' || value === null || depth >= deepest || seen.length > most) return
  if (Array.isArray(value)) {
    seen.push(value.length)
    for (let index = 0; index < value.length && seen.length <= most; index += 1) note(value[index], depth + 1, seen)
    return
  }
  for (const key in value) {
    if (seen.length > most) return
    note((value as Readonly<Record<string, unknown>>)[key], depth + 1, seen)
  }
  seen.push(end)
}

/** Walks as `note` did; returns how far it came, or -1 at the first difference. */
function compare(value: unknown, depth: number, seen: Likeness, start: number): number {
  let at = start
  if (!Object.is(seen[at], value)) return -1
  at += 1
  if (typeof value !== 'object' || value === null || depth >= deepest || at > most) return at
  if (Array.isArray(value)) {
    if (seen[at] !== value.length) return -1
    at += 1
    for (let index = 0; index < value.length && at <= most; index += 1) {
      at = compare(value[index], depth + 1, seen, at)
      if (at < 0) return -1
    }
    return at
  }
  for (const key in value) {
    if (at > most) return at
    at = compare((value as Readonly<Record<string, unknown>>)[key], depth + 1, seen, at)
    if (at < 0) return -1
  }
  return seen[at] === end ? at + 1 : -1
}

const end = Symbol('end')
