import { isPlaceholder, redactTokens, replaceSpans } from './redact-tokens.ts'

/**
 * Replaces keys, tokens and passwords with `[REDACTED:kind]`; returns the same text if there are none. Recognises a secret by its
 * form or by the name it is assigned to; any other secret stays. A second call changes nothing. Runs in linear time.
 */
export function redactSecrets(text: string): string {
  let current = text
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const next = redactAssignments(redactTokens(redactPrivateKeys(current)))
    if (next === current) return current
    current = next
  }
  return current
}

/** Blanking a secret may complete the form of another one around it; no real text is nested deeper. */
const maxPasses = 10

/** Also blanks a key whose end is cut off. */
function redactPrivateKeys(text: string): string {
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

/** Returns -1 if there is no key, as in code that looks for one. */
function endOfKey(text: string, at: number): number {
  const near = text.slice(at, at + maxKeyLength)
  const next = near.indexOf(opening)
  closing.lastIndex = 0
  const found = closing.exec(next === -1 ? near : near.slice(0, next))
  if (found !== null) return /[A-Za-z0-9+/]{16}/.test(near.slice(0, found.index)) ? at + closing.lastIndex : -1
  let end = at
  let letters = 0
  bodyLine.lastIndex = at
  while (end - at < maxKeyLength && bodyLine.test(text)) {
    letters += bodyLine.lastIndex - end
    end = bodyLine.lastIndex
  }
  return letters >= shortestBody && /[A-Za-z0-9+/]{32}/.test(text.slice(at, end)) ? end : -1
}

const maxKeyLength = 20_000
const shortestBody = 40

/**
 * Replaces home folders with `~`, because they often contain the user's name: `/home/ada/src` becomes `~/src`; also those of
 * macOS and Windows. Returns the same text if there are none.
 */
export function redactHomeFolders(text: string): string {
  return text.replace(windowsHome, '~').replace(unixHome, '~')
}

/** A line in a JSON text may begin after a written `\n`. Folders that all users share stay. */
const unixHome = /(?<=\\[nrt]|^|[^\w.~-])\/(?:home|Users)\/(?!Shared\b|linuxbrew\b)[\p{L}\p{N}\p{M}_.@+-]{1,64}/gu

/** Backslashes are doubled in a JSON text. A name may contain blanks if the path continues after it. */
const windowsHome =
  /(?<=\\[nrt]|^|[^\w~])[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)(?!(?:Public|Default|All Users)\b)(?:[^\\/:*?"<>|\s]{1,64}(?: [^\\/:*?"<>|\s]{1,64}){1,2}(?=[\\/])|[^\\/:*?"<>|\s]{1,64})/g

/** Redacts quoted values, lines of an environment file, and bare values that do not look like code. */
function redactAssignments(text: string): string {
  return replaceSpans(text, assignment, (found) => {
    const [whole, name = '', separator = '', quote] = found
    const start = found.index + whole.length
    const pattern = quote === undefined ? bareValue : quotedValue
    pattern.lastIndex = start
    const value = pattern.exec(text)?.[0] ?? ''
    const end = start + value.length
    const next = text[end]
    const ends =
      quote === undefined ? next === undefined || /[\s"'`\\&|;,]/.test(next) : next !== undefined && /["'`\\]/.test(next)
    const kind = kindOf(name)
    const isSecret =
      value.length >= shortest &&
      ends &&
      !isPlaceholder(value) &&
      (quote !== undefined
        ? isUnguessable(value, kind)
        : isEnvironmentLine(text, found.index, name, separator)
          ? !/^(?:true|false|null|none|undefined|\d{1,6})$/i.test(value)
          : isUnguessable(value, kind) && !looksLikeCode(value, kind))
    return { start, end, with: isSecret ? `[REDACTED:${kind}]` : null }
  })
}

const shortest = 6

// name = "value", name: 'value', "name": "value", also where the quotes are escaped in JSON; name=value; name: value.
const assignment =
  /(passw(?:or)?d|passphrase|pwd|secret(?:[_-]?(?:access[_-]?)?key)?|token|api[_-]?(?:secret|key)|(?:private|access|auth)[_-]?key)(\\{0,3}["'`]?[ \t]{0,8}(?::|=>?)[ \t]{0,8})(\\{0,3}["'`])?/gi
const quotedValue = /[^\s"'`\\]{1,512}/y
const bareValue = /[^\s"'`\\$<>(){}[\],;&|]{1,512}/y

type Kind = 'password' | 'token' | 'secret' | 'key'

function kindOf(name: string): Kind {
  return /passw|passphrase|pwd/i.test(name) ? 'password' : /token/i.test(name) ? 'token' : /secret/i.test(name) ? 'secret' : 'key'
}

/** `NAME=value` alone on its line, or after `export`, `ENV` or `-e`. */
function isEnvironmentLine(text: string, at: number, name: string, separator: string): boolean {
  if (separator !== '=' || name !== name.toUpperCase()) return false
  const from = Math.max(0, at - 80)
  return /(?:^|[\n\r]|\\n|\b(?:export|ENV|set)[ \t]{1,4}|-e[ \t]{1,4})[A-Z0-9_]{0,60}$/.test(
    (from === 0 ? '' : ' ') + text.slice(from, at),
  )
}

/** A digit or a sign among letters, or long and in mixed case: code is full of words and identifiers. */
function isUnguessable(value: string, kind: Kind): boolean {
  if (!/[A-Za-z]/.test(value)) return kind === 'password' && /\d{6}/.test(value)
  if (/[\d!@#%^*+?~]/.test(value)) return true
  return (
    value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/^[a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,20}$/.test(value)
  )
}

/** Members, paths and numbered names follow such names in code without being a secret. */
function looksLikeCode(value: string, kind: Kind): boolean {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || value.includes('/') || /^[=:.!]/.test(value)) return true
  return kind !== 'password' && /^[A-Za-z_]+\d{0,2}$/.test(value)
}
