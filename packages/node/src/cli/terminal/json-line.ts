import { escapedPieces } from '@plimsoll/core/text'
import type { Strings } from '../../strings/strings-for.ts'
import { CommandError } from '../command-error.ts'
import type { Output } from '../command-io.ts'

/**
 * A value as one line of JSON, in pieces, with nothing in it that could act on a terminal. Throws `CommandError`, naming what the
 * value is about, when it is too large for one line.
 */
export function jsonLine(value: unknown, name: string, { trouble }: Strings): Iterable<string> {
  try {
    return pieces(JSON.stringify(value))
  } catch (error) {
    // The only thing that can go wrong with plain data: the answer is longer than a string can be.
    if (error instanceof RangeError) throw new CommandError(trouble.tooLargeToPrint(name), 1)
    throw error
  }
}

/** Writes a value as such a line. */
export function writeJson(value: unknown, name: string, strings: Strings, output: Output): void {
  for (const piece of jsonLine(value, name, strings)) output.write(piece)
}

function* pieces(json: string): Generator<string, void> {
  yield* escapedPieces(json)
  yield '\n'
}
