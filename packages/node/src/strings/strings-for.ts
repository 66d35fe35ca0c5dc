import { isChinese } from '../shared/strings/strings-for.ts'
import * as chinese from './chinese.ts'
import * as english from './english.ts'

/** The sentences of one language. English is the type, so the compiler finds what Chinese lacks. */
export type Strings = typeof english

/** Picks the language: Chinese for `zh…`, otherwise English. */
export function stringsFor(locale: string | null): Strings {
  return isChinese(locale) ? chineseStrings : english
}

const chineseStrings: Strings = { ...chinese }
