import { cutToWidth, displayWidth } from '../terminal/text-width.ts'
import type { Drawing } from './block-lines.ts'
import type { ChatState } from './chat-state.ts'
import type { Completion } from './complete.ts'
import { dialogLines, listLines } from './dialog-lines.ts'
import { type Editor, editorRows, emptyEditor } from './line-editor.ts'
import { liveLines } from './live-lines.ts'
import type { InputState } from './press-key.ts'
import { type Status, statusLines } from './status-line.ts'

/** Everything that is drawn anew at each change, and where the cursor stands. */
export interface Frame {
  readonly lines: readonly string[]
  readonly cursor: { readonly x: number; readonly y: number } | null
}

/** What a frame is made of. */
export interface FrameInput {
  readonly state: ChatState
  readonly input: InputState
  readonly completion: Completion | null
  readonly status: Status
  readonly rows: number
}

/** The bottom of the terminal: what is going on, the question or the prompt, and the status line. Never higher than the terminal. */
export function drawFrame({ state, input, completion, status, rows }: FrameInput, drawing: Drawing): Frame {
  const { paint, columns, strings } = drawing
  const { chat } = strings
  const { dialog } = state
  const most = Math.max(6, rows - 2)
  const foot = footLines(input, status, drawing)
  const isTyping = dialog === null || input.reason !== null
  const editor = input.reason ?? (dialog === null ? input.editor : emptyEditor)
  const prompt = isTyping ? promptRows(editor, Math.max(2, Math.min(10, most - 4)), drawing) : null
  const question =
    dialog === null
      ? completionLines(
          completion,
          input.selected,
          Math.max(3, Math.min(9, most - (prompt?.lines.length ?? 0) - foot.length - 1)),
          drawing,
        )
      : dialogLines(dialog, {
          strings: chat,
          paint,
          columns,
          most: Math.max(4, most - 1 - foot.length - (prompt?.lines.length ?? 0)),
          selected: input.selected,
          isTyping: input.reason !== null,
        })
  const below = [...(dialog === null ? [] : question), ...(prompt?.lines ?? []), ...(dialog === null ? question : []), ...foot]
  const room = most - below.length - 1
  const live = room > 0 ? liveLines(state, status.now, room, drawing) : []
  const lines = [...live, ...(room > 1 ? [''] : []), ...below].map((line) => line || ' ')
  const above = lines.length - below.length + (dialog === null ? 0 : question.length)
  // A frame that is higher than the terminal would be drawn again and again from its top.
  const cut = Math.max(0, lines.length - Math.max(3, rows - 1))
  const cursor = prompt === null ? null : { x: prompt.x, y: Math.max(0, above + prompt.y - cut) }
  return { lines: lines.slice(cut), cursor }
}

function promptRows(editor: Editor, most: number, { strings, paint, columns }: Drawing) {
  const width = Math.max(4, columns - 3)
  const { rows, row, column } = editorRows(editor, width)
  const start = Math.max(0, Math.min(row - most + 1, rows.length - most))
  const shown = rows.slice(start, start + most)
  const lines =
    editor.text === ''
      ? [`${paint('bold', '›')} ${paint('dim', cutToWidth(strings.chat.placeholder, width))}`]
      : shown.map((line, index) => `${start + index === 0 ? paint('bold', '›') : ' '} ${line}`)
  return { lines, x: column + 2, y: row - start }
}

function completionLines(completion: Completion | null, selected: number, most: number, drawing: Drawing): readonly string[] {
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
    most: most + 1,
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
