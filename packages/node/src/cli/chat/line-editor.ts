import { displayWidth } from '../terminal/text.ts'

/** A text that is being typed. Long pastes are markers in it and are sent in full. */
export interface Editor {
  readonly text: string
  /** In UTF-16 units. */
  readonly cursor: number
  readonly pastes: readonly { readonly marker: string; readonly text: string }[]
}

export const emptyEditor: Editor = { text: '', cursor: 0, pastes: [] }

export function editorWith(text: string): Editor {
  return { text, cursor: text.length, pastes: [] }
}

/** Returns the text as it is sent: with every paste in place of its marker. */
export function expandPastes({ text, pastes }: Editor): string {
  return pastes.reduce((whole, paste) => whole.split(paste.marker).join(paste.text), text)
}

export function insertText(editor: Editor, text: string): Editor {
  return replaceRange(editor, editor.cursor, editor.cursor, text)
}

/** Replaces a range, and puts the cursor after it. */
export function replaceRange(editor: Editor, start: number, end: number, text: string): Editor {
  const { text: old } = editor
  return { ...editor, text: old.slice(0, start) + text + old.slice(end), cursor: start + text.length }
}

/** More lines or characters than these are shown as a marker. */
const maxPastedLines = 5
const maxPastedCharacters = 1000

/** Inserts pasted text at the cursor; a long one as a marker, which `describe` writes. */
export function pasteText(editor: Editor, pasted: string, describe: (lines: number) => string): Editor {
  const text = pasted.replace(/\r\n?/g, '\n')
  const lines = text.replace(/\n$/, '').split('\n').length
  if (lines <= maxPastedLines && text.length <= maxPastedCharacters) return insertText(editor, text)
  const same = editor.pastes.filter((paste) => paste.marker.startsWith(`[${describe(lines)}`)).length
  const marker = same === 0 ? `[${describe(lines)}]` : `[${describe(lines)} #${same + 1}]`
  return { ...insertText(editor, marker), pastes: [...editor.pastes, { marker, text }] }
}

/** The editor after a key that moves or deletes. */
export function moveEditor(editor: Editor, move: EditorMove): Editor {
  return moves[move](editor)
}

export type EditorMove = keyof typeof moves

const moves = {
  left: (editor: Editor) => ({ ...editor, cursor: before(editor) }),
  right: (editor: Editor) => ({ ...editor, cursor: after(editor) }),
  'word-left': (editor: Editor) => ({ ...editor, cursor: wordStart(editor) }),
  'word-right': (editor: Editor) => ({ ...editor, cursor: wordEnd(editor) }),
  'line-start': (editor: Editor) => ({ ...editor, cursor: lineStart(editor.text, editor.cursor) }),
  'line-end': (editor: Editor) => ({ ...editor, cursor: lineEnd(editor.text, editor.cursor) }),
  backspace: (editor: Editor) => replaceRange(editor, before(editor), editor.cursor, ''),
  delete: (editor: Editor) => replaceRange(editor, editor.cursor, after(editor), ''),
  'kill-start': (editor: Editor) => replaceRange(editor, lineStart(editor.text, editor.cursor), editor.cursor, ''),
  'kill-end': (editor: Editor) => {
    const { text, cursor } = editor
    const end = lineEnd(text, cursor)
    // At the end of a line the line break itself goes, as in every shell.
    return replaceRange(editor, cursor, end === cursor ? Math.min(text.length, end + 1) : end, '')
  },
  'kill-word': (editor: Editor) => replaceRange(editor, wordStart(editor), editor.cursor, ''),
}

/** Moves the cursor a line up or down; null if there is no such line. */
export function moveLine(editor: Editor, by: -1 | 1): Editor | null {
  const { text, cursor } = editor
  const start = lineStart(text, cursor)
  const end = lineEnd(text, cursor)
  if (by === -1 ? start === 0 : end === text.length) return null
  const target = by === -1 ? lineStart(text, start - 1) : end + 1
  const width = displayWidth(text.slice(start, cursor))
  return { ...editor, cursor: target + indexAtWidth(text.slice(target, lineEnd(text, target)), width) }
}

/** Breaks the text at line ends and at the end of a row, and finds the cursor in the rows. */
export function editorRows({ text, cursor }: Editor, columns: number) {
  const rows: string[] = ['']
  let width = 0
  let at = { row: 0, column: 0 }
  let index = 0
  const last = () => rows.length - 1
  for (const { segment } of graphemes.segment(text)) {
    const isBreak = segment === '\n' || segment === '\r\n'
    const own = isBreak ? 0 : displayWidth(segment)
    if (!isBreak && width + own > columns) {
      rows.push('')
      width = 0
    }
    if (index === cursor) at = { row: last(), column: width }
    if (isBreak) {
      rows.push('')
      width = 0
    } else {
      rows[last()] += segment
      width += own
    }
    index += segment.length
  }
  if (cursor >= index) {
    if (width >= columns) rows.push('')
    at = { row: last(), column: width >= columns ? 0 : width }
  }
  return { rows, ...at }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
/** No grapheme is longer, in UTF-16 units. */
const maxGraphemeLength = 64

function before({ text, cursor, pastes }: Editor): number {
  const left = text.slice(0, cursor)
  const marker = pastes.find((paste) => left.endsWith(paste.marker))?.marker
  if (marker !== undefined) return cursor - marker.length
  const near = left.slice(-maxGraphemeLength)
  const last = [...graphemes.segment(near)].at(-1)?.segment ?? ''
  return cursor - last.length
}

function after({ text, cursor, pastes }: Editor): number {
  const right = text.slice(cursor)
  const marker = pastes.find((paste) => right.startsWith(paste.marker))?.marker
  if (marker !== undefined) return cursor + marker.length
  const [first] = graphemes.segment(right.slice(0, maxGraphemeLength))
  return cursor + (first?.segment.length ?? 0)
}

function lineStart(text: string, index: number): number {
  return index <= 0 ? 0 : text.lastIndexOf('\n', index - 1) + 1
}

function lineEnd(text: string, index: number): number {
  const end = text.indexOf('\n', index)
  return end < 0 ? text.length : end
}

function wordStart({ text, cursor }: Editor): number {
  let index = cursor
  while (index > 0 && isBlank(text[index - 1])) index -= 1
  while (index > 0 && !isBlank(text[index - 1])) index -= 1
  return index
}

function wordEnd({ text, cursor }: Editor): number {
  let index = cursor
  while (index < text.length && isBlank(text[index])) index += 1
  while (index < text.length && !isBlank(text[index])) index += 1
  return index
}

function isBlank(character: string | undefined): boolean {
  return character === undefined || /\s/.test(character)
}

function indexAtWidth(line: string, width: number): number {
  let index = 0
  let passed = 0
  for (const { segment } of graphemes.segment(line)) {
    passed += displayWidth(segment)
    if (passed > width) break
    index += segment.length
  }
  return index
}
