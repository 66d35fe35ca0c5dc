import { isPlaceholder } from './redact-tokens.ts'
import { replaceSpans } from './replace-spans.ts'

/**
 * A text without the values that are assigned to names such as `password`, `secret` or `api_key`: quoted ones, lines of an
 * environment file, and bare ones that look like nothing code would say.
 */
export function redactAssignments(text: string): string {
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

/** `NAME=value` alone on its line, or behind `export`, `ENV` or `-e`. */
function isEnvironmentLine(text: string, at: number, name: string, separator: string): boolean {
  if (separator !== '=' || name !== name.toUpperCase()) return false
  const from = Math.max(0, at - 80)
  return /(?:^|[\n\r]|\\n|\b(?:export|ENV|set)[ \t]{1,4}|-e[ \t]{1,4})[A-Z0-9_]{0,60}$/.test(
    (from === 0 ? '' : ' ') + text.slice(from, at),
  )
}

/** A digit or a sign among letters, or long and in mixed case: words and identifiers are what code is full of. */
function isUnguessable(value: string, kind: Kind): boolean {
  if (!/[A-Za-z]/.test(value)) return kind === 'password' && /\d{6}/.test(value)
  if (/[\d!@#%^*+?~]/.test(value)) return true
  return (
    value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/^[a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,20}$/.test(value)
  )
}

/** Members, paths and numbered names, which stand behind such names in code without being a secret. */
function looksLikeCode(value: string, kind: Kind): boolean {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value) || value.includes('/') || /^[=:.!]/.test(value)) return true
  return kind !== 'password' && /^[A-Za-z_]+\d{0,2}$/.test(value)
}
