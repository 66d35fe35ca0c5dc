import type { AgentError, NoticeCode } from '../event.ts'
import { chinese } from './chinese.ts'
import { type AgentErrorCode, english } from './english.ts'
import { isChinese } from './is-chinese.ts'

/** The shared sentences of one language. English is the type, so the compiler finds what Chinese lacks. */
export type SharedStrings = typeof english

/** Picks the language: Chinese for `zh…`, otherwise English. */
export function sharedStringsFor(locale: string | null): SharedStrings {
  return isChinese(locale) ? chinese : english
}

/** Translates an error and its suggestion by its code; an unknown code keeps its own text. */
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

/** Translates a notice by its code; an unknown code keeps its own text. */
export function noticeText(code: string, message: string, locale: string | null): string {
  const { notices } = sharedStringsFor(locale)
  return Object.hasOwn(notices, code) ? notices[code as NoticeCode] : message
}
