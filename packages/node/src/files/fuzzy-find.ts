/** The names that a query may mean, best first: its letters in order, rather together, rather at the beginning of words. */
export function fuzzyFind(names: readonly string[], query: string, most: number): readonly string[] {
  if (query === '') return names.slice(0, most)
  const wanted = query.toLowerCase()
  const found: { readonly name: string; readonly score: number }[] = []
  for (const name of names) {
    const score = fuzzyScore(name, wanted)
    if (score !== null) found.push({ name, score })
  }
  return found
    .sort((one, other) => other.score - one.score || one.name.length - other.name.length || (one.name < other.name ? -1 : 1))
    .slice(0, most)
    .map(({ name }) => name)
}

/** Null where the letters are not there in order. */
function fuzzyScore(name: string, wanted: string): number | null {
  const lower = name.toLowerCase()
  const base = lower.lastIndexOf('/') + 1
  const whole = lower.indexOf(wanted, base)
  if (whole >= 0) return 1000 - (whole - base) + (whole === base ? 100 : 0)
  const inside = lower.indexOf(wanted)
  if (inside >= 0) return 500 - Math.min(100, inside)
  let at = -1
  let score = 0
  for (const letter of wanted) {
    const next = lower.indexOf(letter, at + 1)
    if (next < 0) return null
    const isStart = next === 0 || /[/._\- ]/.test(lower[next - 1] ?? '')
    score += next === at + 1 ? 5 : isStart ? 4 : 1
    at = next
  }
  return score
}
