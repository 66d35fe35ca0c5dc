import { statSync } from 'node:fs'
import { sessionPaths } from '../../session/open-session.ts'
import type { CommandIo } from '../command-io.ts'
import type { SessionContext } from '../session-context.ts'
import { sizeText } from '../terminal/format-number.ts'

/** A log of so many bytes takes longer than a second to work on, during which nothing else could be said. */
const longLog = 20_000_000

/** Does something with a session; somebody at a terminal is told meanwhile that a long one is being read. */
export async function withLongSession<Result>(
  id: string,
  { io, sessions, strings }: Pick<SessionContext, 'sessions' | 'strings'> & { readonly io: Pick<CommandIo, 'stderr'> },
  work: () => Promise<Result>,
): Promise<Result> {
  const size = io.stderr.isTerminal ? sizeOf(sessionPaths(sessions, id).log) : 0
  if (size < longLog) return work()
  io.stderr.write(strings.sessionCommands.reading(`${id} (${sizeText(size)})`))
  try {
    return await work()
  } finally {
    io.stderr.write('\r\u001b[K')
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}
