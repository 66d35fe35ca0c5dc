import { createRequire } from 'node:module'
import { escapeUnprintable, grouped, unprintable } from '@plimsoll/core/text'
import type { Output } from '../command-io.ts'

export { sizeText } from '../../files/time-and-size.ts'
export { grouped }

/** Counts the columns of a text on a terminal: two for wide characters, none for colour codes and combining marks. */
export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length
  // Loaded with the first text that needs it: its tables would slow down the start of every command by a tenth.
  stringWidth ??= (createRequire(import.meta.url)('string-width') as typeof import('string-width')).default
  return stringWidth(text)
}

let stringWidth: typeof import('string-width').default | undefined

/** Cuts a text to a number of columns, with `…` at the end. */
export function cutToWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  if (columns <= 0) return ''
  let result = ''
  let width = 0
  for (const { segment } of graphemesOf(text)) {
    width += graphemeWidth(segment)
    if (width > columns - 1) break
    result += segment
  }
  return `${result}…`
}

export function fitWidth(text: string, columns: number, side: 'left' | 'right' = 'left'): string {
  const cut = cutToWidth(text, columns)
  const blanks = ' '.repeat(Math.max(0, columns - displayWidth(cut)))
  return side === 'left' ? cut + blanks : blanks + cut
}

/** Writes a name with a text that is wrapped next to it. */
export function besideName(name: string, text: string, width: number, columns: number): readonly string[] {
  return wrapText(text, Math.max(16, columns - width - 4)).map(
    (line, index) => `  ${index === 0 ? fitWidth(name, width) : ' '.repeat(width)}${line}`,
  )
}

/** Breaks a text into lines of at most a number of columns, at blanks, or anywhere in text without blanks. */
export function wrapText(text: string, columns: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of pieces(text, columns)) {
    if (line !== '' && displayWidth(line) + displayWidth(word.trimEnd()) > columns) {
      lines.push(line.trimEnd())
      line = ''
    }
    line += word
  }
  if (line.trimEnd() !== '') lines.push(line.trimEnd())
  return lines
}

/** Pieces with their trailing blank. A line may end after any wide character, and anywhere in an over-long word. */
function pieces(text: string, columns: number): readonly string[] {
  return text.split(/(?<=\s)/).flatMap((word) => {
    if (plain.test(word) && word.length <= columns) return [word]
    const parts: string[] = []
    let piece = ''
    for (const { segment } of graphemesOf(word)) {
      if (
        piece !== '' &&
        (graphemeWidth(segment) > 1 || displayWidth(piece) + graphemeWidth(segment) > columns) &&
        !closing.test(segment) &&
        !opening.test(piece)
      ) {
        parts.push(piece)
        piece = ''
      }
      piece += segment
    }
    return [...parts, piece]
  })
}

const plain = /^[ -~]*$/
/** Made with the first text that needs it: loading the rules of languages takes a tenth of the start of a command. */
let segmenter: Intl.Segmenter | undefined

function graphemesOf(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return segmenter.segment(text)
}

const closing = /^[，。、；：？！）】》”’]/
const opening = /(?:^|[^（【《“‘])[（【《“‘]$/

/** Measuring one character takes as long as a whole text. */
const widths = new Map<string, number>()

function graphemeWidth(grapheme: string): number {
  const width = widths.get(grapheme) ?? displayWidth(grapheme)
  if (widths.size > 20_000) widths.clear()
  widths.set(grapheme, width)
  return width
}

/** Longer pieces are never shown. */
const maxPieceLength = 2000

/**
 * Makes one line of text safe to print: removes escape sequences, control characters and marks that reorder or hide text; line
 * ends become blanks.
 */
export function cleanText(text: string): string {
  return text
    .slice(0, maxPieceLength)
    .toWellFormed()
    .replace(escapeSequence, '')
    .replace(/[\t\n\v\f\r\u0085\u2028\u2029]+/g, ' ')
    .replace(unprintable, '')
}

/** Quotes user input for a message, safe to print. */
export function quotedText(given: string | undefined): string {
  return cleanText(JSON.stringify(given ?? ''))
}

