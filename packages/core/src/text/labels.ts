import { countCodePoints, detached, firstCharacters, isInside, wholeCharacters } from './lines.ts'

/** Foreign text for one of our lines: on one line, with nothing that acts on a terminal or looks like a handle or a reminder. */
export function labelText(text: string, characters: number): string {
  return escapeMarks(oneLine(text, characters))
}

/** Cuts a text to one line. Nothing in it can look like a heading or a list, or act on a terminal. */
export function oneLine(text: string, characters: number): string {
  // Longer text cannot be visible, even if runs of spaces collapse.
  const near = text.length > characters * 4 ? wholeCharacters(text, 0, characters * 4) : text
  const line = escapeUnprintable(near.replaceAll(/\s+/g, ' ').trim())
  if (near.length === text.length && (line.length <= characters || countCodePoints(line) <= characters)) return detached(line)
  return detached(`${firstCharacters(line, characters - 1)}…`)
}

/** Puts a backslash into foreign text that looks like one of our handles or a reminder tag. Idempotent. */
export function escapeMarks(text: string, isOurs: (handle: string) => boolean = () => false): string {
  return text
    .replaceAll(handleMark, (all, word: string, handle: string) => (isOurs(handle.toLowerCase()) ? all : `${word}\\${handle}`))
    .replaceAll(reminderTag, '<\\')
}

// As `recall` parses them: the word, and at least six digits.
const handleMark = /(recall[\s:=("'`]{1,4})([0-9a-f]{6,64})/gi
// Invisible characters may be in between.
const reminderTag = /<(?=[\s\p{Cf}]{0,9}\/?[\s\p{Cf}]{0,9}system-reminder)/giu

/** Control characters of 7 and 8 bits, marks that reorder or hide text, and unusual line breaks. */
export const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Writes every unprintable character as its escape, such as `\u009b`. Inside JSON the meaning stays the same. */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(unprintable, escapeOf)
}

/** The same in pieces, for a text too long for one string. No piece ends inside a character. */
export function* escapedPieces(text: string, size = 1 << 20): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = isInside(text, start + size) ? start + size + 1 : start + size
    yield escapeUnprintable(text.slice(start, end))
    start = end
  }
}

function escapeOf(character: string): string {
  const units = character.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
}
