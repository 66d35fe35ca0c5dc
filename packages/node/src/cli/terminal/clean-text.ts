import { unprintable } from '@plimsoll/core/text'

/** Longer pieces of a file's text are never shown, so nothing is done for them either. */
const longestPiece = 2000

/**
 * One line of text from a file, safe to print: escape sequences, control characters and marks that reorder or hide text are taken
 * out, line ends become blanks.
 */
export function cleanText(text: string): string {
  return text
    .slice(0, longestPiece)
    .toWellFormed()
    .replace(escapeSequence, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(unprintable, '')
}

// CSI with its parameters; OSC, DCS, SOS, PM and APC up to their end; any other two-character sequence.
const escapeSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g
