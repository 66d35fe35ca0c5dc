import { isChinese } from '../shared/strings/strings-for.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'

/** What commands, chat, gateway, server and replay say. The English sentences are the type of those in Chinese. */
export type Strings = typeof english

/** What is said in a language: Chinese for `zh…`, else English. */
export function stringsFor(locale: string | null): Strings {
  return isChinese(locale) ? chinese : english
}
