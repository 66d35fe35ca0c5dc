/** A text without the bodies of private keys in their usual armour, also where the end of the block is cut off. */
export function redactPrivateKeys(text: string): string {
  let from = text.indexOf(opening)
  if (from === -1) return text
  const pieces: string[] = []
  let position = 0
  while (from !== -1) {
    begin.lastIndex = from
    const end = begin.test(text) ? endOfKey(text, begin.lastIndex) : -1
    if (end !== -1) {
      pieces.push(text.slice(position, from), '[REDACTED:private-key]')
      position = end
    }
    from = text.indexOf(opening, Math.max(from + opening.length, position))
  }
  return pieces.length === 0 ? text : pieces.join('') + text.slice(position)
}

const opening = '-----BEGIN '
const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const closing = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g
/** Headers, blank lines and lines of base64, with newlines as they are or as JSON writes them. */
const bodyLine = /(?:\s|\\[nrt]|[A-Za-z-]{1,30}: [^\n\\]{0,200}|[A-Za-z0-9+/=]{1,512}(?=\s|\\|$|["'`]))/y

/** Where the block ends whose armour begins before `at`; -1 where no key stands there, as in code that looks for one. */
function endOfKey(text: string, at: number): number {
  const near = text.slice(at, at + longestKey)
  const next = near.indexOf(opening)
  closing.lastIndex = 0
  const found = closing.exec(next === -1 ? near : near.slice(0, next))
  if (found !== null) return /[A-Za-z0-9+/]{16}/.test(near.slice(0, found.index)) ? at + closing.lastIndex : -1
  let end = at
  let letters = 0
  bodyLine.lastIndex = at
  while (end - at < longestKey && bodyLine.test(text)) {
    letters += bodyLine.lastIndex - end
    end = bodyLine.lastIndex
  }
  return letters >= shortestBody && /[A-Za-z0-9+/]{32}/.test(text.slice(at, end)) ? end : -1
}

const longestKey = 20_000
const shortestBody = 40
