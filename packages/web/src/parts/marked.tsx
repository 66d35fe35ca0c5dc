import type { ReactNode } from 'react'

/** Marks of one text; more would make a long one slow. */
const maxMarks = 500

/** A text with the places marked that contain something searched for. */
export function Marked({ text, finds }: { readonly text: string; readonly finds: readonly string[] }) {
  const pieces: ReactNode[] = []
  const lower = text.toLowerCase()
  const wanted = finds.map((find) => find.toLowerCase()).filter((find) => find !== '')
  // Some letters are longer in lower case; then places would not fit.
  if (lower.length !== text.length) return text
  let from = 0
  while (pieces.length < maxMarks * 2) {
    const [at, length] = nextPlace(lower, wanted, from)
    if (length === 0) break
    pieces.push(text.slice(from, at), <mark key={at}>{text.slice(at, at + length)}</mark>)
    from = at + length
  }
  return [...pieces, text.slice(from)]
}

/** The first of the texts from a place on, the longest if several start there; a length of 0 if there is none. */
function nextPlace(text: string, wanted: readonly string[], from: number): readonly [at: number, length: number] {
  let best: readonly [number, number] = [text.length, 0]
  for (const one of wanted) {
    const at = text.indexOf(one, from)
    if (at >= 0 && (at < best[0] || (at === best[0] && one.length > best[1]))) best = [at, one.length]
  }
  return best
}
