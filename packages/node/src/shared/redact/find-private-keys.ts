import { createSearch, endOfRun, type Judge, type SearchWindow, type Span, type Window } from './spans.ts'

/** Private keys in armour, also where their beginning or end is cut off, and those that stand without it. */
export function findPrivateKeys(text: string, windows: readonly Window[]): readonly Span[] {
  const search = createSearch()
  return windows.flatMap((window) => [
    ...search(window, opening, (_, at) => {
      begin.lastIndex = at
      const end = begin.test(text) ? endOfKey(text, begin.lastIndex) : -1
      return { start: at, end, kind, isSecret: end !== -1 }
    }),
    ...search(window, closing, (_, at) => {
      const start = startOfTail(text, at)
      return { start, end: at, kind, isSecret: at - start >= shortestBody }
    }),
    ...findBodies(text, window, search),
  ])
}

const kind = 'private-key'
const opening = /-----BEGIN /g
const begin = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y
const closingLine = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/
const closing = new RegExp(closingLine, 'g')
/** Headers, blank lines and lines of base64, with newlines as they are or as JSON writes them, also within a diff. */
const bodyLine =
  /(?:\n[-+](?=[A-Za-z0-9+/]{16})|\s|\\[nrt]|[A-Za-z-]{1,30}: [^\n\\]{0,200}|[A-Za-z0-9+/=]{1,512}(?=\s|\\|$|["'`]))/y

/** Returns -1 if there is no key, as in code that looks for one. */
function endOfKey(text: string, at: number): number {
  const near = text.slice(at, at + maxKeyLength)
  const next = near.indexOf('-----BEGIN ')
  const found = closingLine.exec(next === -1 ? near : near.slice(0, next))
  if (found !== null && isMostlyBase64(near.slice(0, found.index))) return at + found.index + found[0].length
  let end = at
  let letters = 0
  bodyLine.lastIndex = at
  while (end - at < maxKeyLength && bodyLine.test(text)) {
    letters += bodyLine.lastIndex - end
    end = bodyLine.lastIndex
  }
  return letters >= shortestBody && /[A-Za-z0-9+/]{32}/.test(text.slice(at, end)) ? end : -1
}

/** Code that has both lines of the armour has little that looks like a key between them. */
function isMostlyBase64(text: string): boolean {
  let letters = 0
  for (const [run] of text.matchAll(/[A-Za-z0-9+/]{16,}/g)) letters += run.length
  return letters * 3 > text.length
}

const maxKeyLength = 20_000
const shortestBody = 40

/** Where the lines before the end of a key begin, if its own beginning is not there. */
function startOfTail(text: string, closed: number): number {
  let start = closed
  let line = text.lastIndexOf('\n', start - 1)
  // What stands before the end on its own line, as an indentation does, is not part of the key.
  for (let last = line; last > 0 && closed - last < maxKeyLength; last = line) {
    line = text.lastIndexOf('\n', last - 1)
    const before = text.slice(Math.max(line + 1, last - maxLine), last)
    if (!keyLine.test(before)) {
      // Its first line may stand behind other words.
      const first = firstLine.exec(before)
      return first === null ? start : last - first[0].length
    }
    start = line + 1
  }
  return start
}

const maxLine = 1024
const firstLine = /(?<![^\s"'`:=>])[A-Za-z0-9+/]{32,600}$/
const keyLine = /^[\s+-]{0,60}(?:[A-Za-z0-9+/]{16,600}|[A-Za-z0-9+/]{1,15}(?==))={0,2}\s{0,4}$/

/** How private keys begin in base64: RSA, PKCS 8 and elliptic curves in DER, OpenSSH's own form; and the lines that PuTTY announces. */
const bodies: readonly (readonly [readonly string[], RegExp])[] = [
  [['IBA'], /(?<![A-Za-z0-9+/])MI[IG][A-Za-z0-9+/]{3}(?:IBA|AgEA)[A-Za-z0-9+/]{20}/g],
  [['MHcCAQEE', 'MC4CAQAw', 'MIGHAgEA', 'MIGEAgEA'], /(?:MHcCAQEE|MC4CAQAw|MIG[HE]AgEA)[A-Za-z0-9+/]{20}/g],
  [['b3BlbnNzaC1rZXktdjE'], /b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20}/g],
  [['Private-Lines:'], /(?<=Private-Lines: \d{1,3}\s{1,40}[+-]?\s{0,40})[A-Za-z0-9+/]{16}/g],
  [['SSH2 ENCRYPTED'], /(?<=BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\s{1,40}(?:Comment: [^\n]{0,200}\n)?)[A-Za-z0-9+/]{16}/g],
  [['Private-MAC:'], /(?<=Private-MAC: )[0-9a-f]{40}/g],
]

function findBodies(text: string, window: Window, search: SearchWindow): readonly Span[] {
  const judge: Judge = (found, at) => {
    const end = endOfRun(text, wholeLines, endOfRun(text, letters, at + found[0].length))
    return { start: at, end, kind, isSecret: true }
  }
  return bodies.flatMap(([hints, pattern]) =>
    hints.some((hint) => window.text.includes(hint)) ? search(window, pattern, judge) : [],
  )
}

const letters = /[A-Za-z0-9+/=]{0,512}/y
const wholeLines = /(?:\r?\n|\\n)[ \t]{0,40}[+-]?[ \t]{0,40}[A-Za-z0-9+/]{16,600}={0,2}(?=[\s\\"'`&<)]|$)/y
