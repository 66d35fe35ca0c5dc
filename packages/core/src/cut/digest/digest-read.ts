import type { DigestFields, DigestSource } from '../../facts.ts'
import { countLines } from '../../text/code-points.ts'
import { firstLines } from '../../text/line-ends.ts'
import { subject } from './digest-entries.ts'
import { noteIn } from './read-result.ts'

/** What was read of a file: its path, which lines, and their text with numbers, up to the limit of lines. */
export function digestRead(text: string, { about, fields, input, settings }: DigestSource): DigestFields {
  const path = subject('path', about)
  if (countLines(text) <= settings.read_lines) return { ...path, content: text, ...noteIn(text) }
  const banner = partBanner.exec(text)
  const body = banner === null ? text : text.slice(banner[0].length)
  const kept = firstLines(body, settings.read_lines)
  const lines = kept.split('\n')
  const own = ownNumbers(lines)
  const first = own?.first ?? (banner === null ? (firstLine(fields) ?? firstLine(input) ?? 1) : Number(banner[1]))
  const last = own === null ? first + lines.length - 1 : own.last
  return {
    ...path,
    ...(last === null ? {} : { lines: `${first}-${last}` }),
    lines_read: countLines(body),
    content: own === null ? lines.map((line, index) => `${first + index}→${line}`).join('\n') : kept,
    ...noteIn(text),
  }
}

/** What stands above a part of a file that has no numbers of its own, as Gemini CLI writes it. */
const partBanner =
  /^\s{0,4}IMPORTANT: The file content has been truncated\.\s{1,4}Status: Showing lines (\d{1,9})-\d{1,9} of [^\n]{1,80}\n[^\n]{0,500}\n{1,3}--- FILE CONTENT[^\n]{0,80}\n/

/** A line that has its number before it, as reading tools write it. */
const numbered = /^\s{0,12}L?(\d{1,9})(?:→|\t| ?\||: )/

interface OwnNumbers {
  readonly first: number
  /** Null where the lines are not one range, as in a read of several files. */
  readonly last: number | null
}

/** The numbers lines have of their own; a heading may stand above. Data whose columns begin with a number does not count up. */
function ownNumbers(lines: readonly string[]): OwnNumbers | null {
  const above = lines.slice(0, 3).findIndex((line) => numbered.test(line))
  const first = numberOf(lines[above])
  if (first === null) return null
  const next = lines[above + 1]
  if (next !== undefined && numberOf(next) !== first + 1) return null
  const last = first + lines.length - above - 1
  return { first, last: numberOf(lines.at(-1)) === last ? last : null }
}

function numberOf(line: string | undefined): number | null {
  const found = line === undefined ? null : numbered.exec(line.slice(0, 40))
  return found === null ? null : Number(found[1])
}

/** Where the part of the file begins that was asked for or answered with. */
function firstLine(fields: DigestFields | null): number | undefined {
  const range = fields?.['view_range']
  const said = [fields?.['offset'], fields?.['start_line'], fields?.['startLine'], Array.isArray(range) ? range[0] : undefined]
  return said.find((value): value is number => Number.isSafeInteger(value) && (value as number) > 0)
}
