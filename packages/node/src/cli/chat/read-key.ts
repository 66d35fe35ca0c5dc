import type { Key } from 'ink'
import type { EditorMove } from './line-editor.ts'
import type { KeyPress, PlainKey } from './press-key.ts'

/** Translates ink's keys. One chunk of a terminal can hold several. */
export function readKeys(input: string, key: Key): readonly KeyPress[] {
  if (key.eventType === 'release') return []
  const special = specialKey(input, key)
  if (special !== null) return special
  if (input === '' || key.ctrl || key.super) return []
  // Fast typing, and terminals that do not mark pastes, send many characters at once, control keys among them.
  return input.split(controlCharacter).flatMap((piece) => (controlCharacter.test(piece) ? controlKey(piece) : typedKeys(piece)))
}

/** A line end at the very end sends the text; one in the middle belongs to a paste. */
function typedKeys(piece: string): readonly KeyPress[] {
  const text = piece
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .replace(/[^\P{Cc}\n]/gu, '')
  if (text === '') return []
  const first = text.indexOf('\n')
  if (first < 0) return [{ name: 'text', text }]
  if (first === text.length - 1) return [{ name: 'text', text: text.slice(0, -1) }, { name: 'enter' }]
  return [{ name: 'paste', text }]
}

/** Ctrl with a letter, except tab and line ends. */
const controlCharacter = /([\u0001-\u0008\u000b\u000c\u000e-\u001a])/

function controlKey(character: string): readonly KeyPress[] {
  const letter = String.fromCharCode(character.charCodeAt(0) + 96)
  const plain = controls.get(letter)
  if (plain !== undefined) return [{ name: plain }]
  const move = controlMoves.get(letter)
  return move === undefined ? [] : [{ name: 'move', move }]
}

function specialKey(input: string, key: Key): readonly KeyPress[] | null {
  const plain = plainKey(input, key)
  if (plain !== null) return [{ name: plain }]
  const move = moveKey(input, key)
  if (move !== null) return [{ name: 'move', move }]
  if (key.tab) return key.shift ? [] : [{ name: 'tab' }]
  return key.ctrl || key.meta ? [] : null
}

function plainKey(input: string, key: Key): PlainKey | null {
  if (key.escape) return key.meta ? 'double-escape' : 'escape'
  if (key.return) return key.shift ? 'new-line' : key.meta ? 'alt-enter' : 'enter'
  if (key.upArrow) return 'up'
  if (key.downArrow) return 'down'
  if (input === '\n') return 'new-line'
  return key.ctrl ? (controls.get(input) ?? null) : null
}

function moveKey(input: string, key: Key): EditorMove | null {
  const isWord = key.meta || key.ctrl
  if (key.leftArrow) return isWord ? 'word-left' : 'left'
  if (key.rightArrow) return isWord ? 'word-right' : 'right'
  if (key.home) return 'line-start'
  if (key.end) return 'line-end'
  if (key.backspace) return key.meta ? 'kill-word' : 'backspace'
  if (key.delete) return 'delete'
  if (key.ctrl) return controlMoves.get(input) ?? null
  if (!key.meta) return null
  return input === 'b' ? 'word-left' : input === 'f' ? 'word-right' : null
}

const controls = new Map<string, PlainKey>([
  ['c', 'interrupt'],
  ['d', 'end-of-input'],
  ['j', 'new-line'],
  ['p', 'up'],
  ['n', 'down'],
])

const controlMoves = new Map<string, EditorMove>([
  ['a', 'line-start'],
  ['e', 'line-end'],
  ['u', 'kill-start'],
  ['k', 'kill-end'],
  ['w', 'kill-word'],
  ['b', 'left'],
  ['f', 'right'],
  ['h', 'backspace'],
])
