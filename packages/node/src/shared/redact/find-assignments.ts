import { isPlaceholder } from './find-tokens.ts'
import { isRandomValue } from './place-rule.ts'
import { createSearch, type Judge, type Span, type Window } from './spans.ts'

/** Secrets by the name they are assigned to: quoted values, lines of an environment file, and bare values that do not look like code. */
export function findAssignments(text: string, windows: readonly Window[]): readonly Span[] {
  const search = createSearch()
  const judge: Judge = (found, at) => {
    const [whole, name = '', separator = '', quote] = found
    const start = at + whole.length
    const kind = kindOf(name)
    const value = quote === undefined ? bareValueAt(text, start) : quotedValueAt(text, start, quote, kind)
    const end = start + value.length
    const isSecret =
      value.length >= shortest &&
      !isPlaceholder(value) &&
      isNameOfSecret(text, at, name, value, quote !== undefined) &&
      (/\s/.test(value)
        ? isPassphrase(value)
        : quote !== undefined
          ? isUnguessable(value, kind)
          : isEnvironmentLine(text, at, name, separator)
            ? !/^(?:true|false|null|none|undefined|\d{1,6})$/i.test(value)
            : isUnguessable(value, kind) && !looksLikeCode(value, kind))
    return { start, end, kind, isSecret }
  }
  return windows.flatMap((window) => search(window, assignment, judge))
}

const shortest = 6

// name = "value", name: 'value', "name": "value", also where the quotes are escaped in JSON; name=value; name: value; a block of YAML.
const assignment =
  /(passw(?:or)?d|passphrase|pwd|(?<![a-z])pass|secret(?:[_-]?(?:string|value)|[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?|token|api[_.-]?(?:secret|key)|(?:private|access|auth|master|encryption|signing|account|license|service|storage|admin|deploy|app|jwt|hmac)[_-]?key|private[_-]key[_-]id|credentials?|mnemonic|(?:seed|recovery)[ _-]?(?:phrase|words)|_auth|"auth)(\\{0,3}["'`]?[ \t]{0,8}(?::|=>?)[ \t]{0,8}(?:[|>][+-]?[ \t]{0,8}\r?\n[ \t+-]{1,60})?(?:base64:)?)(\\{0,3}["'`])?/gi
const quotedValue = /[^\s"'`\\]{1,512}/y
const quotedPhrase = /[^\n"`\\]{1,200}/y
const bareValue = /[^\s"'`\\$<>(){}[\],;&|]{1,512}/y

function bareValueAt(text: string, start: number): string {
  bareValue.lastIndex = start
  const value = bareValue.exec(text)?.[0] ?? ''
  const next = text[start + value.length]
  if (next === undefined || /[\s"'`\\&|;,<]/.test(next)) return value
  // What a bracket ends is mostly an argument in code.
  return /[)\]}]/.test(next) && value.length >= 11 && /\d.*\d/.test(value) ? value : ''
}

function quotedValueAt(text: string, start: number, quote: string, kind: Kind): string {
  quotedValue.lastIndex = start
  const value = quotedValue.exec(text)?.[0] ?? ''
  const next = text[start + value.length]
  if (next !== undefined && /["'`\\]/.test(next)) return value
  if (kind !== 'password' || next !== ' ') return ''
  quotedPhrase.lastIndex = start
  const phrase = quotedPhrase.exec(text)?.[0].split(quote)[0] ?? ''
  return /["'`\\]/.test(text[start + phrase.length] ?? '') ? phrase : ''
}

type Kind = 'password' | 'token' | 'secret' | 'key'

function kindOf(name: string): Kind {
  if (/pass|pwd|mnemonic|seed|recovery/i.test(name)) return 'password'
  return /token/i.test(name) ? 'token' : /secret|credential/i.test(name) ? 'secret' : 'key'
}

/** Some names are also those of other things. */
function isNameOfSecret(text: string, at: number, name: string, value: string, isQuoted: boolean): boolean {
  switch (name.toLowerCase()) {
    // `pass: 12` is a count, `pass` a verb.
    case 'pass':
      return /[A-Za-z]/.test(value) && /\d/.test(value) && !/^\w{1,20}\(/.test(value) && !value.includes('/')
    case '"auth':
    case '_auth':
      return /^[A-Za-z0-9+/]{12,}={0,2}$/.test(value) && /\d|[a-z][A-Z]/.test(value)
    case 'credential':
    case 'credentials':
      return value.length >= 16 && /\d/.test(value)
    case 'appkey':
    case 'app_key':
    case 'servicekey':
    case 'accountkey':
      return value.length >= 16 && /\d/.test(value)
    default:
      // `tokenizer.pad_token="[PAD]"` and the like begin with a sign, `max_token: 5` is a number.
      return text[at - 1] !== '$' || text[at] === '_' || isQuoted
  }
}

/** `NAME=value`, where the name is a word of its own, also behind the number of a line, in quotes or in a command. */
function isEnvironmentLine(text: string, at: number, name: string, separator: string): boolean {
  if (!/^=(?:base64:)?$/.test(separator) || name !== name.toUpperCase()) return false
  const from = Math.max(0, at - 80)
  return /(?:^|[^\w$.{%-]|\\n|[\n\r]-)[A-Z0-9_]{0,60}$/.test((from === 0 ? '' : '.') + text.slice(from, at))
}

/** Words that no one would call a sentence: texts of forms and errors are full of small words. */
function isPassphrase(value: string): boolean {
  const words = value.trim().split(/\s+/)
  return words.length >= 3 && words.every((word) => /^[a-z0-9]{3,}$/.test(word)) && !words.some((word) => smallWords.has(word))
}

const smallWords = new Set(
  'the and for not are was has have must should your you can may with from this that password passphrase enter invalid wrong please new old set get use value field string text type user name none null true false hidden here one your confirm least characters required missing incorrect reset forgot change'.split(
    ' ',
  ),
)

/** A digit or a sign among letters, or long and in mixed case: code is full of words and identifiers. */
function isUnguessable(value: string, kind: Kind): boolean {
  if (!/[A-Za-z]/.test(value)) return kind === 'password' && /\d{6}/.test(value)
  if (/[\d!@#%^*+?~]/.test(value)) return true
  // As Google, Apple and others give out for one program.
  if (kind === 'password' && /^[a-z]{4}(?:-[a-z]{4}){3}$/.test(value)) return true
  if (kind === 'password' && /^[a-z]{16,64}$/.test(value))
    return !/pass|word|secret|token|user|login|field|hash|reset/.test(value)
  return (
    value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && !/^[a-z]{1,40}(?:[A-Z][a-z]{1,40}){1,20}$/.test(value)
  )
}

/** Members, paths and numbered names follow such names in code without being a secret. */
function looksLikeCode(value: string, kind: Kind): boolean {
  if (/^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$/.test(value)) return !value.split('.').some(isRandomValue)
  if (/^[=:.!]/.test(value)) return true
  if (value.includes('/') && !(kind === 'secret' && value.length === 40 && !value.includes('//'))) return true
  return kind !== 'password' && /^[A-Za-z_]+\d{0,2}$/.test(value)
}
