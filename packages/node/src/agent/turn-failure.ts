import { thrownText } from '../files/trouble.ts'
import { SessionError, sessionTroubleText } from '../session/session-error.ts'
import type { AgentError, Emit } from '../shared/event.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { TurnError } from './turn-error.ts'

/** What a turn that threw has to say, told to whoever listens unless it was told already. */
export function turnFailure(error: unknown, locale: string | null, emit: Emit): AgentError {
  const failure = errorOf(error, locale)
  if (!(error instanceof TurnError && error.isTold)) emit({ type: 'error', data: failure })
  return failure
}

function errorOf(error: unknown, locale: string | null): AgentError {
  if (error instanceof TurnError) return error.error
  const { session, agent } = stringsFor(locale)
  if (error instanceof SessionError)
    return {
      code: 'SESSION_FAILED',
      message: sessionTroubleText(error.trouble, session),
      suggestion: agent.sessionFailed,
      details: { kind: error.trouble.kind },
    }
  return {
    code: 'UNEXPECTED',
    message: thrownText(error),
    suggestion: agent.unexpected,
    details: {},
  }
}
