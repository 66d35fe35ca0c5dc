import { placeRules } from './command-rules.ts'
import { nameRules } from './name-rules.ts'
import type { PlaceRule } from './place-rule.ts'
import { endOfRun, judgedSpans, type Span } from './spans.ts'
import { tokenRules } from './token-rules.ts'

/** Secrets with a form of their own, such as those of the usual vendors, and those in a place where only a secret stands. */
export function findTokens(text: string): readonly Span[] {
  const spans: Span[] = []
  const has = hintsIn(text)
  for (const { kind, hints, pattern, rest, isSecret } of tokenRules) {
    if (!hints.some(has)) continue
    for (const span of judgedSpans(text, pattern, (found) => {
      const start = found.index + (found[1]?.length ?? 0)
      const end = endOfRun(text, rest, found.index + found[0].length)
      return { start, end, kind, isSecret: isSecret(text.slice(start, end)) }
    }))
      spans.push(span)
  }
  spans.push(...findInPlaces(text, placeRules, has))
  return text.includes('://') ? spans.concat(findAddressPasswords(text)) : spans
}

/** Secrets whose name stands near them in another way than by a colon or an equals sign. */
export function findNamed(text: string): readonly Span[] {
  return findInPlaces(text, nameRules, hintsIn(text))
}

function findInPlaces(text: string, rules: readonly PlaceRule[], has: (hint: string) => boolean): readonly Span[] {
  const spans: Span[] = []
  for (const { kind, hints, before, value, isSecret: isLikely } of rules) {
    if (!hints.some(has)) continue
    for (const span of judgedSpans(text, before, (found) => {
      const start = found.index + found[0].length
      value.lastIndex = start
      const secret = value.exec(text)?.[0] ?? ''
      const isSecret = secret !== '' && !isPlaceholder(secret) && isLikely(secret)
      return { start, end: start + secret.length, kind, isSecret }
    }))
      spans.push(span)
  }
  return spans
}

/** Whether a hint is in the text. A search for each takes long in a long text, so all runs of three characters are noted first. */
function hintsIn(text: string): (hint: string) => boolean {
  if (text.length < 5000) return (hint) => text.includes(hint)
  const runs = new Uint8Array(2 ** 18)
  let run = 0
  for (let index = 0; index < text.length; index += 1) {
    run = ((run << 6) | (text.charCodeAt(index) & 63)) & 0x3ffff
    runs[run] = 1
  }
  return (hint) => {
    let wanted = 0
    for (let index = 0; index < hint.length; index += 1) {
      wanted = ((wanted << 6) | (hint.charCodeAt(index) & 63)) & 0x3ffff
      if (index > 1 && runs[wanted] === 0) return false
    }
    return text.includes(hint)
  }
}

/** Whether a value is only a place for a secret: a variable, a template, a path, a mask. */
export function isPlaceholder(value: string): boolean {
  return placeholder.test(value)
}

const placeholder =
  /^(?:\$(?!(?:2[aby]|[1-9y]|apr1)\$|argon|scrypt|pbkdf2)|[<{]|%[A-Z({]|#\{|\*{3}|\.{1,3}\/|\.{3}|~?\/|x{4}|X{4}|\[?REDACTED|your[-_]|YOUR[-_]|example|changeme|placeholder|process\.|os\.|env[.:])|\.\.\.$/

/** The password in an address, as in `postgres://name:password@host`. */
function findAddressPasswords(text: string): readonly Span[] {
  return judgedSpans(text, addressPassword, (found) => {
    const end = found.index + found[0].length - 1
    const password = found[2] ?? ''
    return { start: end - password.length, end, kind: 'url-password', isSecret: !isPlaceholder(password) }
  })
}

// A password may have a sign like the one that ends it.
const addressPassword = /(:\/\/[^\s:@/"'<>`\\[\]]{0,200}:)([^\s@/"'<>`\\[\]]{1,200}(?:@[^\s@/:?#,"'<>`\\[\]]{1,100}(?=@))?)@/g
