import { escapeUnprintable, unprintable } from '@plimsoll/core/text'
import type { ToolAccess } from '../shared/event.ts'

/** What a person reads before they allow a call. */
export interface AskedTexts {
  /** On one line; of a long one the beginning and the end. */
  readonly about: string
  readonly preview: string | null
}

/**
 * The texts of a call so that nothing in them is hidden from whoever is asked: what acts on a terminal or reorders text is spelled
 * out, because whoever draws it takes that out with all it wraps, and the end of a long line is seen or known to be missing.
 */
export function askedTexts(access: ToolAccess, about: string, preview: string | null): AskedTexts {
  const line = spelledOut(about).replaceAll(/\r?\n/g, ' ⏎ ')
  const isLong = line.length > longestAbout
  const whole = preview ?? (isLong ? about : null)
  if (whole === null) return { about: line, preview: null }
  const shown = spelledOut(whole)
  return {
    about: isLong ? `${line.slice(0, longestAbout / 2)} … ${line.slice(-longestAbout / 2)}`.toWellFormed() : line,
    // The signs at the start of a diff's lines mean something; a command may be broken anywhere.
    preview: access === 'run' ? shown.replaceAll(tooWide, '$1\n') : shown,
  }
}

/** Fits on the few lines that a question has for it, also in a narrow terminal. */
const longestAbout = 220

const tooWide = /([^\n]{76})(?=[^\n])/gu

function spelledOut(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(unprintable, (character, at: number) =>
      character === '\n' || character === '\t' || (character === '\r' && text[at + 1] === '\n')
        ? character
        : escapeUnprintable(character),
    )
}
