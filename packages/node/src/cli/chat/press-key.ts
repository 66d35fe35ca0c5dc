import type { Dialog, DialogAnswer } from './chat-state.ts'
import {
  type Editor,
  type EditorMove,
  editorWith,
  emptyEditor,
  expandPastes,
  insertText,
  moveEditor,
  moveLine,
  pasteText,
  replaceRange,
} from './line-editor.ts'
import type { Completion } from './slash-commands.ts'

export interface InputState {
  readonly editor: Editor
  /** How many messages back the shown one is; null for the user's own text. */
  readonly back: number | null
  readonly draft: Editor
  readonly selected: number
  readonly isClosed: boolean
  /** Set after a first key that acts when it is pressed again. */
  readonly armed: 'quit' | 'rewind' | null
  readonly reason: Editor | null
}

export const emptyInput: InputState = {
  editor: emptyEditor,
  back: null,
  draft: emptyEditor,
  selected: 0,
  isClosed: false,
  armed: null,
  reason: null,
}

/** A key, or several characters that arrived at once. */
export type KeyPress =
  | { readonly name: 'text' | 'paste'; readonly text: string }
  | { readonly name: 'move'; readonly move: EditorMove }
  | { readonly name: PlainKey }

export type PlainKey =
  | 'enter'
  | 'alt-enter'
  | 'new-line'
  | 'tab'
  | 'escape'
  | 'double-escape'
  | 'up'
  | 'down'
  | 'interrupt'
  | 'end-of-input'

export interface Situation {
  readonly isBusy: boolean
  readonly dialog: Dialog | null
  readonly completion: Completion | null
  readonly history: () => readonly string[]
  readonly pasted: (lines: number) => string
}

/** The effect of a key outside the prompt. */
export type Intent =
  /** Sends a text: `queue` waits for the end of the running turn. */
  | { readonly kind: 'submit' | 'queue'; readonly text: string }
  | { readonly kind: 'cancel' | 'quit' | 'rewind' }
  | { readonly kind: 'answer'; readonly answer: DialogAnswer }

export interface Pressed {
  readonly input: InputState
  readonly intent: Intent | null
}

/** Returns the prompt after a key, and its effect. Pure. */
export function pressKey(input: InputState, key: KeyPress, situation: Situation): Pressed {
  const calm = input.armed === null ? input : { ...input, armed: null }
  if (situation.dialog !== null) return inDialog(calm, key, situation.dialog)
  if (key.name === 'interrupt') return interrupt(input, situation)
  if (key.name === 'end-of-input')
    return input.editor.text === '' ? intend(calm, { kind: 'quit' }) : stay(edited(calm, moveEditor(calm.editor, 'delete')))
  if (key.name === 'escape' || key.name === 'double-escape') return escape(input, key.name === 'double-escape', situation)
  const completed = situation.completion === null ? null : inCompletion(calm, key, situation.completion)
  return completed ?? atPrompt(calm, key, situation)
}

function atPrompt(input: InputState, key: KeyPress, situation: Situation): Pressed {
  const { editor } = input
  if (key.name === 'enter') return enter(input)
  if (key.name === 'alt-enter' && situation.isBusy) return submit(input, 'queue')
  if (key.name === 'up' || key.name === 'down') {
    const by = key.name === 'up' ? -1 : 1
    const moved = moveLine(editor, by)
    return stay(moved === null ? recallText(input, by, situation.history()) : { ...input, editor: moved })
  }
  return stay(edited(input, editWith(editor, key, situation.pasted)))
}

/** A trailing backslash makes a new line; otherwise the text is sent. */
function enter(input: InputState): Pressed {
  const { editor } = input
  const { text, cursor } = editor
  if (text[cursor - 1] === '\\' && cursor === text.length)
    return stay(edited(input, replaceRange(editor, cursor - 1, cursor, '\n')))
  return submit(input, 'submit')
}

function submit(input: InputState, kind: 'submit' | 'queue'): Pressed {
  const text = expandPastes(input.editor)
  return text.trim() === '' ? stay(input) : intend(emptyInput, { kind, text })
}

function interrupt(input: InputState, { isBusy }: Situation): Pressed {
  if (isBusy) return intend({ ...input, armed: null }, { kind: 'cancel' })
  if (input.editor.text !== '') return stay(emptyInput)
  return input.armed === 'quit' ? intend(emptyInput, { kind: 'quit' }) : stay({ ...input, armed: 'quit' })
}

function escape(input: InputState, isDouble: boolean, { isBusy, completion }: Situation): Pressed {
  if (completion !== null && !isDouble) return stay({ ...input, isClosed: true, armed: null })
  if (isBusy) return intend({ ...input, armed: null }, { kind: 'cancel' })
  if (input.editor.text !== '') return stay(isDouble ? emptyInput : { ...input, armed: null })
  if (isDouble || input.armed === 'rewind') return intend(emptyInput, { kind: 'rewind' })
  return stay({ ...input, armed: 'rewind' })
}

