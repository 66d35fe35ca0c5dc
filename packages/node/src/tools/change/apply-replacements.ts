import { explainMismatch } from './explain-mismatch.ts'
import { occurrencesOf } from './find-occurrences.ts'
import { plainLines, toPlainLines, withEnding } from './line-endings.ts'

/** A text that is to stand in place of another. */
export interface Replacement {
  readonly old_string: string
  readonly new_string: string
  /** Default: false, and the old text must be there exactly once. */
  readonly replace_all?: boolean | undefined
}

/** A text after its replacements, and how many places changed; or why nothing was changed. */
export type Replaced = { readonly text: string; readonly count: number } | { readonly problem: string }

/**
 * Replaces texts one after the other, all or none. What ends lines does not matter for finding a text, and lines keep their own
 * ends; everything else must be there exactly.
 */
export function applyReplacements(text: string, replacements: readonly Replacement[]): Replaced {
  let current = text
  let count = 0
  for (const [index, replacement] of replacements.entries()) {
    const done = replaceOne(current, replacement)
    if ('problem' in done) return replacements.length === 1 ? done : { problem: inList(index, replacements.length, done.problem) }
    current = done.text
    count += done.count
  }
  return current === text ? { problem: 'the edits undo each other, so the file would stay as it is' } : { text: current, count }
}

/** Longer texts are no source code; neither memory nor anybody's patience is made for them. */
const longestText = 64 * 1024 * 1024
const mostShownLines = 10

function replaceOne(text: string, { old_string, new_string, replace_all = false }: Replacement): Replaced {
  const [wanted, instead] = [toPlainLines(old_string), toPlainLines(new_string)]
  if (wanted === '') return { problem: 'old_string is empty, and only a file that is missing or empty can be filled so' }
  if (old_string === new_string) return { problem: 'old_string and new_string are the same, so nothing would change' }
  if (wanted === instead) return { problem: 'old_string and new_string differ only in how lines end, and lines keep their ends' }
  if (!new_string.isWellFormed()) return { problem: 'new_string holds half a character, which no file can hold' }
  const plain = plainLines(text)
  const places = occurrencesOf(plain.text, wanted, replace_all ? 'apart' : 'overlapping')
  if (places.length === 0) return { problem: explainMismatch(plain.text, wanted) }
  if (places.length > 1 && !replace_all) return { problem: severalPlaces(plain.text, places) }
  const written = withEnding(instead, plain.ending)
  if (text.length + places.length * written.length > longestText)
    return { problem: `${places.length} replacements would make the file too big` }
  const pieces: string[] = []
  let end = 0
  for (const place of places) {
    pieces.push(text.slice(end, plain.originalIndex(place)), written)
    end = plain.originalIndex(place + wanted.length)
  }
  pieces.push(text.slice(end))
  return { text: pieces.join(''), count: places.length }
}

function severalPlaces(text: string, places: readonly number[]): string {
  const lines: number[] = []
  let [line, from] = [1, 0]
  for (const place of places.slice(0, mostShownLines)) {
    for (let at = text.indexOf('\n', from); at !== -1 && at < place; at = text.indexOf('\n', from)) {
      line += 1
      from = at + 1
    }
    lines.push(line)
  }
  const more = places.length > lines.length ? ` and ${places.length - lines.length} more` : ''
  return (
    `old_string is there ${places.length} times, at lines ${lines.join(', ')}${more}. ` +
    'Add lines around it until it is there once, or set replace_all.'
  )
}

function inList(index: number, count: number, problem: string): string {
  return `edit ${index + 1} of ${count}: ${problem}\nNone of the edits was made.`
}
