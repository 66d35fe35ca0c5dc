import { countCodePoints, endOfFirst } from './code-points.ts'
import { detached } from './detached.ts'
import { wholeCharacters } from './shorten.ts'
import { escapeUnprintable } from './unprintable.ts'

/**
 * A text on one line of at most so many characters, cut at its end. Nothing in it can pass for a heading or a list, or act on a
 * terminal.
 */
export function oneLine(text: string, characters: number): string {
  // More than this cannot show; runs of blanks are read as one.
  const near = text.length > characters * 4 ? wholeCharacters(text, 0, characters * 4) : text
  const line = escapeUnprintable(near.replaceAll(/\s+/g, ' ').trim())
  if (near.length === text.length && (line.length <= characters || countCodePoints(line) <= characters)) return detached(line)
  return detached(`${line.slice(0, endOfFirst(line, characters - 1))}…`)
}
