/** Everything that is no visible character: controls of 7 and 8 bits, marks that reorder or hide text, breaks that only some see. */
export const unprintable =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/**
 * The text with every unprintable character as its escape, such as `\u009b`. Inside JSON this changes how strings are written and
 * not what they mean; elsewhere it shows what would otherwise act on a terminal, and hides nothing.
 */
export function escapeUnprintable(text: string): string {
  return text.replaceAll(unprintable, escapeOf)
}

/**
 * The same, piece by piece: a long text that is full of such characters could not be held whole. No piece ends inside a character.
 */
export function* escapedPieces(text: string, size = 1 << 20): Generator<string, void> {
  for (let start = 0; start < text.length; ) {
    const end = start + size
    const next = isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end)) ? end + 1 : end
    yield escapeUnprintable(text.slice(start, next))
    start = next
  }
}

function escapeOf(character: string): string {
  let escaped = ''
  for (let index = 0; index < character.length; index += 1)
    escaped += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  return escaped
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
