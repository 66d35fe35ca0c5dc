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
  /** The time in milliseconds. */
  readonly now: () => number
  /** From this call on, the first Ctrl-C fires the signal and ends nothing. Default: it always ends the process. */
  readonly interrupted?: () => AbortSignal
  /** From this call on, the first wish to end fires the signal and ends nothing; the second one ends the process. */
  readonly stopped?: () => AbortSignal
  /** From this call on, no wish to end ends anything: each is told instead, until the function that comes back is called. */
  readonly onSignal?: (listener: (signal: 'SIGINT' | 'SIGTERM' | 'SIGHUP') => void) => () => void
}
