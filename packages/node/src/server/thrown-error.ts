import { thrownText } from '../files/trouble.ts'
import { SessionError, sessionTroubleText } from '../session/session-error.ts'
import type { AgentError } from '../shared/event.ts'
import type { Strings } from '../strings/strings-for.ts'

/** What was thrown while nobody waited for it, as an error that everybody who looks on is told. */
export function thrownError(error: unknown, { session }: Strings): AgentError {
  const isSession = error instanceof SessionError
  const code = isSession ? `SESSION_${error.trouble.kind.replaceAll('-', '_').toUpperCase()}` : 'UNEXPECTED'
  const message = isSession ? sessionTroubleText(error.trouble, session) : thrownText(error)
  return { code, message, suggestion: null, details: {} }
}
