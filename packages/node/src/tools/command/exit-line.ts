import { constants } from 'node:os'
import type { CommandEnd } from './run-command.ts'

/** What is to be said of a command besides what it printed. */
export interface ExitNotes {
  /** The time it had, in seconds, and the most it could have had. */
  readonly seconds: number
  readonly mostSeconds: number
  readonly isEmpty: boolean
  readonly isBinary: boolean
  /** Why not all of its output is kept; null where it is. */
  readonly trouble: string | null
}

/** The last line of a result: the exit code, and whatever else the model has to know. Nothing in it depends on the clock. */
export function exitLine(end: CommandEnd, notes: ExitNotes): string {
  const reason = reasonOf(end, notes)
  const more = [
    ...(notes.isEmpty ? ['no output'] : []),
    ...(end.kind === 'exited' && end.left.length > 0
      ? [`what it left running was ended: ${namesIn(end.left)}; setsid with the output in a file keeps a process`]
      : []),
    ...(end.stuck.length > 0 ? [`could not be ended and still runs: ${namesIn(end.stuck)}`] : []),
    ...(notes.isBinary ? ['bytes that are no text are left out or shown as \ufffd'] : []),
    ...(notes.trouble === null ? [] : [`only this extract of the output could be kept: ${oneLine(notes.trouble)}`]),
  ]
  return `[exit code ${exitCodeOf(end)}${reason === null ? '' : `: ${reason}`}${more.map((note) => `; ${note}`).join('')}]`
}

/** The exit code as a shell would tell it; a command that was stopped has one that no race decides. */
export function exitCodeOf({ kind, exitCode, signal }: CommandEnd): number {
  if (kind === 'limit') return stoppedByTime
  if (kind === 'size') return signalled + constants.signals.SIGKILL
  if (exitCode !== null) return exitCode
  return signal === null ? 1 : signalled + constants.signals[signal]
}

/** What `timeout` gives, and what shells add to the number of a signal. */
const stoppedByTime = 124
const signalled = 128

function reasonOf({ kind, signal }: CommandEnd, { seconds, mostSeconds }: ExitNotes): string | null {
  switch (kind) {
    case 'limit':
      return `stopped at its time limit of ${seconds} s${seconds < mostSeconds ? `; timeout_seconds allows up to ${mostSeconds}` : ''}`
    case 'size':
      return 'stopped because it wrote more than 4 GB'
    case 'exited':
    case 'cancelled':
      return signal === null ? null : `ended by ${signal}`
  }
}

function namesIn(names: readonly string[]): string {
  const shown = names.slice(0, 5).map((name) => name.replaceAll(/[^\w.+-]/g, '_'))
  return `${shown.join(', ')}${names.length > shown.length ? ' and others' : ''}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 200)
}
