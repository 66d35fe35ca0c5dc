import type { Key } from 'ink'
import type { KeyPress } from './press-key.ts'

/** Keys as ink tells them, in the words of the prompt. One chunk of a terminal can hold several. */
export function readKeys(input: string, key: Key): readonly KeyPress[] {
  if (key.eventType === 'release') return []
  const special = specialKey(input, key)
  if (special !== null) return special
  if (input === '' || key.ctrl || key.super) return []
  // Fast typing, and terminals that do not mark what is pasted, send many characters at once.
  const text = input.replace(/\r\n?/g, '\n')
  const last = text.indexOf('\n')
  if (last < 0) return [{ name: 'text', text: printable(text) }]
  if (last === text.length - 1) return [press('text', printable(text.slice(0, -1))), press('enter')]
  return [press('paste', printable(text))]
}

/** What was typed holds nothing that acts on the terminal. */
function printable(text: string): string {
  // biome-ignore lint: control characters are what is looked for
  return text.replace(/\t/g, '    ').replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '')
}

function specialKey(input: string, key: Key): readonly KeyPress[] | null {
  if (key.escape) return [press(key.meta ? 'double-escape' : 'escape')]
  if (key.return) return [press(key.meta || key.shift ? 'new-line' : 'enter')]
  if (input === '\n') return [press('new-line')]
  if (key.tab) return key.shift ? [] : [press('tab')]
  if (key.upArrow) return [press('up')]
  if (key.downArrow) return [press('down')]
  if (key.leftArrow) return [press(key.meta || key.ctrl ? 'word-left' : 'left')]
  if (key.rightArrow) return [press(key.meta || key.ctrl ? 'word-right' : 'right')]
  if (key.home) return [press('line-start')]
  if (key.end) return [press('line-end')]
  if (key.backspace) return [press(key.meta ? 'kill-word' : 'backspace')]
  if (key.delete) return [press('delete')]
  if (key.ctrl) {
    const name = controls[input]
    return name === undefined ? [] : [press(name)]
  }
  if (key.meta) return input === 'b' ? [press('word-left')] : input === 'f' ? [press('word-right')] : []
  return null
}

const controls: Readonly<Record<string, KeyPress['name']>> = {
  a: 'line-start',
  e: 'line-end',
  u: 'kill-start',
  k: 'kill-end',
  w: 'kill-word',
  b: 'left',
  f: 'right',
  p: 'up',
  n: 'down',
  h: 'backspace',
  c: 'interrupt',
  d: 'end-of-input',
  j: 'new-line',
}

function press(name: KeyPress['name'], text = ''): KeyPress {
  return { name, text }
}
