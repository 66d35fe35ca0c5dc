/** The distinct identifiers of a text that are long enough to mean something, at most so many. */
export function identifiersIn(text: string, most: number): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [name] of text.slice(0, longestRead).matchAll(identifier)) {
    found.add(name)
    if (found.size >= most) break
  }
  return found
}

const identifier = /[A-Za-z_][A-Za-z0-9_]{5,63}/g
const longestRead = 200_000
