import type { ViewStrings } from '@plimsoll/core'
import type { CommandIo } from './command-io.ts'
import { type ColourOptions, type Paint, paintFor } from './paint.ts'

/** What an account is drawn on. */
export interface Screen {
  readonly strings: ViewStrings
  readonly paint: Paint
  /** The width that tables keep to. */
  readonly columns: number
  /** Whether a long reason may run past the width: true where lines are read by programs and not by a person at a terminal. */
  readonly endless: boolean
}

/** The standard output as something an account is drawn on: between 60 and 200 columns. */
export function createScreen(strings: ViewStrings, options: ColourOptions, io: CommandIo): Screen {
  const given = givenColumns(io)
  const columns = (io.stdout.isTerminal ? io.stdout.columns : null) ?? given ?? 80
  return {
    strings,
    paint: paintFor(io.stdout, options, io),
    columns: Math.min(200, Math.max(60, columns)),
    endless: !io.stdout.isTerminal && given === null,
  }
}

function givenColumns({ environment }: CommandIo): number | null {
  const columns = Number(environment['COLUMNS'] ?? '')
  return Number.isInteger(columns) && columns > 0 ? columns : null
}