/** Null for keys that mean the same without a list of completions. */
function inCompletion(input: InputState, { name }: KeyPress, completion: Completion): Pressed | null {
  const { candidates } = completion
  const chosen = candidates[Math.min(input.selected, candidates.length - 1)]
  if (chosen === undefined) return null
  if (name === 'up' || name === 'down')
    return stay({ ...input, selected: step(input.selected, name === 'up' ? -1 : 1, candidates.length) })
  if (name !== 'tab' && name !== 'enter') return null
  const typed = input.editor.text.slice(completion.start, completion.end)
  // A complete command is sent, not completed again.
  if (name === 'enter' && completion.kind === 'command' && typed === chosen.text.trimEnd()) return null
  return stay(edited(input, replaceRange(input.editor, completion.start, completion.end, chosen.text)))
}

function inDialog(input: InputState, key: KeyPress, dialog: Dialog): Pressed {
  switch (dialog.kind) {
    case 'permission':
      return input.reason === null ? atPermission(input, key) : typingReason(input, input.reason, key)
    case 'choices': {
      if (isLeaving(key)) return picked(input, dialog.dismiss)
      const index = key.name === 'text' ? dialog.choices.findIndex((choice) => choice.key === key.text.toLowerCase()) : -1
      return index >= 0 ? picked(input, index) : stay(input)
    }
    case 'list': {
      if (isLeaving(key)) return picked(input, null)
      if (key.name === 'enter')
        return dialog.rows.length === 0 ? picked(input, null) : picked(input, Math.min(input.selected, dialog.rows.length - 1))
      if (key.name === 'up' || key.name === 'down')
        return stay({ ...input, selected: step(input.selected, key.name === 'up' ? -1 : 1, dialog.rows.length) })
      return stay(input)
    }
  }
}

function atPermission(input: InputState, key: KeyPress): Pressed {
  if (isLeaving(key)) return permit(input, { kind: 'no', reason: null }, true)
  if (key.name !== 'text') return stay(input)
  switch (key.text.toLowerCase()) {
    case 'y':
      return permit(input, { kind: 'once' }, false)
    case 'a':
      return permit(input, { kind: 'session' }, false)
    case 'n':
      return permit(input, { kind: 'no', reason: null }, false)
    case 't':
      return stay({ ...input, reason: emptyEditor })
    default:
      return stay(input)
  }
}

function typingReason(input: InputState, reason: Editor, key: KeyPress): Pressed {
  if (key.name === 'enter') return permit(input, { kind: 'no', reason: expandPastes(reason) }, false)
  if (key.name === 'interrupt') return permit(input, { kind: 'no', reason: null }, true)
  if (key.name === 'escape' || key.name === 'double-escape') return stay({ ...input, reason: null })
  return stay({ ...input, reason: editWith(reason, key, (lines) => `${lines}`) })
}

function editWith(editor: Editor, key: KeyPress, pasted: Situation['pasted']): Editor {
  if (key.name === 'text') return insertText(editor, key.text)
  if (key.name === 'paste') return pasteText(editor, key.text, pasted)
  if (key.name === 'new-line' || key.name === 'alt-enter') return insertText(editor, '\n')
  return key.name === 'move' ? moveEditor(editor, key.move) : editor
}

function recallText(input: InputState, by: -1 | 1, history: readonly string[]): InputState {
  const back = (input.back ?? 0) - by
  if (back > history.length || back < 0) return input
  const draft = input.back === null ? input.editor : input.draft
  if (back === 0) return { ...input, back: null, editor: draft }
  return { ...input, back, draft, editor: editorWith(history[history.length - back] ?? ''), isClosed: true }
}

function edited(input: InputState, editor: Editor): InputState {
  const isSame = editor.text === input.editor.text
  return {
    ...input,
    editor,
    selected: isSame ? input.selected : 0,
    isClosed: isSame && input.isClosed,
    back: isSame ? input.back : null,
  }
}

function isLeaving({ name }: KeyPress): boolean {
  return name === 'escape' || name === 'double-escape' || name === 'interrupt'
}

function step(selected: number, by: -1 | 1, length: number): number {
  return length === 0 ? 0 : (Math.min(selected, length - 1) + by + length) % length
}

function permit(input: InputState, answer: Extract<DialogAnswer, { kind: 'permission' }>['answer'], stop: boolean): Pressed {
  return intend({ ...input, selected: 0, reason: null }, { kind: 'answer', answer: { kind: 'permission', answer, stop } })
}

function picked(input: InputState, index: number | null): Pressed {
  return intend({ ...input, selected: 0 }, { kind: 'answer', answer: { kind: 'picked', index } })
}

function stay(input: InputState): Pressed {
  return { input, intent: null }
}

function intend(input: InputState, intent: Intent): Pressed {
  return { input, intent }
}