/** A word of a command line to copy: safe to print, and for a shell nothing but a word. */
export function shellWord(text: string): string {
  const clean = cleanText(text)
  return /^[\w./:@+=][\w./:@+=~-]*$/.test(clean) ? clean : `'${clean.replaceAll("'", "'\\''")}'`
}

// CSI with its parameters; OSC, DCS, SOS, PM and APC up to their end; any other two-character sequence.
const escapeSequence =
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]?|(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)?|\u001b[ -/]*[0-~]?/g

/**
 * Writes a text from a log: unchanged to a file or a program; to a terminal, or if asked to, with everything escaped that would act on
 * a terminal, and with its last line ended.
 */
export function writeText(text: string, output: Output, isEscaped = output.isTerminal): void {
  if (!isEscaped) {
    if (text !== '') output.write(text)
    return
  }
  for (const line of text.replace(/\n$/, '').split('\n')) output.write(`${escapeUnprintable(line.replaceAll('\t', '    '))}\n`)
}

/** Makes the lines of a text safe to print: nothing in them acts on the terminal or hides or reorders text. */
export function cleanLines(text: string): readonly string[] {
  return text.split(/\r?\n/).map(cleanLine)
}

/** Makes one such line. Keeps the last state of a line that was overwritten, as progress bars do. */
export function cleanLine(line: string): string {
  const written = line.endsWith('\r') ? line.slice(0, -1) : line
  const last = written.slice(written.lastIndexOf('\r') + 1).replaceAll('\t', '    ')
  if (last.length <= maxPieceLength) return cleanText(last)
  let result = ''
  for (let start = 0; start < last.length; ) {
    const end = start + maxPieceLength
    // A pair of surrogates is one character.
    const next = /[\ud800-\udbff]/.test(last[end - 1] ?? '') ? end - 1 : end
    result += cleanText(last.slice(start, next))
    start = next
  }
  return result
}

/** 12.3 % for a share from 0 to 1. */
export function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`
}

/** -58.3 %, +0.4 %, or 0 % if nothing changed. */
export function change(before: number, after: number): string {
  if (before === after || before === 0) return '0 %'
  // A rest is never rounded to nothing.
  const share = after > 0 ? Math.max(after / before - 1, -0.999) : -1
  return `${share > 0 ? '+' : ''}${percent(share)}`
}

/** 812, 9,412, 12.3k, 1.2M, 450M. */
export function shortNumber(count: number): string {
  if (count < 9999.5) return grouped(count)
  const units = ['', 'k', 'M', 'B', 'T']
  let size = count
  let unit = 0
  while (size >= 999.5 && unit < units.length - 1) {
    size /= 1000
    unit += 1
  }
  return `${size >= 99.95 ? grouped(size) : size.toFixed(1)}${units[unit]}`
}

/** Dollars with cents, and more digits for smaller amounts. */
export function moneyText(dollars: number): string {
  if (dollars === 0) return '$0.00'
  if (dollars < 0.01) return `$${dollars.toFixed(4)}`
  return `$${dollars.toFixed(dollars < 1 ? 3 : 2)}`
}

export function tildePath(path: string, home: string | null): string {
  if (home === null || home === '' || home === '/') return path
  const isBelow = path === home || path.startsWith(`${home}/`) || path.startsWith(`${home}\\`)
  return isBelow ? `~${path.slice(home.length)}` : path
}

/** 812, 12.3k, 1.2M. */
export function shortTokens(tokens: number): string {
  if (tokens < 1000) return `${Math.round(tokens)}`
  if (tokens < 999_500) return `${(tokens / 1000).toFixed(tokens < 99_950 ? 1 : 0).replace(/\.0$/, '')}k`
  return `${(tokens / 1_000_000).toFixed(1).replace(/\.0$/, '')}M`
}

/** 0.4 s, 12 s, 3 min 05 s. */
export function durationText(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  if (seconds < 60) return `${Math.round(seconds)} s`
  const whole = Math.round(seconds)
  return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, '0')} s`
}
