import { StringDecoder } from 'node:string_decoder'
import { terminalText } from '@plimsoll/core'
import type { StreamName } from './run-command.ts'

/** Makes of what a command writes the text that a terminal would show in the end, in memory that does not grow with it. */
export interface TerminalReader {
  /** The text that is certain by now. A line is when it ends, because until then it may be written over. */
  readonly read: (stream: StreamName, bytes: Buffer) => string
  readonly end: () => string
  /** Whether there were bytes that are no text. */
  readonly isBinary: () => boolean
}

/** A reader of two streams that go to one terminal. */
export function createTerminalReader(): TerminalReader {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let line = ''
  let isBinary = false

  function take(text: string): string {
    isBinary ||= text.includes('\0') || text.includes('\ufffd')
    const end = text.lastIndexOf('\n')
    if (end === -1) {
      line += text
      return line.length > longestLine ? shortenLine() : ''
    }
    const whole = line + text.slice(0, end + 1)
    line = text.slice(end + 1)
    return shown(whole) + (line.length > longestLine ? shortenLine() : '')
  }

  /** What was written over in a line without end is forgotten; where that is not enough, its beginning is certain. */
  function shortenLine(): string {
    const back = line.lastIndexOf('\r')
    const folded = back === -1 ? line : terminalText(line.slice(0, back)) + line.slice(back)
    if (folded.length <= longestLine / 2) {
      line = folded
      return ''
    }
    // The beginning of an escape sequence makes no sense without its end.
    const escape = folded.lastIndexOf('\x1b')
    const end = escape > folded.length - longestEscape ? escape : folded.length
    line = folded.slice(end)
    return shown(folded.slice(0, end))
  }

  return {
    read: (stream, bytes) => take(decoders[stream].write(bytes)),
    end() {
      const certain = take(decoders.stdout.end() + decoders.stderr.end())
      const last = shown(line)
      line = ''
      return certain + last
    },
    isBinary: () => isBinary,
  }
}

const longestLine = 65_536
const longestEscape = 200

// What `terminalText` does something about; a text without any is left alone, however many lines it has.
const control = /[\x00-\x08\x0b-\x1f\x7f\x9b]/

function shown(text: string): string {
  return control.test(text) ? text.split('\n').map(terminalText).join('\n') : text
}
