import type { AgentError, AgentErrorCode, PeopleStrings } from '@plimsoll/core'

/** What an error says and what to do about it, in a person's language as far as its code is known; else in its own words. */
export function errorText(
  { code, message, suggestion, details }: AgentError,
  { agentErrors }: PeopleStrings,
): { readonly message: string; readonly suggestion: string | null } {
  if (!Object.hasOwn(agentErrors, code)) return { message, suggestion }
  const words = agentErrors[code as AgentErrorCode]
  const about = typeof details['about'] === 'string' ? details['about'] : ''
  const { tries, wait, isElsewhere } = details
  const facts = {
    tries: typeof tries === 'number' ? tries : 1,
    wait: typeof wait === 'string' ? wait : '',
    isElsewhere: isElsewhere === true,
  }
  return { message: words.message(about, facts), suggestion: words.suggestion(about, facts) }
}
