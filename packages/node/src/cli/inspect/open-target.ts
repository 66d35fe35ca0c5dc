import { InspectError } from '../../inspect/inspect-error.ts'
import type { InspectSettings } from '../../inspect/inspect-facts.ts'
import type { OpenLogged } from '../../inspect/inspected-texts.ts'
import { openInspectedLog } from '../../inspect/open-inspected-log.ts'
import { openInspectedSession } from '../../inspect/open-inspected-session.ts'
import { openInspectedUnder } from '../../inspect/open-inspected-under.ts'
import { readLog } from '../../logs/read-log.ts'
import type { InspectedUnder } from '../../shared/inspection/inspection.ts'
import { CommandError } from '../command-error.ts'
import type { SessionContext } from '../session-context.ts'
import { troubleText } from '../terminal/trouble-text.ts'
import type { NamedTarget } from './inspect-target.ts'

/** A session that is open to be looked at, and which of the conversations in its file it is. */
export interface OpenTarget extends OpenLogged {
  /** From 1. */
  readonly number: number
  readonly count: number
}

/**
 * Opens what is to be inspected, with `under` as if that policy set had been in force. Throws `CommandError` where it cannot be read,
 * has no conversation of that number, or cannot be replayed.
 */
export async function openTarget(
  target: NamedTarget,
  wanted: number | null,
  context: SessionContext,
  under: InspectedUnder | null = null,
): Promise<OpenTarget> {
  const { sessions, settings, strings, io } = context
  const { name, path } = target
  const { config, windowSetBy } = settings
  const day = new Date(io.now()).toISOString().slice(0, 10)
  const inspect: InspectSettings = { config, isWindowSet: windowSetBy !== null, day }
  const number = wanted ?? 1
  const missing = (count: number) =>
    new CommandError(troubleText({ kind: 'no-such-conversation', wanted: number, count }, name, strings.trouble), 1)
  if (target.kind === 'session') {
    if (number !== 1) throw missing(1)
    if (under === null) return { ...(await openInspectedSession(sessions, target.id, inspect)), number, count: 1 }
  }
  const { value: log, trouble } = await readLog(path)
  if (log === undefined) throw new CommandError(troubleText(trouble, name, strings.trouble), 1)
  const count = log.sessions.length
  if (number > count) throw missing(count)
  const id = target.kind === 'session' ? target.id : name
  const logged = { path, number: number - 1, id, log }
  if (under === null) return { ...(await openInspectedLog(logged, inspect)), number, count }
  const own = target.kind === 'session' ? { sessions } : {}
  const opened = await openInspectedUnder({ ...logged, ...own, under }, inspect).catch((error: unknown) => {
    throw error instanceof InspectError ? new CommandError(strings.inspect.nothingToReplay, 1) : error
  })
  return { ...opened, number, count }
}
