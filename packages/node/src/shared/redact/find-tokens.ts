import { placeRules } from './command-rules.ts'
import { nameRules } from './name-rules.ts'
import type { PlaceRule } from './place-rule.ts'
import { createSearch, endOfRun, type Judge, type Span, type Window } from './spans.ts'
import { type TokenRule, tokenRules } from './token-rules.ts'

export interface FoundByRules {
  /** Secrets with a form of their own, such as those of the usual vendors, and those in a place where only a secret stands. */
  readonly tokens: readonly Span[]
  /** Secrets whose name stands near them in another way than by a colon or an equals sign. */
  readonly named: readonly Span[]
}

export function findByRules(text: string, windows: readonly Window[]): FoundByRules {
  const search = createSearch()
  const [tokens, named]: [Span[], Span[]] = [[], []]
  for (const window of windows) {
    const has = hintsIn(window.text)
    for (const rule of tokenRules) if (rule.hints.some(has)) tokens.push(...search(window, rule.pattern, tokenJudge(text, rule)))
    for (const rule of placeRules) if (rule.hints.some(has)) tokens.push(...search(window, rule.before, placeJudge(text, rule)))
    if (has('://')) tokens.push(...search(window, addressPassword, judgeAddress))
    for (const rule of nameRules) if (rule.hints.some(has)) named.push(...search(window, rule.before, placeJudge(text, rule)))
  }
  return { tokens, named }
}

function tokenJudge(text: string, { kind, rest, isSecret }: TokenRule): Judge {
  return (found, at) => {
    const start = at + (found[1]?.length ?? 0)
    const end = endOfRun(text, rest, at + found[0].length)
    return { start, end, kind, isSecret: isSecret(text.slice(start, end)) }
  }
}

function placeJudge(text: string, { kind, value, isSecret: isLikely }: PlaceRule): Judge {
  return (found, at) => {
    const start = at + found[0].length
    value.lastIndex = start
    const secret = value.exec(text)?.[0] ?? ''
    return { start, end: start + secret.length, kind, isSecret: secret !== '' && !isPlaceholder(secret) && isLikely(secret) }
  }
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
const judgeAddress: Judge = (found, at) => {
  const end = at + found[0].length - 1
  const password = found[2] ?? ''
  return { start: end - password.length, end, kind: 'url-password', isSecret: !isPlaceholder(password) }
}

// A password may have a sign like the one that ends it.
const addressPassword = /(:\/\/[^\s:@/"'<>`\\[\]]{0,200}:)([^\s@/"'<>`\\[\]]{1,200}(?:@[^\s@/:?#,"'<>`\\[\]]{1,100}(?=@))?)@/g
