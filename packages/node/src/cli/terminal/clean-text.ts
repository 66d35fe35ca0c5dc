import { escapeUnprintable, unprintable } from '@plimsoll/core/text'
import type { Output } from '../command-io.ts'

/** Longer pieces are never shown. */
const longestPiece = 2000

/**
 * Makes one line of text safe to print: removes escape sequences, control characters and marks that reorder or hide text; line
 * ends become blanks.
 */
export function cleanText(text: string): string {
  return text
    .slice(0, longestPiece)
    .toWellFormed()
    .replace(escapeSequence, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(unprintable, '')
}

/** Quotes user input for a message, safe to print. */
export function quotedText(given: string | undefined): string {
  return cleanText(JSON.stringify(given ?? ''))
}

// CSI with its parameters; OSC, DCS, SOS, PM and APC up to their end; any other two-character sequence.
const escapeSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

/**
 * Writes a text from a log: unchanged to a file or a program; to a terminal with everything escaped that would act on it, and with
 * its last line ended.
 */
export function writeText(text: string, output: Output): void {
  if (!output.isTerminal) {
    if (text !== '') output.write(text)
    return
  }
  for (const line of text.replace(/\n$/, '').split('\n')) output.write(`${escapeUnprintable(line.replaceAll('\t', '    '))}\n`)
}

/** Makes the lines of a text safe to print: nothing in them acts on the terminal or hides or reorders text. */
export function cleanLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(cleanLine)
}

/** Makes one such line. Keeps the last state of a line that was overwritten, as progress bars do. */
export function cleanLine(line: string): string {
  const written = line.endsWith('\r') ? line.slice(0, -1) : line
  const last = written.slice(written.lastIndexOf('\r') + 1).replaceAll('\t', '    ')
  if (last.length <= longestPiece) return cleanText(last)
  let result = ''
  for (let start = 0; start < last.length; ) {
    const end = start + longestPiece
    // A pair of surrogates is one character.
    const next = /[\ud800-\udbff]/.test(last[end - 1] ?? '') ? end - 1 : end
    result += cleanText(last.slice(start, next))
    start = next
  }
  return result
}
