import { escapeUnprintable, terminalText, unprintable } from '@plimsoll/core/text'

/** A text from a model, a tool or a log as it may be shown: characters that would hide, reorder or act appear as escapes. */
export function visibleText(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text
  return text
    .replaceAll('\r\n', '\n')
    .replaceAll(unprintable, (character) => (character === '\n' || character === '\t' ? character : escapeUnprintable(character)))
}

/** The same on one line of at most `max` characters. */
export function visibleLine(text: string, max = 200): string {
  // More than this cannot show; runs of blanks are read as one.
  const beginning = text.slice(0, max * 4).replaceAll(/\s+/g, ' ')
  const line = escapeUnprintable(beginning.trim())
  return line.length > max || text.length > max * 4 ? `${line.slice(0, max - 1).toWellFormed()}…` : line
}

/** The last lines of a command's output, as a terminal would show them. */
export function terminalLines(output: string, max: number): string {
  const lines = output.split('\n')
  const shown = lines.slice(-max - (lines.at(-1) === '' ? 1 : 0))
  return shown.map((line) => visibleText(terminalText(line.slice(-maxLine)))).join('\n')
}

/** Lines over this many characters are shown in pieces. */
export const maxLine = 2000

const piece = new RegExp(`.{${maxLine}}(?=.)`, 'gs')

/**
 * The first characters of a text, as they may be shown, and how many are not shown. No line is longer than a browser lays out
 * quickly: a longer one continues below.
 */
export function beginningOf(text: string, max: number): { readonly text: string; readonly more: number } {
  const cut = text.length > max ? text.slice(0, max).toWellFormed() : text
  const lines = visibleText(cut).split('\n')
  const short = lines.map((line) => (line.length > maxLine ? line.replaceAll(piece, '$&↵\n') : line))
  return { text: short.join('\n'), more: Math.max(0, text.length - max) }
}
