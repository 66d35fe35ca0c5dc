import type { Repaired } from '../../repair/repair-file.ts'
import type { Mend } from '../../shared/mend.ts'
import type { Strings } from '../../strings/strings-for.ts'
import { cleanText } from '../terminal/clean-text.ts'
import { grouped, sizeText } from '../terminal/format-number.ts'
import type { TextScreen } from '../terminal/screen.ts'
import { displayWidth, wrapText } from '../terminal/text-width.ts'

/** So many mends are named; a log whose every line is broken has more than anybody reads. */
const mostShown = 40

/** What was mended, line by line, and where the copy is. */
export function repairScreen(
  repaired: Repaired,
  file: string,
  strings: Strings['repair'],
  { paint, columns }: TextScreen,
): string {
  const { format, lines, mends, copy, pictures, left } = repaired
  const wrapped = (text: string) => wrapText(text, columns)
  const head = [strings.title(file, format), ...(lines === null ? [] : [strings.lines(lines, grouped(lines))])].join(', ')
  const out = wrapped(head).map((line) => paint('bold', line))
  if (copy === null) out.push(...wrapped(strings.whole))
  else {
    out.push(`${strings.mended(mends.length, grouped(mends.length))}:`, '')
    for (const line of mendLines(mends.slice(0, mostShown), lines === null, strings, columns)) out.push(line)
    if (mends.length > mostShown) out.push(paint('dim', `  ${strings.more(grouped(mends.length - mostShown))}`))
    out.push('', ...wrapped(strings.written(cleanText(copy.path), sizeText(copy.bytes))))
    if (pictures !== null) out.push(...wrapped(strings.pictures(pictures.count, cleanText(pictures.folder))))
    out.push(...wrapped(strings.untouched))
    if (left === null) out.push(...wrapped(strings.checked).map((line) => paint('good', line)))
  }
  if (left !== null) out.push(...wrapped(strings.left(left.unreadable, left.problems)).map((line) => paint('warning', line)))
  return `${out.join('\n')}\n`
}

function mendLines(mends: readonly Mend[], isDocument: boolean, strings: Strings['repair'], columns: number): readonly string[] {
  const rows = mends.map((mend) => ({ place: placeOf(mend, isDocument, strings), text: mendText(mend, strings) }))
  const widest = Math.max(0, ...rows.map(({ place }) => displayWidth(place)))
  return rows.flatMap(({ place, text }) =>
    wrapText(text, Math.max(20, columns - widest - 4)).map((line, index) =>
      index === 0 ? `  ${place}${' '.repeat(widest - displayWidth(place))}  ${line}` : `${' '.repeat(widest + 4)}${line}`,
    ),
  )
}

function placeOf({ kind, line }: Mend, isDocument: boolean, strings: Strings['repair']): string {
  return isDocument && kind !== 'closed-document' ? strings.message(grouped(line)) : strings.line(grouped(line))
}

function mendText({ kind, to, tool, file }: Mend, strings: Strings['repair']): string {
  const details = [
    ...(to === undefined || kind === 'moved-result' || kind === 'moved-entry'
      ? []
      : [to === null ? strings.toBeginning : strings.to(grouped(to))]),
    ...(tool === undefined || tool === '' ? [] : [strings.tool(cleanText(tool))]),
    ...(file === undefined ? [] : [file]),
  ]
  return details.length === 0 ? strings.mends[kind] : `${strings.mends[kind]} (${details.join(', ')})`
}
