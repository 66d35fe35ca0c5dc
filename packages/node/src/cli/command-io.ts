import { readFileSync } from 'node:fs'
import type { Strings } from '../strings/strings-for.ts'

/** A stream that text is written to. */
export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** The width in columns, where it is known. */
  readonly columns: number | null
  /** How long a command may work without a word, in milliseconds. Default: a second. */
  readonly patience?: number
}

/** Everything a command touches outside its arguments, so that it can run inside a test. */
export interface CommandIo {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: AsyncIterable<Uint8Array>
  /** Whether a person sits at standard input, so that nothing comes unless it is typed. Default: false. */
  readonly isInputTerminal?: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  /** The folder the command was called in. */
  readonly folder: string
  readonly platform: string
  /** Told which language is spoken, once the settings are read. */
  readonly speak?: (strings: Strings) => void
  /** The time in milliseconds. */
  readonly now: () => number
  /** From this call on, the first Ctrl-C fires the signal and ends nothing. Default: it always ends the process. */
  readonly interrupted?: () => AbortSignal
  /** From this call on, the first wish to end fires the signal and ends nothing; the second one ends the process. */
  readonly stopped?: () => AbortSignal
  /** From this call on, no wish to end ends anything: each is told instead, until the function that comes back is called. */
  readonly onSignal?: (listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) => () => void
}

/** Ends a command with a sentence for its user: 1 for a failure, 2 for a command or configuration that cannot be meant. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Ends this program with the code of another one, without a word: that one has said everything. */
export class EndedWith extends Error {
  override readonly name = 'EndedWith'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Resolves when a signal fires, or at once where it has fired already. */
export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The language of the environment, such as `zh_CN.UTF-8`; null when it names none. */
export function environmentLocale(environment: Readonly<Record<string, string | undefined>>): string | null {
  for (const key of ['LC_ALL', 'LC_MESSAGES', 'LANG']) {
    const value = environment[key]
    if (value !== undefined && value !== '') return value
  }
  return null
}

/** The version of this package, as its manifest says. */
export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
