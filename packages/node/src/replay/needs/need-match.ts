import { terminalText } from '@plimsoll/core/text'
import type { NeedClass } from './need.ts'

/** Whether a text has a needed string in the form of its class: as a line, a path, a word. */
export function holds(kind: NeedClass, text: string, needed: string): boolean {
  if (needed === '') return false
  if (kind === 'edit-anchor') return holdsLine(text, needed)
  for (let at = text.indexOf(needed); at !== -1; at = text.indexOf(needed, at + 1)) {
    if (isDelimited(kind, text, at, at + needed.length)) return true
  }
  // A model that is shown a line without its colours is shown the line.
  return needed.includes('\x1b') && holds(kind, text, terminalText(needed))
}

/** The same at one place. Not for lines, which are found by their readings. */
export function holdsAt(kind: Exclude<NeedClass, 'edit-anchor'>, text: string, needed: string, at: number): boolean {
  return at >= 0 && text.startsWith(needed, at) && isDelimited(kind, text, at, at + needed.length)
}

/** The forms under which a line is found: itself, and without a number that its host put before it. */
export function readingsOf(line: string): readonly string[] {
  const trimmed = line.trimEnd()
  const marked = numbered.exec(trimmed)
  if (marked === null) return [trimmed]
  const bare = trimmed.slice(marked[0].length)
  return bare.startsWith(' ') ? [trimmed, bare, bare.slice(1)] : [trimmed, bare]
}

/** A string that `holds` finds starts and ends at such a word. */
export const wordPattern = /[0-9A-Za-z_\u00c0-\u024f]+/g

/** `   12→`, `→` where only some lines have their number, `12:`, `12|`, `12<tab>`, and `path:12:` as searches print it. */
const numbered = /^(?:\s{0,9}(?:L?\d{1,7}(?:→|\t|:| ?\||-)|→)|[^\s:]{1,300}:\d{1,7}:)/
const wordCharacter = /[0-9A-Za-z_\u00c0-\u024f]/

function holdsLine(text: string, needed: string): boolean {
  for (let at = text.indexOf(needed); at !== -1; ) {
    const next = text.indexOf('\n', at)
    const end = next === -1 ? text.length : next
    if (readingsOf(text.slice(text.lastIndexOf('\n', at) + 1, end)).includes(needed)) return true
    // Moves on even for a string of several lines.
    at = text.indexOf(needed, Math.max(end, at + 1))
  }
  return false
}

function isDelimited(kind: NeedClass, text: string, start: number, end: number): boolean {
  return !isInsideWord(text, start) && !isInsideWord(text, end) && (kind !== 'path' || isCompletePath(text, start, end))
}

function isInsideWord(text: string, at: number): boolean {
  return at > 0 && at < text.length && wordCharacter.test(text[at - 1] as string) && wordCharacter.test(text[at] as string)
}

/** The end of a longer path counts as the path, and so does its start, the folder. Half a name does not. */
function isCompletePath(text: string, start: number, end: number): boolean {
  const before = text[start - 1]
  const after = text[end]
  return before !== '-' && before !== '.' && after !== '-' && !(after === '.' && wordCharacter.test(text[end + 1] ?? ''))
}
