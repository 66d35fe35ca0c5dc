/** What the built-in offline model says. Texts from results and from the user arrive on one line. */
export interface OfflineModelStrings {
  /** What it thinks before its first call: the commands it found, in order. */
  readonly plan: (commands: readonly string[]) => string
  /** What it is and what it understands. */
  readonly help: string
  /** Stands above the account of what was done. */
  readonly account: string
  /** Stands before a step that follows one that failed. */
  readonly goingOn: (command: string, reason: string) => string
  readonly failed: (reason: string) => string
  readonly succeeded: string
  readonly exitCode: (code: string) => string
  readonly moreLines: (count: number) => string
  /** Of a step that the conversation shows no result of any more. */
  readonly outOfSight: string
  readonly notOffered: (tool: string) => string
  /** Stands above what was left undone because a command failed. */
  readonly stopped: (commands: readonly string[]) => string
  /** Stands above lines that are no command. */
  readonly notUnderstood: (lines: readonly string[]) => string
  readonly noSummaries: string
}
