import { codeOf } from '../files/problem.ts'
import { type Strings, stringsFor } from '../strings/strings-for.ts'

export type SessionProblem =
  | { readonly kind: 'not-found'; readonly id: string; readonly folder: string }
  | { readonly kind: 'in-use' | 'in-use-elsewhere'; readonly pid: number; readonly host: string; readonly lock: string }
  | { readonly kind: 'newer'; readonly version: number; readonly known: number }
  /** The file system refused; `code` is the system's name for it. */
  | { readonly kind: 'cannot-read' | 'cannot-write' | 'cannot-restore'; readonly file: string; readonly code: string }
  | { readonly kind: 'changed-behind'; readonly file: string }
  /** Nothing in the log can be read; `entries` is how many it is known to have had. */
  | { readonly kind: 'emptied'; readonly file: string; readonly entries: number }
  | { readonly kind: 'closed' | 'nothing-to-undo' | 'no-home' }
  | { readonly kind: 'bad-entry'; readonly reason: string }
  | { readonly kind: 'no-entry'; readonly id: string }

/** An error of a session. The message is English; `sessionProblemText` has other languages. */
export class SessionError extends Error {
  override readonly name = 'SessionError'
  readonly problem: SessionProblem

  constructor(problem: SessionProblem, options?: ErrorOptions) {
    super(sessionProblemText(problem, stringsFor(null).session), options)
    this.problem = problem
  }
}

export function sessionProblemText(problem: SessionProblem, strings: Strings['session']): string {
  switch (problem.kind) {
    case 'not-found':
      return strings.notFound(problem.id, problem.folder)
    case 'in-use':
      return strings.inUse(problem.pid, problem.lock)
    case 'in-use-elsewhere':
      return strings.inUseElsewhere(problem.pid, problem.host, problem.lock)
    case 'newer':
      return strings.newerFormat(problem.version, problem.known)
    case 'cannot-read':
      return strings.cannotRead(problem.file, strings.reason(problem.code))
    case 'cannot-write':
      return strings.cannotWrite(problem.file, strings.reason(problem.code))
    case 'cannot-restore':
      return strings.cannotRestore(problem.file, strings.reason(problem.code))
    case 'changed-behind':
      return strings.changedBehind(problem.file)
    case 'emptied':
      return strings.emptied(problem.file, problem.entries)
    case 'closed':
      return strings.closed
    case 'no-home':
      return strings.noHome
    case 'nothing-to-undo':
      return strings.nothingToUndo
    case 'bad-entry':
      return strings.badEntry(problem.reason)
    case 'no-entry':
      return strings.noEntry(problem.id)
  }
}

/** An error of the file system as a `SessionError`. Any other error is a bug and stays unchanged. */
export function fileError(kind: 'cannot-read' | 'cannot-write' | 'cannot-restore', file: string, error: unknown): Error {
  const code = codeOf(error)
  if (code === null) return error instanceof Error ? error : new Error(String(error))
  return new SessionError({ kind, file, code }, { cause: error })
}
