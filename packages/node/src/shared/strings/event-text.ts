import type { AgentError, NoticeCode } from '../event.ts'
import type { AgentErrorCode } from './english.ts'
import { sharedStringsFor } from './strings-for.ts'

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
