/** Ends a command with a sentence for its user: 1 for a failure, 2 for a command or configuration that cannot be meant. */
export class CommandError extends Error {
  override readonly name = 'CommandError'
  readonly exitCode: 1 | 2

  constructor(message: string, exitCode: 1 | 2) {
    super(message)
    this.exitCode = exitCode
  }
}
