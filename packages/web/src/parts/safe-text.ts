import { escapeUnprintable, terminalText, unprintable } from '@plimsoll/core/text'

/** A text from a model, a tool or a log as it may be shown: whatever would hide, reorder or act is visible as its escape. */
export function visibleText(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unprintable, (character) => (character === '\n' || character === '\t' ? character : escapeUnprintable(character)))
}

/** The same on one line of at most so many characters. */
export function visibleLine(text: string, most = 200): string {
  // More than this cannot show; runs of blanks are read as one.
  const line = escapeUnprintable(
    text
      .slice(0, most * 4)
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
  return line.length > most || text.length > most * 4 ? `${line.slice(0, most - 1).toWellFormed()}…` : line
}

/** The last lines of what a command writes, as a terminal would show them. */
export function terminalLines(output: string, most: number): string {
  const lines = output.split('\n')
  const shown = lines.slice(-most - (lines.at(-1) === '' ? 1 : 0))
  return shown.map((line) => visibleText(terminalText(line.slice(-longestLine)))).join('\n')
}

/** Lines over this many characters are shown in pieces. */
export const longestLine = 2000

/** A text that may be too long to be shown at once. */
export interface ShownText {
  readonly text: string
  /** Characters that are not shown. */
  readonly more: number
}

/**
 * The beginning of a text, at most so many characters of it, as it may be shown. No line is longer than a browser lays out
 * quickly: a longer one goes on below.
 */
export function beginningOf(text: string, most: number): ShownText {
  const cut = text.length > most ? text.slice(0, most).toWellFormed() : text
  return { text: withShortLines(visibleText(cut)), more: Math.max(0, text.length - most) }
}

function withShortLines(text: string): string {
  if (text.length <= longestLine) return text
  return text
    .split('\n')
    .map((line) => (line.length <= longestLine ? line : inPieces(line)))
    .join('\n')
}

function inPieces(line: string): string {
  const pieces: string[] = []
  for (let start = 0; start < line.length; start += longestLine) pieces.push(line.slice(start, start + longestLine))
  return pieces.join('↵\n')
}
