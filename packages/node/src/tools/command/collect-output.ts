import { constants } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { maxStoredBytes } from '@plimsoll/core/policies'
import { createExtractor } from '@plimsoll/core/session'
import { type ModelStrings, terminalText } from '@plimsoll/core/text'
import type { BlobReference } from '@plimsoll/core/wire'
import stripAnsi from 'strip-ansi'
import { thrownText } from '../../files/problem.ts'
import type { BlobSink, Spool } from '../../session/blob-sink.ts'
import type { ToolOutcome, ToolProgress } from '../../shared/event.ts'
import { redactSecrets } from '../../shared/redact/redact.ts'
import type { ToolContext } from '../tool.ts'
import type { CommandEnd, StreamName } from './run-command.ts'
import { createTerminalReader, redactedPieces } from './terminal-reader.ts'

/** `durationMs` is what it took, the others what it could have taken. */
interface RunLimits {
  readonly durationMs: number
  readonly seconds: number
  readonly maxSeconds: number
}

/** Shows the user every piece that a command writes, and makes a result of what a terminal would show in the end. */
export function collectOutput({
  blobs,
  config,
  strings,
  progress,
}: Pick<ToolContext, 'blobs' | 'config' | 'strings' | 'progress'>) {
  const output = createCommandOutput(blobs, strings)
  const reader = createTerminalReader()
  // The handle of content stored outside the log is made here, so secrets have to be removed before.
  const redacted = config.sessions.redact_secrets ? redactedPieces(redactSecrets) : null
  const shown = progress === undefined ? null : createOutputProgress(progress)
  const [stdout, stderr] = [createStreamEnds(), createStreamEnds()]

  const keep = (text: string) => output.write(redacted === null ? text : redacted.write(text))

  return {
    write: async (stream: StreamName, bytes: Buffer): Promise<void> => {
      ;(stream === 'stdout' ? stdout : stderr).write(bytes)
      shown?.write(bytes)
      await keep(reader.read(stream, bytes))
    },
    async outcome(end: CommandEnd, { durationMs, seconds, maxSeconds }: RunLimits): Promise<ToolOutcome> {
      shown?.end()
      await keep(reader.end())
      await output.write(redacted?.end() ?? '')
      const isEmpty = output.isEmpty()
      const line = () => exitLine(end, { seconds, maxSeconds, isEmpty, isBinary: reader.isBinary(), problem: output.problem() })
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
          stdoutBytes: stdout.bytes(),
          stderrBytes: stderr.bytes(),
          // The text merges both streams; rules ask which was which.
          ...(stderr.bytes() === 0
            ? {}
            : {
                stdout: stdout.ends(),
                stdoutLines: stdout.lines(),
                stderrTail: (redacted === null ? stderr.tail() : redactSecrets(stderr.wholeTail()))
                  .split('\n')
                  .slice(-config.compression.stderr_lines)
                  .join('\n'),
              }),
        },
      }
    },
    async discard(): Promise<void> {
      shown?.end()
      await output.discard()
    },
  }
}

export interface ExitNotes extends Omit<RunLimits, 'durationMs'> {
  readonly isEmpty: boolean
  readonly isBinary: boolean
  /** Why not all of its output is kept, or null. */
  readonly problem: string | null
}

/** The last line of a result. It does not depend on the clock. */
export function exitLine(end: CommandEnd, notes: ExitNotes): string {
  const reason = reasonOf(end, notes)
  const more = [
    ...(notes.isEmpty ? ['no output'] : []),
    ...(end.kind === 'exited' && end.left.length > 0
      ? [`what it left running was ended: ${namesIn(end.left)}; setsid with the output in a file keeps a process`]
      : []),
    ...(end.stuck.length > 0 ? [`could not be ended and still runs: ${namesIn(end.stuck)}`] : []),
    ...(notes.isBinary ? ['bytes that are not text are omitted or shown as \ufffd'] : []),
    ...(notes.problem === null
      ? []
      : [`only this extract of the output could be kept: ${notes.problem.replaceAll(/\s+/g, ' ').slice(0, 200)}`]),
  ]
  return `[exit code ${exitCodeOf(end)}${reason === null ? '' : `: ${reason}`}${more.map((note) => `; ${note}`).join('')}]`
}

/** The exit code as a shell reports it: 124 is that of `timeout`, and 128 is added to the number of a signal. */
function exitCodeOf({ kind, exitCode, signal }: CommandEnd): number {
  if (kind === 'limit') return 124
  if (kind === 'size') return 128 + constants.signals.SIGKILL
  if (exitCode !== null) return exitCode
  return signal === null ? 1 : 128 + constants.signals[signal]
}

