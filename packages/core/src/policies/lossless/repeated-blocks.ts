import { labelText } from '../../text/labels.ts'
import { createShownLines } from '../economy/result-repeats.ts'

/**
 * Names blocks of lines that the same text has further up, instead of showing them again. Null if there are none, or if the result could not be expanded to
 * the same text, as for a text with such marks of its own.
 */
export function nameRepeatedBlocks(text: string): string | null {
  if (text.length > maxLength) return null
  const lines = text.split('\n')
  if (lines.length < minLines * 2) return null
  const shown: string[] = []
  let next = 0
  for (const { from, count, sourceFrom } of createShownLines({ lines: minLines, characters: minCharacters }).add(lines)) {
    shown.push(...lines.slice(next, from))
    shown.push(`[the same ${count} lines as from line ${sourceFrom + 1}: ${labelText(lines[sourceFrom] as string, 60)}]`)
    next = from + count
  }
  if (next === 0) return null
  const named = [...shown, ...lines.slice(next)].join('\n')
  return expandRepeatedBlocks(named) === text ? named : null
}

/** The text that `nameRepeatedBlocks` made `named` of. */
export function expandRepeatedBlocks(named: string): string {
  const lines: string[] = []
  for (const line of named.split('\n')) {
    const [, count, first] = mark.exec(line) ?? []
    if (count === undefined || Number(count) > maxLength) lines.push(line)
    else for (let at = 0; at < Number(count); at += 1) lines.push(lines[Number(first) - 1 + at] ?? '')
  }
  return lines.join('\n')
}

const mark = /^\[the same (\d{1,6}) lines as from line (\d{1,6}): /
const maxLength = 400_000
const minLines = 3
const minCharacters = 200
