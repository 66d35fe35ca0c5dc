import { resultText, type ToolResultPart } from '@plimsoll/core'
import type { OfflineCommand } from './offline-commands.ts'

/** A command with what came of it so far, its calls in order. */
export interface OfflineStep {
  readonly command: OfflineCommand
  readonly results: readonly OfflineResult[]
}

/** What came of one call. */
export interface OfflineResult {
  readonly tool: string
  /** Null where the conversation shows none. */
  readonly part: ToolResultPart | null
  readonly isError: boolean
}

/** Why a result is a failure, in one line. */
export function reasonOf({ part }: OfflineResult): string {
  const text = part === null ? '' : resultText(part).trim()
  const [line = ''] = text.replace(/^Error:\s{0,20}/, '').split('\n')
  return clipped(line, 300)
}

/** The last word on a command; undefined where nothing was done about it. */
export function outcomeOf({ results }: OfflineStep): OfflineResult | undefined {
  return results.at(-1)
}

/** A line of at most so many characters, with a sign where it is cut; never inside a character. */
export function clipped(line: string, most: number): string {
  return line.length > most ? `${line.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : line
}
