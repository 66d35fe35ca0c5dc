import type { Strings } from '../../strings/strings-for.ts'
import { grouped } from '../terminal/format-number.ts'
import type { Paint } from '../terminal/paint.ts'
import { cutToWidth, displayWidth, wrapText } from '../terminal/text-width.ts'
import { diffLines } from './block-lines.ts'
import { cleanLine, cleanLines } from './clean-lines.ts'
import type { Dialog, PermissionDialog } from './dialog.ts'

/** How a question is drawn. */
export interface DialogDrawing {
  readonly strings: Strings['chat']
  readonly paint: Paint
  readonly columns: number
  /** Lines that it may take at most. */
  readonly most: number
  /** Which row of a list the arrow stands at. */
  readonly selected: number
  /** Whether the person is typing what the model should be told. */
  readonly isTyping: boolean
}

/** Lines of a preview that are shown before the rest is counted. */
const mostPreview = 30

/** A question as lines of the terminal, with the keys that answer it. */
export function dialogLines(dialog: Dialog, drawing: DialogDrawing): readonly string[] {
  const { paint, columns } = drawing
  switch (dialog.kind) {
    case 'permission':
      return permissionLines(dialog, drawing)
    case 'choices': {
      const [title = '', ...rest] = dialog.lines
      const keys = dialog.choices.map(({ key, label }) => `[${key}] ${label}`).join('  ')
      return [
        ...wrapText(title, columns).map((line) => paint('warning', line)),
        ...rest.flatMap((line) => wrapText(line, columns)),
        ...wrapAnswers(keys, columns).map((line) => paint('bold', line)),
      ]
    }
    case 'list':
      return listLines(dialog.title, dialog.rows, drawing)
  }
}

function permissionLines({ request }: PermissionDialog, drawing: DialogDrawing): readonly string[] {
  const { strings, paint, columns, most, isTyping } = drawing
  const { tool, about, access, preview, scope } = request
  const title = strings.mayRun[access === 'write' ? 'write' : 'run'](cleanLine(tool))
  const keys = isTyping ? [strings.typeReason] : [strings.permissionKeys[scope === 'call' ? 'call' : 'tool'](cleanLine(tool))]
  const head = [
    ...wrapText(title, columns).map((line) => paint('warning', line)),
    ...aboutLines(about, columns - 2, strings).map((line) => `  ${line}`),
  ]
  const foot = keys.flatMap((line) => wrapAnswers(line, columns)).map((line) => paint('bold', line))
  const room = Math.max(0, Math.min(mostPreview, most - head.length - foot.length - 1))
  const whole = preview === null ? '' : withoutLastBreaks(preview)
  const shown = whole === '' ? [] : cleanLines(whole.slice(0, longestShown)).slice(0, room)
  const more = whole === '' ? 0 : lineCount(whole) - shown.length
  return [
    ...head,
    ...diffLines(shown, columns - 2, paint).map((line) => `  ${line}`),
    ...(more > 0 ? [paint('dim', `  ${strings.moreLines(grouped(more))}`)] : []),
    ...foot,
  ]
}

const mostAbout = 6
/** Characters that are looked at of what could never be shown whole. */
const longestShown = 100_000

/** What is asked about, with its end, where the worst may stand; what is left out between is counted. */
function aboutLines(about: string, columns: number, strings: Strings['chat']): readonly string[] {
  const lines = cleanLines(about).flatMap((line) => wrapText(line, columns))
  if (lines.length <= mostAbout) return lines
  const first = lines.slice(0, mostAbout - 2)
  return [...first, strings.moreLines(grouped(lines.length - first.length - 1)), ...lines.slice(-1)]
}

function withoutLastBreaks(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === '\n') end -= 1
  return text.slice(0, end)
}

function lineCount(text: string): number {
  let count = 1
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** Broken between answers, where one of them fits; two blanks stand between them. */
function wrapAnswers(keys: string, columns: number): readonly string[] {
  const lines: string[] = []
  for (const answer of keys.split(/ {2,}/)) {
    const last = lines.at(-1)
    const joined = last === undefined ? answer : `${last}  ${answer}`
    if (last !== undefined && displayWidth(joined) <= columns) lines[lines.length - 1] = joined
    else lines.push(answer)
  }
  return lines.flatMap((line) => wrapText(line, columns))
}

/** The rows around the one that is picked. */
export function listLines(title: string, rows: readonly string[], drawing: Omit<DialogDrawing, 'isTyping'>): readonly string[] {
  const { strings, paint, columns, most, selected } = drawing
  const room = Math.max(1, most - 2)
  const start = Math.max(0, Math.min(selected - Math.floor(room / 2), rows.length - room))
  const shown = rows.slice(start, start + room)
  return [
    paint('bold', cutToWidth(title, columns)),
    ...shown.map((row, index) => {
      const isPicked = start + index === selected
      const text = cutToWidth(`${isPicked ? '❯' : ' '} ${row}`, columns)
      return isPicked ? paint('bold', text) : text
    }),
    paint('dim', cutToWidth(strings.listKeys(`${selected + 1}/${rows.length}`), columns)),
  ]
}
