/**
 * How many of the bytes that a line of base64 stands for do not belong to UTF-8 text: next to none when the line encodes text,
 * close to half of them when it encodes other data or nothing. `phase` is the place of the line's first character in its group of
 * four.
 */
export function wrongBytes(line: string, phase: number): number {
  let wrong = 0
  let bits = 0
  // How many more bytes the character needs. The line may begin inside one.
  let needed = -1
  for (let index = (4 - phase) & 3, count = 0; index < line.length; index += 1, count += 1) {
    bits = ((bits << 6) | (sextets[line.charCodeAt(index)] as number)) & 0xffff
    const place = count & 3
    if (place === 0) continue
    const byte = (bits >> (6 - 2 * place)) & 0xff
    const continues = byte >> 6 === 0b10
    if (continues ? needed === 0 : needed > 0) wrong += 1
    if (continues) needed = Math.max(needed - 1, needed === -1 ? -1 : 0)
    else needed = byte < 0x80 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : 3
  }
  return wrong
}

const sextets = new Uint8Array(128)
for (const [sextet, unit] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  sextets[unit.charCodeAt(0)] = sextet
sextets['-'.charCodeAt(0)] = 62
sextets['_'.charCodeAt(0)] = 63
