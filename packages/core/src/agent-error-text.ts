import type { AgentError } from './event.ts'
import { type AgentErrorCode, peopleStrings } from './people.ts'

/** What an error says and what to do about it, in a person's language, as far as its code is known; else in its own words. */
export function agentErrorText(
  { code, message, suggestion, details }: AgentError,
  locale: string | null,
): { readonly message: string; readonly suggestion: string | null } {
  const { agentErrors } = peopleStrings(locale)
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
