/** What could be meant by the word at the cursor. */
export interface Completion {
  readonly kind: 'command' | 'file'
  /** The part of the text that a candidate takes the place of. */
  readonly start: number
  readonly end: number
  readonly candidates: readonly Candidate[]
}

/** One possibility. */
export interface Candidate {
  /** What is put into the text. */
  readonly text: string
  /** What is shown. */
  readonly label: string
  readonly detail: string
}

/** A word that waits to be completed. */
export interface OpenWord {
  readonly kind: Completion['kind']
  readonly query: string
  readonly start: number
  readonly end: number
}

/** The word at the cursor that can be completed: a command at the very beginning, or a file behind `@`. */
export function openWord(text: string, cursor: number): OpenWord | null {
  const left = text.slice(Math.max(0, cursor - longestWord), cursor)
  const command = cursor <= longestWord ? /^\/([\w-]*)$/.exec(left) : null
  if (command !== null) return { kind: 'command', query: command[1] ?? '', start: 0, end: cursor }
  const file = /(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$/.exec(left)
  if (file === null) return null
  const query = file[1] ?? file[2] ?? ''
  const marks = file[1] === undefined ? 1 : 2
  return { kind: 'file', query, start: cursor - query.length - marks, end: cursor }
}

const longestWord = 300

/** How a file is written behind `@`: in quotes where its name has more than letters, digits and the marks of paths. */
export function mentionText(path: string): string {
  return /^[a-zA-Z0-9/._-]+$/.test(path) ? `@${path} ` : `@"${path}" `
}

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
