import { isChinese } from '../../../node/src/shared/strings/strings-for.ts'
import { chinese } from './chinese.ts'
import { english } from './english.ts'

/** What the web app says. The English sentences are the type of those in Chinese. */
export type Strings = typeof english

/** What the web app says in a language: Chinese for `zh…`, else English. */
export function stringsFor(locale: string | null): Strings {
  return isChinese(locale) ? chinese : english
}
