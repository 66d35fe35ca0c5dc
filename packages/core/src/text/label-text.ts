import { escapeMarks } from './escape-marks.ts'
import { oneLine } from './one-line.ts'

/**
 * A name, a path or a line of somebody else's inside a line of ours: on one line of about so many characters, with nothing in it that
 * acts on a terminal or passes for a handle or a reminder.
 */
export function labelText(text: string, characters: number): string {
  return escapeMarks(oneLine(text, characters))
}
