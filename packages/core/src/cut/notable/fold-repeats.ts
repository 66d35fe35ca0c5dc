import { grouped } from '../../text/lines.ts'
import { terminalText } from '../../text/terminal-text.ts'

/**
 * Folds runs of lines that are equal but for times, durations, percentages, sizes, counters and progress bars into their first and last, with the number
 * between them. Numbers of any other kind say what a line is about and are never folded. Null if that saves little.
 */
export function foldRepeats(text: string): string | null {
  const pieces: string[] = []
  let copied = 0
  let run: Run | null = null
  const finish = (): void => {
    if (run === null || run.count < minRun) return
    const between = `... ${grouped(run.count - 2)} more lines like it ...\n`
    if (between.length >= run.lastStart - run.firstEnd) return
    pieces.push(text.slice(copied, run.firstEnd), between)
    copied = run.lastStart
  }
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline
    const isLong = end - start > maxLineLength || end === start
    // Most neighbours differ in their first letters, which is cheaper to see.
    const mayRepeat: boolean = run !== null && !isLong && isAlike(text, run.lastStart, start)
    const mask: string | null = mayRepeat ? maskOf(text.slice(start, end)) : null
    if (run !== null && mask !== null && (run.mask ??= maskOf(text.slice(run.lastStart, run.firstEnd - 1))) === mask) {
      run.count += 1
      run.lastStart = start
    } else {
      finish()
      run = isLong ? null : { mask, count: 1, firstEnd: end + 1, lastStart: start }
    }
    start = end + 1
  }
  finish()
  const folded = pieces.join('') + text.slice(copied)
  return folded.length <= text.length * maxShare ? folded : null
}

interface Run {
  mask: string | null
  count: number
  /** Behind the newline of the first line. */
  readonly firstEnd: number
  lastStart: number
}

const minRun = 4
const maxLineLength = 1000
const maxShare = 0.8
const compared = 6

function isAlike(text: string, one: number, other: number): boolean {
  for (let offset = 0; offset < compared; offset += 1) {
    const [a, b] = [text.charCodeAt(one + offset), text.charCodeAt(other + offset)]
    if (a !== b && isLetter(a) && isLetter(b)) return false
  }
  return true
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

function maskOf(line: string): string {
  let mask = terminalText(line)
  for (const [pattern, sign] of changing) mask = mask.replaceAll(pattern, sign)
  return mask
}

const changing: readonly (readonly [RegExp, string])[] = [
  [/\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d{1,9})?\b/g, '<time>'],
  [/\b\d{1,9}(?:\.\d{1,9})? ?%/g, '<part>'],
  [/\b\d{1,9}(?:[.,]\d{1,9})? ?(?:[kKMGT]i?)?[bB](?:ytes)?(?:\/s)?\b/g, '<size>'],
  [/\b\d{1,9}(?:\.\d{1,9})? ?(?:ns|us|µs|ms|s|sec|seconds|min|m|h)\b/g, '<time>'],
  [/\b\d{1,9}(?: of |\/)\d{1,9}\b/g, '<part>'],
  [/\[[#=█▓▒░━─>.\- ]{0,200}\]|[#=█▓▒░━─>.\- ]{3,}/g, '<bar>'],
  [/[⠀-⣿◐◓◑◒]/g, '<bar>'],
]
