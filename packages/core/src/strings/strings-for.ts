import * as chinese from './chinese.ts'
import * as english from './english.ts'
import type { ModelStrings } from './specification.ts'

export type ReasonStrings = typeof english.reasons

export function reasonsFor(locale: string | null): ReasonStrings {
  return isChinese(locale) ? chinese.reasons : english.reasons
}

export function overflowStringsFor(locale: string | null): typeof english.overflow {
  return isChinese(locale) ? chinese.overflow : english.overflow
}

/** Language of the text inserted for the model: the specification's mix, or one language throughout. */
export type StringsName = 'specification' | 'english' | 'chinese'

/** Overrides of the specification's strings; undefined for the specification's own. */
export function stringsNamed(name: StringsName): Partial<ModelStrings> | undefined {
  return name === 'english' ? english.model : name === 'chinese' ? chinese.model : undefined
}

function isChinese(locale: string | null): boolean {
  return locale?.toLowerCase().startsWith('zh') === true
}
