import type { ToolOutcome } from '@plimsoll/core'
import { redactSecrets } from '@plimsoll/core'
import type { ToolContext } from '../tool.ts'
import { createCommandOutput } from './command-output.ts'
import { exitCodeOf, exitLine } from './exit-line.ts'
import { createOutputProgress } from './output-progress.ts'
import { redactedPieces } from './redacted-pieces.ts'
import type { CommandEnd, StreamName } from './run-command.ts'
import { createStderrTail } from './stderr-tail.ts'
import { createTerminalReader } from './terminal-reader.ts'

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
