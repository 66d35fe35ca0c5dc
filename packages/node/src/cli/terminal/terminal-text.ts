import { escapeUnprintable } from '@plimsoll/core/text'
import type { Output } from '../command-io.ts'

/**
 * Writes a text from a log: bit for bit where it goes to a file or a program, and with everything that would act on a terminal
 * escaped where it goes to one, where it also ends its last line.
 */
export function writeText(text: string, output: Output): void {
  if (!output.isTerminal) {
    if (text !== '') output.write(text)
    return
  }
  for (const line of text.replace(/\n$/, '').split('\n')) output.write(`${escapeUnprintable(line.replaceAll('\t', '    '))}\n`)
}
