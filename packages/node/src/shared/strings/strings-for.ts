import type { AgentError, NoticeCode } from '../event.ts'
import { chinese } from './chinese.ts'
import { type AgentErrorCode, english } from './english.ts'

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

/** What an error says and what to do about it, in a person's language, as far as its code is known; else in its own words. */
export function agentErrorText(
  { code, message, suggestion, details }: AgentError,
  locale: string | null,
): { readonly message: string; readonly suggestion: string | null } {
  const { agentErrors } = sharedStringsFor(locale)
  if (!Object.hasOwn(agentErrors, code)) return { message, suggestion }
  const strings = agentErrors[code as AgentErrorCode]
  const about = typeof details['about'] === 'string' ? details['about'] : ''
  const { tries, wait, isElsewhere } = details
  const facts = {
    tries: typeof tries === 'number' ? tries : 1,
    wait: typeof wait === 'string' ? wait : '',
    isElsewhere: isElsewhere === true,
  }
  return { message: strings.message(about, facts), suggestion: strings.suggestion(about, facts) }
}

/** What a notice says, in a person's language; one with a code from elsewhere says it in its own words. */
export function noticeText(code: string, message: string, locale: string | null): string {
  const { notices } = sharedStringsFor(locale)
  return Object.hasOwn(notices, code) ? notices[code as NoticeCode] : message
}
