/** How many bytes a text takes in UTF-8. Half a character takes three, as the mark that is written for it does. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    if (unit < 0x80) continue
    bytes += unit < 0x800 ? 1 : 2
    // Two halves make a character of four bytes.
    if (unit >= 0xd800 && unit <= 0xdbff && isSecondHalf(text.charCodeAt(index + 1))) index += 1
  }
  return bytes
}

function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff
}
