import { readFileSync } from 'node:fs'
import type { Strings } from '../strings/strings-for.ts'
import { quotedText } from './terminal/text.ts'

export interface Output {
  readonly write: (text: string) => void
  readonly isTerminal: boolean
  /** Null if unknown. */
  readonly columns: number | null
  /** How long a command may work silently, in milliseconds. Default: a second. */
  readonly patience?: number
}

/** Everything a command touches outside its arguments, so that it can run inside a test. */
export interface CommandIo {
  readonly stdout: Output
  readonly stderr: Output
  readonly stdin: AsyncIterable<Uint8Array>
  /** Whether standard input is a keyboard, so that nothing comes unless it is typed. Default: false. */
  readonly isInputTerminal?: boolean
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly folder: string
  readonly platform: string
  /** Called with the language once the settings are read. */
  readonly speak?: (strings: Strings) => void
  readonly now: () => number
  /** From this call on, the first Ctrl-C fires the signal and does not end the process. Default: it always does. */
  readonly interrupted?: () => AbortSignal
  /** From this call on, the first signal to end fires this one; the second one ends the process. */
  readonly stopped?: () => AbortSignal
  /** Runs a module of ours in a process that goes on after this one. Default: it is not run. */
  readonly background?: (module: URL) => void
  /** From this call on, no signal ends the process: each calls the listener, until the returned function is called. */
  readonly onSignal?: (listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) => () => void
}

type ErrorCode = 1 | 2 | 126 | 127

/**
 * Ends a command with a sentence for the user: 1 for a failure, 2 for an invalid command or configuration; as shells do, 126 for
 * a program that cannot be run and 127 for one that is not found.
 */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: ErrorCode

  constructor(message: string, exitCode: ErrorCode) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Ends this program silently with the exit code of another one, which has printed its own errors. */
export class EndedWith extends Error {
  override readonly name = 'EndedWith'
  readonly exitCode: number

  constructor(exitCode: number) {
    super(`ended with ${exitCode}`)
    this.exitCode = exitCode
  }
}

/** Returns the known value that an option names. Throws `CommandError` with the sentence `bad`, which gets the input in quotes. */
export function oneOf<Known extends string>(
  given: string,
  known: readonly Known[],
  bad: (given: string, known: string) => string,
): Known {
  const found = known.find((value) => value === given)
  if (found === undefined) throw new CommandError(bad(quotedText(given), known.join(', ')), 2)
  return found
}

/** Works with something that is closed afterwards. */
export async function closing<Opened extends { readonly close: () => Promise<void> }, Result>(
  opened: Opened,
  work: (opened: Opened) => Result | Promise<Result>,
): Promise<Result> {
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** The language of the environment, such as `zh_CN.UTF-8`; null if none is set. */
export function environmentLocale(environment: Readonly<Record<string, string | undefined>>): string | null {
  for (const key of ['LC_ALL', 'LC_MESSAGES', 'LANG']) {
    const value = environment[key]
    if (value !== undefined && value !== '') return value
  }
  return null
}

export function packageVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly version: string
  }
  return manifest.version
}
