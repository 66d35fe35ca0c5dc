import type { RecallRequest } from '@plimsoll/core/session'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { SessionOptions } from '../session-context.ts'
import { cleanText } from '../terminal/clean-text.ts'

/** The options of `plimsoll recall` as they were written. */
export interface RecallCommandOptions extends SessionOptions {
  readonly session?: string
  readonly id?: string
  readonly tool?: string
  readonly about?: string
  readonly query?: string
  readonly lines?: string
  readonly characters?: string
  readonly pattern?: string
  readonly budget?: string
}

/** What is asked for on a command line. Throws `CommandError` where it cannot be meant. */
export function recallRequest(
  handle: string | undefined,
  options: RecallCommandOptions,
  strings: Strings['sessionCommands'],
): RecallRequest {
  const { id, tool, about, query, pattern } = options
  const ways = [handle, id, tool ?? about, query].filter((way) => way !== undefined).length
  if (query?.trim() === '') throw new CommandError(strings.nothingAsked, 2)
  if (ways !== 1) throw new CommandError(ways === 0 ? strings.nothingAsked : strings.askedTwice, 2)
  const lines = rangeOf(options.lines, strings.badLines)
  const characters = rangeOf(options.characters, strings.badCharacters)
  const budget = budgetOf(options, strings)
  return {
    ...(handle === undefined ? {} : { handle }),
    ...(id === undefined ? {} : { id }),
    ...(tool === undefined ? {} : { tool }),
    ...(about === undefined ? {} : { about }),
    ...(query === undefined ? {} : { query }),
    ...(pattern === undefined ? {} : { pattern }),
    ...(lines === null ? {} : { lines }),
    ...(characters === null ? {} : { characters }),
    ...(budget === null ? {} : { budget }),
  }
}

function rangeOf(range: string | undefined, bad: (came: string) => string): readonly [number, number] | null {
  if (range === undefined) return null
  const found = /^([1-9]\d{0,8})(?:-([1-9]\d{0,8}))?$/.exec(range.trim())
  if (found === null) throw new CommandError(bad(cleanText(JSON.stringify(range))), 2)
  return [Number(found[1]), Number(found[2] ?? found[1])]
}

function budgetOf({ budget }: RecallCommandOptions, strings: Strings['sessionCommands']): number | null {
  if (budget === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(budget)) throw new CommandError(strings.badBudget(cleanText(JSON.stringify(budget))), 2)
  return Number(budget)
}