function reasonOf({ kind, signal }: CommandEnd, { seconds, maxSeconds }: ExitNotes): string | null {
  switch (kind) {
    case 'limit':
      return `stopped at its time limit of ${seconds} s${seconds < maxSeconds ? `; timeout_seconds allows up to ${maxSeconds}` : ''}`
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

const maxPiece = 8192
const between = 50
// Terminal control sequences; line feeds and carriage returns stay.
const unseen = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g

/** Pieces for users who watch: at most twenty a second, and only the end of a long one. */
function createOutputProgress(tell: (progress: ToolProgress) => void) {
  let waiting = ''
  let timer: NodeJS.Timeout | null = null
  const flush = () => {
    timer = null
    if (waiting === '') return
    const message = stripAnsi(waiting.slice(-maxPiece)).replaceAll(unseen, '')
    waiting = ''
    if (message !== '') tell({ stage: 'output', message, progress: null })
  }
  return {
    write(bytes: Buffer): void {
      const text = bytes.toString('utf8', Math.max(0, bytes.length - maxPiece))
      waiting = waiting.length + text.length > maxPiece * 2 ? (waiting + text).slice(-maxPiece) : waiting + text
      timer ??= setTimeout(flush, between)
    },
    end(): void {
      if (timer !== null) clearTimeout(timer)
      flush()
    },
  }
}

/** Counts what a stream carries and keeps its first and last lines. */
function createStreamEnds() {
  let [head, tail] = [Buffer.alloc(0), Buffer.alloc(0)]
  let [bytes, newlines, last] = [0, 0, newline]
  return {
    write(piece: Buffer): void {
      if (head.length < maxHead) head = Buffer.concat([head, piece.subarray(0, maxHead - head.length)])
      const near = piece.subarray(-maxPiece)
      tail = Buffer.concat([tail.subarray(Math.max(0, tail.length + near.length - maxPiece)), near])
      bytes += piece.length
      for (const byte of piece) if (byte === newline) newlines += 1
      last = piece.at(-1) ?? last
    },
    bytes: () => bytes,
    lines: () => newlines + (last === newline ? 0 : 1),
    /** The last lines. The first of them may begin in the middle. */
    tail: () =>
      shownLines(
        tail
          .toString('utf8')
          .replace(/\n$/, '')
          .replace(/^\ufffd+/, ''),
      ),
    /** The last lines that are whole: half of a secret is not recognised. */
    wholeTail(): string {
      return bytes <= tail.length ? this.tail() : this.tail().replace(/^[^\n]*\n?/, '')
    },
    /** All of a short stream; the first and the last whole lines of a long one. */
    ends(): string {
      if (bytes <= tail.length) return this.tail()
      const first = head.subarray(0, Math.max(0, bytes - tail.length))
      const before = shownLines(first.subarray(0, first.lastIndexOf(newline) + 1).toString('utf8'))
      return before + this.tail().replace(/^[^\n]*\n/, '')
    },
  }
}

const newline = 0x0a
const maxHead = 2048

function shownLines(text: string): string {
  return text.split('\n').map(terminalText).join('\n')
}

/** Takes a text of any length: holds a short one, or an extract while all of it goes to the disk. */
function createCommandOutput(blobs: BlobSink, strings: ModelStrings) {
  const extractor = createExtractor(strings)
  let held: string[] = []
  let bytes = 0
  let last = ''
  let spool: Spool | null = null
  let problem: string | null = null
  let release: (() => void) | null = null
  // One for all pieces: thousands of buffers a second are not collected fast enough.
  let scratch = Buffer.alloc(0)

  const encode = (text: string): Buffer => {
    const size = text.length * 3
    if (scratch.length < size) scratch = Buffer.allocUnsafeSlow(size)
    return scratch.subarray(0, scratch.write(text, 'utf8'))
  }

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work()
    } catch (error) {
      problem = thrownText(error)
      await spool?.discard()
      spool = null
    }
  }

  return {
    /** Never rejects: if the text cannot be stored, only the extract is kept. */
    async write(text: string): Promise<void> {
      if (text === '') return
      extractor.write(text)
      last = text
      const isHeld = bytes <= maxStoredBytes
      const encoded = encode(text)
      bytes += encoded.length
      if (isHeld) held.push(text)
      if (bytes <= maxStoredBytes) return
      release ??= holdHeapSmall()
      if (problem !== null) return
      await attempt(async () => {
        spool ??= await blobs.spool()
        await spool.write(isHeld ? Buffer.from(held.join(''), 'utf8') : encoded)
      })
      held = []
    },
    isEmpty: () => bytes === 0,
    endsLine: () => last.endsWith('\n'),
    problem: () => problem,
    async end(): Promise<{ readonly text: string; readonly blob: BlobReference | null }> {
      release?.()
      if (bytes <= maxStoredBytes) return { text: held.join(''), blob: null }
      const { text, handle } = extractor.end()
      let blob: BlobReference | null = null
      await attempt(async () => {
        blob = (await spool?.finish(handle)) ?? null
      })
      // Does not offer to recall what is not stored.
      const bare = text.replaceAll(`; recall ${handle}]`, ']').replaceAll(`\n[recall ${handle}]`, '')
      return { text: blob === null ? bare : text, blob }
    },
    async discard(): Promise<void> {
      release?.()
      await spool?.discard()
      spool = null
    },
  }
}

/** Growth of the heap's room for young values. The engine reads it whenever that room might grow. */
const growth = '--semi-space-growth-factor'
let holders = 0

/** Keeps that room small until the returned function is called: the engine would take all of it for gigabytes of text. */
function holdHeapSmall(): () => void {
  let isHeld = true
  holders += 1
  setFlagsFromString(`${growth}=1`)
  return () => {
    if (!isHeld) return
    isHeld = false
    holders -= 1
    // 2 is the engine's own value.
    if (holders === 0) setFlagsFromString(`${growth}=2`)
  }
}
