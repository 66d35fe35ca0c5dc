import { grouped } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'

/**
 * Folds runs of lines that are equal but for times, durations, percentages, sizes, counters and progress bars into their first and last, with the number
 * between them. Numbers of any other kind say what a line is about and are never folded. Null if that saves little, and for very long texts.
 */
export function foldRepeats(text: string): { readonly text: string; readonly lines: number } | null {
  if (text.length > maxLength) return null
  const pieces: string[] = []
  let copied = 0
  let lines = 0
  let run: Run | null = null
  const finish = (): void => {
    if (run === null || run.count < minRun) return
    const between = `... ${grouped(run.count - 2)} more lines like it ...\n`
    if (between.length >= run.lastStart - run.firstEnd) return
    pieces.push(text.slice(copied, run.firstEnd), between)
    lines += run.count - 2
    copied = run.lastStart
  }
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const letters = end === start || end - start > maxLineLength ? null : lettersIn(text, start, end)
    // Most neighbours differ in their letters, which is cheaper to see.
    const mask: string | null = run !== null && run.letters === letters ? maskOf(text.slice(start, end)) : null
    if (run !== null && mask !== null && (run.mask ??= maskOf(text.slice(run.lastStart, run.firstEnd - 1))) === mask) {
      run.count += 1
      run.lastStart = start
    } else {
      finish()
      run = letters === null ? null : { letters, mask, count: 1, firstEnd: end + 1, lastStart: start }
    }
    start = end + 1
  }
  finish()
  const folded = pieces.join('') + text.slice(copied)
  return folded.length <= text.length * maxShare ? { text: folded, lines } : null
}

interface Run {
  readonly letters: number
  mask: string | null
  count: number
  /** Behind the newline of the first line. */
  readonly firstEnd: number
  lastStart: number
}

const maxLength = 1_000_000
const minRun = 4
const maxLineLength = 1000
const maxShare = 0.8

function lettersIn(text: string, start: number, end: number): number {
  let hash = 0
  for (let at = start; at < end; at += 1) {
    const code = text.charCodeAt(at) | 0x20
    if (code >= 0x61 && code <= 0x7a) hash = (Math.imul(hash, 31) + code) | 0
  }
  return hash
}

function maskOf(line: string): string {
  return terminalText(line).replaceAll(changing, '~')
}

const changing = new RegExp(
  [
    '\\d{4}-\\d\\d-\\d\\d(?:[T ]\\d\\d:\\d\\d(?::\\d\\d(?:[.,]\\d{1,9})?)?(?:Z|[+-]\\d\\d:?\\d\\d)?)?',
    '\\b\\d{1,2}:\\d\\d(?::\\d\\d)?(?:[.,]\\d{1,9})?\\b',
    '\\b\\d{1,9}(?: of |/)\\d{1,9}\\b',
    '\\b\\d{1,9}(?:[.,]\\d{1,9})? ?(?:%|(?:(?:[kKMGT]i?)?[bB](?:ytes)?(?:/s)?|ns|us|µs|ms|s|sec|seconds|min|m|h)\\b)',
    '\\[[#=█▓▒░━─>.\\- ]{0,200}\\]|[#=█▓▒░━─>.\\- ]{3,5000}|[⠀-⣿◐◓◑◒]',
  ].join('|'),
  'g',
)
