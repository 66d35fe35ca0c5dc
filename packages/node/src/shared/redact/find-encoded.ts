import { createSearch, endOfRun, type Judge, type Span, type Window } from './spans.ts'

/** Base64 that holds a secret. All of it is one, since a part of it cannot be replaced. */
export function findEncoded(
  text: string,
  windows: readonly Window[],
  find: (decoded: string) => readonly Span[],
): readonly Span[] {
  // What is decoded may be searched by the same function, so the pattern is not shared.
  const start = new RegExp(startOfRun, 'g')
  const search = createSearch()
  const judge: Judge = ({ 0: run }, at) => {
    const end = endOfEncoded(text, at + run.length)
    // Pictures and other data begin with what is no text; most of what looks like base64 is a path or a long name.
    if (end - at > longest || !isText(readable(decode(run.slice(0, 16))))) return { start: at, end, kind: '', isSecret: false }
    const decoded = readable(decode(text.slice(at, end).replaceAll(/\s/g, '')))
    const kind = isArmoured(decoded) ? 'private-key' : isMostlyText(decoded) ? find(decoded)[0]?.kind : undefined
    return { start: at, end, kind: kind ?? '', isSecret: kind !== undefined }
  }
  return windows.flatMap((window) => search(window, start, judge))
}

const startOfRun = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{20}/
const longest = 262_144

/** Tools break base64 into lines of 64 or 76. */
function endOfEncoded(text: string, from: number): number {
  let end = endOfRun(text, letters, from)
  while (end - from >= 40 && fullLine.test(text.slice(end, end + 82))) end = endOfRun(text, letters, end + 1)
  padding.lastIndex = end
  padding.test(text)
  return padding.lastIndex
}

const letters = /[A-Za-z0-9+/_-]{0,4096}/y
const fullLine = /^\n[A-Za-z0-9+/]{1,76}={0,2}(?:\n|$)/
const padding = /={0,2}/y

/** Bytes as characters. Written here because this part of the code knows neither Node nor a browser. */
function decode(base64: string): string {
  let bits = 0
  let count = 0
  let decoded = ''
  for (let index = 0; index < base64.length; index += 1) {
    const code = base64.charCodeAt(index)
    if (code === 61) break
    bits = ((bits << 6) | (values[code] ?? 0)) & 0xffff
    count += 6
    if (count < 8) continue
    count -= 8
    decoded += String.fromCharCode((bits >> count) & 255)
  }
  return decoded
}

const values: number[] = []
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  values[letter.charCodeAt(0)] = value
}
values[45] = 62
values[95] = 63

/** Also if the rest of it is cut off. */
function isArmoured(decoded: string): boolean {
  return decoded.startsWith('-----BEGIN ') && decoded.slice(0, 80).includes('PRIVATE KEY')
}

/** PowerShell encodes commands with two bytes for each letter; other languages have several bytes in UTF-8. */
function readable(bytes: string): string {
  if (/^(?:[\t\n\r -~]\0){5}/.test(bytes)) return bytes.replaceAll('\0', '')
  return bytes.replaceAll(/[\u00c2-\u00f4][\u0080-\u00bf]{1,3}/g, (letter) => {
    try {
      return decodeURIComponent(Array.from(letter, (byte) => `%${byte.charCodeAt(0).toString(16)}`).join(''))
    } catch {
      return letter
    }
  })
}

/** No control characters; the last letter may be cut. */
function isText(decoded: string): boolean {
  return /^(?:[\t\n\r\u001b -~]|[^\u0000-\u00ff])*[\u0080-\u00ff]{0,3}$/.test(decoded)
}

/** A text in another language has other bytes too. */
function isMostlyText(decoded: string): boolean {
  let others = 0
  for (let index = 0; index < decoded.length; index += 1) {
    const code = decoded.charCodeAt(index)
    if ((code > 126 && code < 256) || (code < 32 && code !== 9 && code !== 10 && code !== 13 && code !== 27)) others += 1
  }
  return others * 10 <= decoded.length
}
