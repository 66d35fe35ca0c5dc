import { wouldFail } from '../../shared/event.ts'
import type { Strings } from '../../strings/strings-for.ts'
import type { Paint } from '../terminal/screen.ts'
import { cleanLine, cleanLines, cutToWidth, displayWidth, grouped, wrapText } from '../terminal/text.ts'
import { type Drawing, diffLines } from './block-lines.ts'
import type { ChatState, Dialog, PermissionDialog } from './chat-state.ts'
import { type Editor, editorRows, emptyEditor } from './line-editor.ts'
import { liveLines, type Status, statusLines } from './live-lines.ts'
import type { InputState } from './press-key.ts'
import type { Completion } from './slash-commands.ts'

interface FrameInput {
  readonly state: ChatState
  readonly input: InputState
  readonly completion: Completion | null
  readonly status: Status
  readonly rows: number
}

/**
 * Draws the bottom of the terminal: current work, the question or the prompt, and the status line. Never higher than the terminal.
 */
export function drawFrame({ state, input, completion, status, rows }: FrameInput, drawing: Drawing) {
  const { paint, columns, strings } = drawing
  const { chat } = strings
  const { dialog } = state
  const max = Math.max(6, rows - 2)
  const foot = footLines(input, status, drawing)
  const isTyping = dialog === null || input.reason !== null
  const editor = input.reason ?? (dialog === null ? input.editor : emptyEditor)
  const prompt = isTyping ? promptRows(editor, Math.max(2, Math.min(10, max - 4)), drawing) : null
  const left = max - 1 - foot.length - (prompt?.lines.length ?? 0)
  const { selected } = input
  const drawn = { strings: chat, paint, columns, max: Math.max(4, left), selected, isTyping: input.reason !== null }
  const question =
    dialog === null ? completionLines(completion, selected, Math.max(3, Math.min(9, left)), drawing) : dialogLines(dialog, drawn)
  const below = [...(dialog === null ? [] : question), ...(prompt?.lines ?? []), ...(dialog === null ? question : []), ...foot]
  const room = max - below.length - 1
  const live = room > 0 ? liveLines(state, status.now, room, drawing) : []
  const lines = [...live, ...(room > 1 ? [''] : []), ...below].map((line) => line || ' ')
  const above = lines.length - below.length + (dialog === null ? 0 : question.length)
  // A frame higher than the terminal would be drawn again and again from its top.
  const cut = Math.max(0, lines.length - Math.max(3, rows - 1))
  const cursor = prompt === null ? null : { x: prompt.x, y: Math.max(0, above + prompt.y - cut) }
  return { lines: lines.slice(cut), cursor }
}

function promptRows(editor: Editor, max: number, { strings, paint, columns }: Drawing) {
  const width = Math.max(4, columns - 3)
  const { rows, row, column } = editorRows(editor, width)
  const start = Math.max(0, Math.min(row - max + 1, rows.length - max))
  const shown = rows.slice(start, start + max)
  const lines =
    editor.text === ''
      ? [`${paint('bold', '›')} ${paint('dim', cutToWidth(strings.chat.placeholder, width))}`]
      : shown.map((line, index) => `${start + index === 0 ? paint('bold', '›') : ' '} ${line}`)
  return { lines, x: column + 2, y: row - start }
}

function completionLines(completion: Completion | null, selected: number, max: number, drawing: Drawing): readonly string[] {
  if (completion === null || completion.candidates.length === 0) return []
  const { columns, paint, strings } = drawing
  const { candidates } = completion
  const widest = Math.min(Math.floor(columns * 0.6), Math.max(...candidates.map(({ label }) => displayWidth(label))))
  const rows = candidates.map(({ label, detail }) => {
    const name = cutToWidth(label, widest)
    return `${name}${' '.repeat(Math.max(0, widest - displayWidth(name)))}  ${detail}`
  })
  const [, ...list] = listLines('', rows, {
    strings: strings.chat,
    paint,
    columns,
    max: max + 1,
    selected: Math.min(selected, rows.length - 1),
  })
  return list.slice(0, -1)
}

function footLines({ armed }: InputState, status: Status, { strings, columns, paint }: Drawing): readonly string[] {
  const { chat } = strings
  if (armed === 'quit') return [paint('warning', cutToWidth(chat.againToQuit, columns))]
  if (armed === 'rewind') return [paint('warning', cutToWidth(chat.againToRewind, columns))]
  return statusLines(status, chat, columns, paint)
}

interface DialogDrawing {
  readonly strings: Strings['chat']
  readonly paint: Paint
  readonly columns: number
  readonly max: number
  readonly selected: number
  /** Whether the user is typing a reason for the model. */
  readonly isTyping: boolean
}

const maxPreviewLines = 30

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
  const { strings, paint, columns, max, isTyping } = drawing
  const { tool, about, access, preview, scope } = request
  const title = strings.mayRun[access === 'write' ? 'write' : 'run'](cleanLine(tool))
  const keys = isTyping ? [strings.typeReason] : [strings.permissionKeys[scope === 'call' ? 'call' : 'tool'](cleanLine(tool))]
  const head = [
    ...wrapText(title, columns).map((line) => paint('warning', line)),
    ...aboutLines(about, columns - 2, strings).map((line) => `  ${line}`),
    ...(wouldFail(request) ? wrapText(strings.wouldFail, columns) : []),
  ]
  const foot = keys.flatMap((line) => wrapAnswers(line, columns)).map((line) => paint('bold', line))
  const room = Math.max(0, Math.min(maxPreviewLines, max - head.length - foot.length - 1))
  const whole = preview === null ? '' : withoutLastBreaks(preview)
  const shown = whole === '' ? [] : cleanLines(whole.slice(0, maxShownLength)).slice(0, room)
  const more = whole === '' ? 0 : lineCount(whole) - shown.length
  return [
    ...head,
    ...diffLines(shown, columns - 2, paint).map((line) => `  ${line}`),
    ...(more > 0 ? [paint('dim', `  ${strings.moreLines(grouped(more))}`)] : []),
    ...foot,
  ]
}

const maxAboutLines = 6
const maxShownLength = 100_000

/** Keeps the end, because the worst may be there, and counts the omitted lines between. */
function aboutLines(about: string, columns: number, strings: Strings['chat']): readonly string[] {
  const lines = cleanLines(about).flatMap((line) => wrapText(line, columns))
  if (lines.length <= maxAboutLines) return lines
  const first = lines.slice(0, maxAboutLines - 2)
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

/** Breaks between answers, which two blanks separate. */
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

function listLines(title: string, rows: readonly string[], drawing: Omit<DialogDrawing, 'isTyping'>): readonly string[] {
  const { strings, paint, columns, max, selected } = drawing
  const room = Math.max(1, max - 2)
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
