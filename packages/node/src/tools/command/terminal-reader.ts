import { StringDecoder } from 'node:string_decoder'
import { terminalText } from '@plimsoll/core/text'
import type { StreamName } from './run-command.ts'

/** Turns what a command writes into the text that a terminal would show in the end, in memory that does not grow with it. */
export function createTerminalReader() {
  const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
  let line = ''
  let isBinary = false

  function take(text: string): string {
    isBinary ||= text.includes('\0') || text.includes('\ufffd')
    const end = text.lastIndexOf('\n') + 1
    const whole = end === 0 ? '' : line + text.slice(0, end)
    line = end === 0 ? line + text : text.slice(end)
    return shown(whole) + (line.length > maxLine ? shortenLine() : '')
  }

  /** Forgets what was written over in an endless line; if that is not enough, its start is certain. */
  function shortenLine(): string {
    const back = line.lastIndexOf('\r')
    const folded = back === -1 ? line : terminalText(line.slice(0, back)) + line.slice(back)
    if (folded.length <= maxLine / 2) {
      line = folded
      return ''
    }
    // The start of an escape sequence makes no sense without its end.
    const escape = folded.lastIndexOf('\x1b')
    const end = escape > folded.length - maxEscape ? escape : folded.length
    line = folded.slice(end)
    return shown(folded.slice(0, end))
  }

  return {
    /** The text that is certain by now. A line is certain when it ends, because until then it may be written over. */
    read: (stream: StreamName, bytes: Buffer) => take(decoders[stream].write(bytes)),
    end(): string {
      const certain = take(decoders.stdout.end() + decoders.stderr.end())
      const last = shown(line)
      line = ''
      return certain + last
    },
    isBinary: () => isBinary,
  }
}

const maxLine = 65_536
const maxEscape = 200

// Characters that `terminalText` changes; a text without any of them is returned unchanged, at any length.
const control = /[\x00-\x08\x0b-\x1f\x7f\x9b]/

function shown(text: string): string {
  return control.test(text) ? text.split('\n').map(terminalText).join('\n') : text
}

/** Redacts many lines at once, since secrets are recognized by their surroundings, and waits for the end of a private key. */
export function redactedPieces(redact: (text: string) => string) {
  let waiting = ''
  const take = (end: number): string => {
    const certain = waiting.slice(0, end)
    waiting = waiting.slice(end)
    return redact(certain)
  }
  return {
    write(piece: string): string {
      waiting += piece
      return waiting.length < enough ? '' : take(certainEnd(waiting))
    },
    end: () => take(waiting.length),
  }
}

const enough = 131_072
const maxBlock = 20_000

function certainEnd(text: string): number {
  const line = text.lastIndexOf('\n') + 1
  const start = text.length - maxBlock
  const isInside = (text.charCodeAt(start) & 0xfc00) === 0xdc00
  const end = line > 0 ? line : isInside ? start - 1 : start
  const block = text.lastIndexOf('-----BEGIN ', end)
  const close = text.indexOf('-----END ', block)
  // Its last line may have started after the last whole one.
  const isOpen = block > end - maxBlock && block !== -1 && (close === -1 || close >= end)
  return isOpen ? block : end
}
