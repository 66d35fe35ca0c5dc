import * as chinese from './chinese.ts'
import * as english from './english.ts'
import type { ModelStrings } from './specification.ts'

export type ReasonStrings = typeof english.reasons

/** Why edits are proposed, in a language: Chinese for `zh…`, else English. */
export function reasonsFor(locale: string | null): ReasonStrings {
  return isChinese(locale) ? chinese.reasons : english.reasons
}

export function overflowStringsFor(locale: string | null): typeof english.overflow {
  return isChinese(locale) ? chinese.overflow : english.overflow
}

/** In which language a model reads what Plimsoll puts before it: the specification's own sentences, or one language throughout. */
export type StringsName = 'specification' | 'english' | 'chinese'

/** The strings of a language, laid over the specification's; undefined for the specification's own. */
export function stringsNamed(name: StringsName): Partial<ModelStrings> | undefined {
  return name === 'english' ? english.model : name === 'chinese' ? chinese.model : undefined
}

function isChinese(locale: string | null): boolean {
  return locale?.toLowerCase().startsWith('zh') === true
}
