import { escapeMarks } from '../../text/labels.ts'
import { countCodePoints, grouped } from '../../text/lines.ts'
import { type Candidate, ranks } from '../salient.ts'

/** One line with the names of files that nothing else names, as many as fit, and the number of the others; null if there are none or there is no room. */
export function writeNames(
  names: readonly Candidate[],
  maxChars: number,
): { readonly start: number; readonly text: string } | null {
  const [first] = names
  if (first === undefined) return null
  const begin = `${first.line}: ${beginning.trimEnd()}`
  const total = names.reduce((sum, { alike }) => sum + 1 + alike, 0)
  const rest = (count: number) => (count === 0 ? '' : ` and ${grouped(count)} more files`)
  let length = begin.length + 1
  let fitting = 0
  for (const { text } of names) {
    const more = countCodePoints(text) + 1
    if (length + more + rest(total - fitting - 1).length > maxChars) break
    length += more
    fitting += 1
  }
  const listed = names.slice(0, fitting).map(({ text }) => ` ${text}`)
  const left = rest(total - fitting)
  // Two names beside each other must not look like a handle.
  const text = `${escapeMarks(begin + listed.join(''))}${fitting === 0 ? left.slice(' and'.length) : left}\n`
  return countCodePoints(text) > maxChars ? null : { start: first.start, text }
}

/** What a line names that `writeNames` wrote, without its number; null for any other line. The last one stands for those that did not fit. */
export function readNames(text: string, line: number): readonly Omit<Candidate, 'start' | 'end'>[] | null {
  if (!text.startsWith(beginning)) return null
  const [, more] = others.exec(text) ?? []
  const listed = text.slice(beginning.length).replace(others, '')
  const names = listed.split(' ').filter((name) => name !== '')
  const unnamed = Number((more ?? '0').replaceAll(',', ''))
  return names.map((name, index) => ({
    rank: ranks.name,
    line,
    text: name,
    kind: `file ${name}`,
    count: 1,
    alike: index === names.length - 1 ? unnamed : 0,
  }))
}

const beginning = 'also in '
const others = /(?: and|^also in|^) ?([\d,]{1,12}) more files$/

/** The file that a search names at the start of a line: `src/a.ts:12:text`, of lines around a match `src/a.ts-12-text`. */
export function fileOfMatch(line: string): string | null {
  const file = match.exec(line)?.[1] ?? null
  return file !== null && (/[\\/]/.test(file) || /\w\.[A-Za-z]\w{0,9}$/.test(file)) ? file : null
}

const match = /^((?:[A-Za-z]:[\\/])?[^:\s"'(]{1,300}?):\d{1,9}[:\t]/

/** Whether a line is a match below the name of its file, as `rg --heading` prints it. */
export function isMatchBelow(line: string): boolean {
  return /^\d{1,9}[:-]/.test(line)
}

/** Whether most lines name a file and a line in it. Reads the beginning of the text. */
export function looksLikeSearch(text: string): boolean {
  const lines = text
    .slice(0, maxRead)
    .split('\n', maxLines)
    .filter((line) => line.trim() !== '')
  return lines.filter((line) => fileOfMatch(line) !== null).length > lines.length * 0.6
}

const maxRead = 20_000
const maxLines = 100
