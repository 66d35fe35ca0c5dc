import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { displayWidth } from '../terminal/text.ts'
import {
  type Editor,
  type EditorMove,
  editorRows,
  editorWith,
  emptyEditor,
  expandPastes,
  insertText,
  moveEditor,
  moveLine,
  pasteText,
} from './line-editor.ts'

const at = (marked: string): Editor => ({ text: marked.replace('|', ''), cursor: marked.indexOf('|'), pastes: [] })
const shown = ({ text, cursor }: Editor) => `${text.slice(0, cursor)}|${text.slice(cursor)}`
const pasted = (lines: number) => `pasted ${lines} lines`

describe('moving and deleting', () => {
  it.each<[before: string, move: EditorMove, after: string]>([
    ['ab|c', 'left', 'a|bc'],
    ['|abc', 'left', '|abc'],
    ['ab|c', 'right', 'abc|'],
    ['你👨‍👩‍👧|', 'left', '你|👨‍👩‍👧'],
    ['你👨‍👩‍👧|', 'backspace', '你|'],
    ['e\u0301|', 'backspace', '|'],
    ['one two|', 'word-left', 'one |two'],
    ['one| two', 'word-right', 'one two|'],
    ['one\ntwo|', 'line-start', 'one\n|two'],
    ['o|ne\ntwo', 'line-end', 'one|\ntwo'],
    ['one two |', 'kill-word', 'one |'],
    ['one\ntw|o', 'kill-start', 'one\n|o'],
    ['o|ne\ntwo', 'kill-end', 'o|\ntwo'],
    ['one|\ntwo', 'kill-end', 'one|two'],
    ['a|bc', 'delete', 'a|c'],
    ['abc|', 'delete', 'abc|'],
  ])('changes %s with %s to %s', (before, move, expected) => expect(shown(moveEditor(at(before), move))).toBe(expected))

  it.each<[before: string, by: -1 | 1, after: string | null]>([
    ['one\ntw|o', -1, 'on|e\ntwo'],
    ['o|ne\ntwo', 1, 'one\nt|wo'],
    ['one|\n', 1, 'one\n|'],
    ['one|', -1, null],
    ['一二|\nabcdef', 1, '一二\nabcd|ef'],
  ])('moves the cursor in %s by %i lines to %s', (before, by, expected) => {
    const moved = moveLine(at(before), by)
    expect(moved === null ? null : shown(moved)).toBe(expected)
  })
})

describe('pasting', () => {
  it('inserts a short text unchanged', () => expect(pasteText(editorWith('a '), 'b\r\nc', pasted).text).toBe('a b\nc'))

  it('shows a long text as a marker and sends it in full', () => {
    const lines = Array.from({ length: 240 }, (_, index) => `line ${index}`).join('\n')
    const editor = insertText(pasteText(editorWith('see '), lines, pasted), ' please')
    expect(editor.text).toBe('see [pasted 240 lines] please')
    expect(expandPastes(editor)).toBe(`see ${lines} please`)
  })

  it('distinguishes two pastes of the same length and deletes a marker as one character', () => {
    const long = (letter: string) => `${letter}\n`.repeat(10)
    const editor = pasteText(pasteText(emptyEditor, long('a'), pasted), long('b'), pasted)
    expect(editor.text).toBe('[pasted 10 lines][pasted 10 lines #2]')
    expect(expandPastes(editor)).toBe(long('a') + long('b'))
    expect(moveEditor(editor, 'backspace').text).toBe('[pasted 10 lines]')
  })
})

describe('rows', () => {
  it.each<[marked: string, columns: number, rows: readonly string[], row: number, column: number]>([
    ['|', 10, [''], 0, 0],
    ['abc|', 3, ['abc', ''], 1, 0],
    ['ab|c', 2, ['ab', 'c'], 1, 0],
    ['a|\nb', 5, ['a', 'b'], 0, 1],
    ['你好|吗', 4, ['你好', '吗'], 1, 0],
    ['a你|好', 4, ['a你', '好'], 1, 0],
  ])('wrap %j in %i columns', (marked, columns, rows, row, column) =>
    expect(editorRows(at(marked), columns)).toEqual({ rows, row, column }),
  )

  it('hold all of the text, none too wide, with the cursor inside', () => {
    let wrapped = 0
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', ' ', '\n', '你', 'é', '👍'), maxLength: 60 }),
        fc.nat(60),
        fc.integer({ min: 4, max: 12 }),
        (text, place, columns) => {
          const cursor = moveEditor({ text, cursor: Math.min(place, text.length), pastes: [] }, 'right').cursor
          const { rows, row, column } = editorRows({ text, cursor, pastes: [] }, columns)
          expect(rows.join('')).toBe(text.replaceAll('\n', ''))
          expect(rows.every((line) => displayWidth(line) <= columns)).toBe(true)
          expect(row < rows.length && column <= columns).toBe(true)
          if (rows.length > text.split('\n').length) wrapped += 1
        },
      ),
    )
    expect(wrapped).toBeGreaterThan(5)
  })
})
