import type { AgentError } from '../shared/event.ts'

/** Whether an error means that the conversation is too long and could not be made to fit. */
export function isOverflow({ code, details }: AgentError): boolean {
  return code === 'CONTEXT_LENGTH_EXCEEDED' && details['recovering'] !== true
}
