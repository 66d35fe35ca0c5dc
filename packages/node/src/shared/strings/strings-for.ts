import { chinese } from './chinese.ts'
import { english } from './english.ts'

/** What the terminal and the web app both say. The English sentences are the type of those in Chinese. */
export type SharedStrings = typeof english

/** What the terminal and the web app both say, in a language: Chinese for `zh…`, else English. */
export function sharedStringsFor(locale: string | null): SharedStrings {
  return isChinese(locale) ? chinese : english
}

/** Whether a locale is one of China's, such as `zh`, `zh-CN` or `zh_CN.UTF-8`. */
export function isChinese(locale: string | null): boolean {
  return locale?.toLowerCase().startsWith('zh') === true
}
