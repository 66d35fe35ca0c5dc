import type { Config } from '@plimsoll/core/policies'
import type { StringsName } from '@plimsoll/core/text'
import { isChinese } from '../shared/strings/is-chinese.ts'
import * as chinese from './chinese.ts'
import * as english from './english.ts'

/** The sentences of one language. English is the type, so the compiler finds what Chinese lacks. */
export type Strings = typeof english

/** Picks the language: Chinese for `zh…`, otherwise English. */
export function stringsFor(locale: string | null): Strings {
  return isChinese(locale) ? chineseStrings : english
}

/** The language of the text inserted for the model: by default the specification's own for Chinese users, English for others. */
export function modelLanguage({ strings, locale }: Pick<Config, 'strings' | 'locale'>): StringsName {
  if (strings !== 'auto') return strings
  return isChinese(locale) ? 'specification' : 'english'
}

const chineseStrings: Strings = { ...chinese }
