import type { Strings } from '../../strings/strings-for.ts'
import type { CommandIo } from '../command-io.ts'
import { type ColourOptions, type Paint, paintFor } from './paint.ts'

/** What lists are drawn on. */
export interface TextScreen {
  readonly paint: Paint
  /** The width that tables keep to. */
  readonly columns: number
  /** Whether lines may run past the width: true where they are read by programs and not by a person at a terminal. */
  readonly endless: boolean
}

/** What an account is drawn on. */
export interface Screen extends TextScreen {
  readonly strings: Strings['view']
}

/** The standard output as something an account is drawn on, which needs 60 columns. */
export function createScreen(strings: Strings['view'], options: ColourOptions, io: CommandIo): Screen {
  return { strings, ...createTextScreen(options, io, 60) }
}

/** The standard output as something lists are drawn on: at most 200 columns, and at least so many. */
export function createTextScreen(options: ColourOptions, io: CommandIo, least = 30): TextScreen {
  const given = givenColumns(io)
  const columns = (io.stdout.isTerminal ? io.stdout.columns : null) ?? given ?? 80
  return {
    paint: paintFor(io.stdout, options, io),
    columns: Math.min(200, Math.max(least, columns)),
    endless: !io.stdout.isTerminal && given === null,
  }
}

function givenColumns({ environment }: CommandIo): number | null {
  const columns = Number(environment['COLUMNS'] ?? '')
  return Number.isInteger(columns) && columns > 0 ? columns : null
}
