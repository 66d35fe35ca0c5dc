import { otherKeys } from './name-rules.ts'
import { createSearch, type Judge, randomKind, type Span, type Window } from './spans.ts'

/** Values that no one makes up: long ones by themselves, shorter ones if a name of a secret stands near. */
export function findRandomValues(text: string, windows: readonly Window[]): readonly Span[] {
  const search = createSearch()
  const judge: Judge = ({ 0: value }, at) => {
    const end = at + value.length
    const isSecret =
      // A field of its own is an id or a signature: a person or a program writes something around a secret.
      (at > 0 || /[^=]/.test(text.slice(end, end + 3))) &&
      isOneValue(text, at, end) &&
      (isLongRandom(value)
        ? !isInBase64(text, at, end) && (lastOf(notSecret, text.slice(Math.max(0, at - 24), at)) < 0 || isNearName(text, at, end))
        : (isHex(value) || isUuid(value) || isMixture(value, 10) || isRandomBase36(value)) && isNearName(text, at, end))
    return { start: at, end, kind: randomKind, isSecret }
  }
  return windows.flatMap((window) => [...search(window, segment, judge), ...search(window, base64, judge)])
}

/** Also a part of an address. */
const segment = /(?<![\w.~]|[^\n]-|%[0-9A-F]?|\[\d{0,2}(?=\d{1,3}m))[A-Za-z0-9][\w.~-]{7,1023}(?![\w~-])/g
const base64 = /(?<![A-Za-z0-9/_.]|[^\n][+-])[A-Za-z0-9+/]{24,1023}={0,2}(?![A-Za-z0-9+/_=-])/g

/** A part of base64 is not a value, but one of a path is. */
function isOneValue(text: string, start: number, end: number): boolean {
  const isAdded = text[start - 1] === '+' && (start === 1 || text[start - 2] === '\n')
  if ((isAdded || !/[/+]/.test(text[start - 1] ?? '')) && !/[/+]/.test(text[end] ?? '')) return true
  return /\/[a-z][a-z_-]{2,40}\/(?:[^\s"'`<>]{0,100}\/)?$/.test(text.slice(Math.max(0, start - 160), start))
}

/** Not an id with a prefix, a path or the name of a file. */
function isLongRandom(value: string): boolean {
  return isMixture(value, 24) && !/^[a-z][a-z\d]{1,12}[_-]|_kw[A-Z]|\/[a-z]{3,}\/|\.[a-z]{1,4}$/.test(value)
}

/** Letters of both cases and digits change places as often as by chance; in names they do not. */
function isMixture(value: string, shortest: number): boolean {
  return (
    value.length >= shortest &&
    /[a-z]/.test(value) &&
    /[A-Z]/.test(value) &&
    /\d\D+\d/.test(value) &&
    changesIn(value) >= value.length * 0.4 &&
    (value.match(/[a-z]{4,}/g) ?? []).join('').length < value.length * 0.4
  )
}

/** Lower case or upper case alone, with digits. */
function isRandomBase36(value: string): boolean {
  return value.length >= 20 && /^(?:[a-z\d]+|[A-Z\d]+)$/.test(value) && changesIn(value) >= value.length / 5
}

function changesIn(value: string): number {
  return value.match(/(?<=[a-z])[A-Z\d]|(?<=[A-Z])[a-z\d]|(?<=\d)[A-Za-z]/g)?.length ?? 0
}

function isHex(value: string): boolean {
  return /^(?:0x)?(?:[0-9a-f]{24,}|[0-9A-F]{24,})$/.test(value) && /\d/.test(value) && /[A-Fa-f]/.test(value)
}

function isUuid(value: string): boolean {
  return /^[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$/.test(value)
}

/** Lines of a file in base64, as of a certificate or a picture, are no secrets by themselves. */
function isInBase64(text: string, start: number, end: number): boolean {
  return (
    /[A-Za-z0-9+/]{40}={0,2}\s{0,2}[ \t+>|-]{0,40}[A-Za-z0-9+/]{0,80}$/.test(text.slice(Math.max(0, start - 180), start)) ||
    /^[A-Za-z0-9+/]{0,80}\r?\n[ \t+>|-]{0,40}[A-Za-z0-9+/]{40}/.test(text.slice(end, end + 180))
  )
}

/** The last name before a value says what it is, also in the line above if that announces it; after it only a comment does. */
function isNearName(text: string, start: number, end: number): boolean {
  const [line = '', above = ''] = text
    .slice(Math.max(0, start - 64), start)
    .split('\n')
    .toReversed()
  const before = above.trimEnd().endsWith(':') || (above.includes(',') && line.includes(',')) ? above + line : line
  const named = lastOf(secretName, before)
  if (named >= 0) return named > lastOf(notSecret, before)
  return comment.test(text.slice(end, end + 60))
}

const comment = /^["']?[;,)]{0,2}[ \t]{1,4}(?:#|\/\/|--|<!--|\()[^\n]{0,30}?(?:passw|token|secret|key)/i
const secretName =
  /key|token|secret|passw|pwd|passphrase|pass\b|auth|bearer|credential|cookie|jwt|jws|saml|log[-_ ]?in|signature|hooks?\b|invit|reset|verif|magic|confirm|recover|salt|crypt|seed|licen[sc]e|otp|plaintext|serial|dsn|connect|accounts?["']?[:=]|(?<=\s)-[tkpw][ =]["']?$/gi
const notSecret = new RegExp(
  `(?:${otherKeys})[ _-]?keys?|hash|sha-?\\d{0,4}|md5|digest|checksum|integrity|commit|revision|\\bids?\\b|_id\\b|[a-z]I[dD]\\b|uuid|etag|fingerprint|public|version|nonce|cursor|blob|merge|tree|parent|image|layer|cache|idempot|snapshot|encrypted_content|blake|object|module|chunk|bundle|trace|span|request|h1:|base64,|signature"|assets?\\b`,
  'gi',
)

function lastOf(pattern: RegExp, text: string): number {
  let at = -1
  for (const { index, 0: found } of text.matchAll(pattern)) at = index + found.length
  return at
}
