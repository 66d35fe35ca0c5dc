import { escapedPieces, escapeUnprintable, unprintable } from '../../../packages/core/src/text/labels.ts'
import { terminalText } from '../../../packages/core/src/text/terminal-text.ts'
import { cleanLine, cleanLines, cleanText } from '../../../packages/node/src/cli/terminal/text.ts'
import { createTerminalReader } from '../../../packages/node/src/tools/command/terminal-reader.ts'
import { holds, type Target } from '../target.ts'

/** Untrusted text that is printed on a terminal. */
export const terminalTarget: Target = {
  name: 'terminal',
  form: 'text',
  choices: 2,
  longest: 5000,
  covers: [
    'packages/core/src/text/labels.ts',
    'packages/core/src/text/terminal-text.ts',
    'packages/node/src/cli/terminal/text.ts',
    'packages/node/src/tools/command/terminal-reader.ts',
  ],
  seeds: () => [
    'plain',
    '\x1b[31mred\x1b[0m',
    'a\rb\b\bc\x1b[2Kd\x1b[5Ge\x1b[1D',
    '\x1b]0;title\x07text\x1b]8;;http://x\x1b\\link',
    '\x9b31m\x90dcs\x9c',
    'x'.repeat(2100),
    '\u202eevil\u2066\u{e0041}',
    '50%\r60%\r\n100%\r\n',
  ],
  words: [
    '\x1b[',
    '\x1b]',
    '\x1b\\',
    '\x1bP',
    '\x9b',
    '\x9d',
    '\x07',
    '\x1b[K',
    '\x1b[1K',
    '\x1b[2K',
    '\x1b[999999999C',
    '\x1b[5G',
    '\x1b[3D',
    '\r',
  ],
  maxSteps: 60,
  check({ text, choices: [one = 0, size = 0] }) {
    for (const clean of [cleanText(text), cleanLine(text), ...cleanLines(text), escapeUnprintable(text)])
      holds(clean.search(unprintable) < 0, 'nothing unprintable is left')
    holds(
      [...escapedPieces(text, 1 + (size % 40))].join('') === escapeUnprintable(text),
      'escaping in pieces equals escaping at once',
    )
    holds(cleanText(cleanText(text)) === cleanText(text), 'cleaning twice changes nothing more')
    for (const line of text.split('\n')) {
      const shown = terminalText(line)
      holds(!/[\x00-\x08\x0b-\x1f\x7f\x9b]/.test(shown), 'no escape code is left')
      holds(shown.length <= line.length, 'a line gets no longer')
      holds(terminalText(shown) === shown, 'rendering twice changes nothing more')
    }
    const bytes = Buffer.from(text)
    const place = one % (bytes.length + 1)
    holds(read([bytes]) === read([bytes.subarray(0, place), bytes.subarray(place)]), 'output does not depend on chunks')
  },
}

function read(chunks: readonly Buffer[]): string {
  const reader = createTerminalReader()
  return chunks.map((chunk) => reader.read('stdout', chunk)).join('') + reader.end()
}
