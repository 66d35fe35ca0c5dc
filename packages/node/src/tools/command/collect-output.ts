import { constants } from 'node:os'
import { terminalText } from '@plimsoll/core/text'
import stripAnsi from 'strip-ansi'
import { type ToolOutcome, type ToolProgress } from '../../shared/event.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { ToolContext } from '../tool.ts'
import { createCommandOutput } from './command-output.ts'
import type { CommandEnd, StreamName } from './run-command.ts'
import { createTerminalReader, redactedPieces } from './terminal-reader.ts'

/** Takes what a command writes, and makes a result of it when the command has ended. */
export interface OutputCollector {
  /** Never rejects. */
  readonly write: (stream: StreamName, bytes: Buffer) => Promise<void>
  readonly outcome: (end: CommandEnd, limits: RunLimits) => Promise<ToolOutcome>
  /** To be called in place of `outcome` when nobody wants it. */
  readonly discard: () => Promise<void>
}

/** How long a command took, in milliseconds, and could have taken, in seconds. */
export interface RunLimits {
  readonly durationMs: number
  readonly seconds: number
  readonly mostSeconds: number
}

/** A collector that shows people every piece, and keeps what a terminal would show in the end. */
export function collectOutput({ blobs, config, progress }: Pick<ToolContext, 'blobs' | 'config' | 'progress'>): OutputCollector {
  const output = createCommandOutput(blobs)
  const reader = createTerminalReader()
  // Of what is kept outside the log the handle is made here, so secrets have to be gone before.
  const redacted = config.sessions.redact_secrets ? redactedPieces(redactSecrets) : null
  const shown = progress === undefined ? null : createOutputProgress(progress)
  const stderr = createStderrTail(config.compression.stderr_lines)
  const written = { stdout: 0, stderr: 0 }

  const keep = (text: string) => output.write(redacted === null ? text : redacted.write(text))

  return {
    async write(stream, bytes) {
      written[stream] += bytes.length
      if (stream === 'stderr') stderr.write(bytes)
      shown?.write(bytes)
      await keep(reader.read(stream, bytes))
    },
    async outcome(end, { durationMs, seconds, mostSeconds }) {
      shown?.end()
      await keep(reader.end())
      await output.write(redacted?.end() ?? '')
      const isEmpty = output.isEmpty()
      const line = () => exitLine(end, { seconds, mostSeconds, isEmpty, isBinary: reader.isBinary(), trouble: output.trouble() })
      const last = line()
      await output.write(`${isEmpty || output.endsLine() ? '' : '\n'}${last}`)
      const kept = await output.end()
      // The last step of keeping it may fail too.
      const text = line() === last ? kept.text : kept.text.slice(0, -last.length) + line()
      const exitCode = exitCodeOf(end)
      return {
        content: { type: 'text', text },
        ...(exitCode === 0 ? {} : { isError: true }),
        ...(kept.blob === null ? {} : { blob: kept.blob }),
        metadata: {
          exitCode,
          signal: end.signal,
          durationMs,
          timedOut: end.kind === 'limit',
          stdoutBytes: written.stdout,
          stderrBytes: written.stderr,
          ...(written.stderr === 0 ? {} : { stderrTail: stderr.text() }),
        },
      }
    },
    async discard() {
      shown?.end()
      await output.discard()
    },
  }
}

/** What is to be said of a command besides what it printed. */
interface ExitNotes {
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
function exitCodeOf({ kind, exitCode, signal }: CommandEnd): number {
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

/** Tells what a command writes while it runs, in few pieces and none too long. */
interface OutputProgress {
  readonly write: (bytes: Buffer) => void
  /** Tells the rest at once. */
  readonly end: () => void
}

/** Pieces for people who watch: at most twenty a second, of each the end where it is too long to be read anyway. */
function createOutputProgress(tell: (progress: ToolProgress) => void): OutputProgress {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (waiting === '') return
    const message = stripAnsi(waiting.slice(-longest)).replaceAll(unseen, '')
    waiting = ''
    if (message !== '') tell({ stage: 'output', message, progress: null })
  }
  return {
    write(bytes) {
      const text = bytes.toString('utf8', Math.max(0, bytes.length - longest))
      waiting = waiting.length + text.length > longest * 2 ? (waiting + text).slice(-longest) : waiting + text
      timer ??= setTimeout(flush, between)
    },
    end() {
      if (timer !== null) clearTimeout(timer)
      flush()
    },
  }
}

/** Milliseconds from one piece to the next. */
const between = 50
const longest = 8192

// What would act on a terminal; the ends of lines and what goes back to their beginning stay.
const unseen = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** The end of what a command complained about. */
interface StderrTail {
  readonly write: (bytes: Buffer) => void
  /** The last lines of it. */
  readonly text: () => string
}

/** A tail of so many lines. */
function createStderrTail(lines: number): StderrTail {
  let tail = Buffer.alloc(0)
  return {
    write(bytes) {
      const near = bytes.subarray(-longestTail)
      tail = Buffer.concat([tail.subarray(-Math.max(1, longestTail - near.length)), near])
    },
    text() {
      const text = tail.toString('utf8').replace(/\n$/, '')
      // Where the tail begins, a character or a line may be cut in two.
      return text
        .split('\n')
        .slice(-lines)
        .map(terminalText)
        .join('\n')
        .replace(/^\ufffd+/, '')
    },
  }
}

const longestTail = 8192
