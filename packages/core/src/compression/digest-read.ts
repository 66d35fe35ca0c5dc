import { countLines } from '../truncation/code-points.ts'
import { firstLines } from '../truncation/line-ends.ts'
import { subject } from './digest-entries.ts'
import type { DigestFields, DigestSource } from './digest-source.ts'
import { noteIn } from './read-result.ts'

/** What was read of a file: its path, which lines, and their text with numbers, up to the limit of lines. */
export function digestRead(text: string, { about, input, settings }: DigestSource): DigestFields {
  const total = countLines(text)
  const kept = firstLines(text, settings.read_lines)
  const path = subject('path', about)
  if (total <= settings.read_lines) return { ...path, content: text, ...noteIn(text) }
  const isNumbered = numbered.test(kept)
  const first = isNumbered ? Number(numbered.exec(kept)?.[1]) : firstLine(input)
  return {
    ...path,
    lines: `${first}-${isNumbered ? (lastNumber(kept) ?? first) : first + countLines(kept) - 1}`,
    total_lines: total,
    content: isNumbered ? kept : numberLines(kept, first),
    ...noteIn(text),
  }
}

/** A line that has its number before it, as reading tools write it; a heading may stand above the first. */
const numbered = /^(?:[^\n]{0,400}\n){0,2}?\s{0,12}(\d{1,9})(?:→|\t|\||: )/

function lastNumber(text: string): number | null {
  const found = /^\s{0,12}(\d{1,9})(?:→|\t|\||: )/.exec(text.slice(text.lastIndexOf('\n') + 1).slice(0, 30))
  return found === null ? null : Number(found[1])
}

function numberLines(text: string, first: number): string {
  return text
    .split('\n')
    .map((line, index) => `${first + index}→${line}`)
    .join('\n')
}

/** Where the part of the file that was asked for begins. */
function firstLine(input: DigestFields | null): number {
  const range = input?.['view_range']
  const asked = [input?.['offset'], input?.['start_line'], input?.['startLine'], Array.isArray(range) ? range[0] : undefined]
  return asked.find((value): value is number => Number.isSafeInteger(value) && (value as number) > 0) ?? 1
}
