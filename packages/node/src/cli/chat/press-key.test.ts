import { describe, expect, it } from 'vitest'
import type { Dialog } from './chat-state.ts'
import { editorWith } from './line-editor.ts'
import { emptyInput, type InputState, type Intent, type KeyPress, type PlainKey, pressKey, type Situation } from './press-key.ts'
import type { Completion } from './slash-commands.ts'

const idle: Situation = {
  isBusy: false,
  dialog: null,
  completion: null,
  history: () => ['first', 'second'],
  pasted: (lines) => `${lines}`,
}
const busy: Situation = { ...idle, isBusy: true }
const keys = (...names: readonly (PlainKey | KeyPress)[]): readonly KeyPress[] =>
  names.map((name) => (typeof name === 'string' ? { name } : name))
const type = (text: string): KeyPress => ({ name: 'text', text })

function press(all: readonly KeyPress[], situation: Situation = idle, start: InputState = emptyInput) {
  const intents: Intent[] = []
  let input = start
  for (const key of all) {
    const pressed = pressKey(input, key, situation)
    input = pressed.input
    if (pressed.intent !== null) intents.push(pressed.intent)
  }
  return { text: input.editor.text, intents, input }
}

describe('at the prompt', () => {
  it.each<[name: string, pressed: readonly KeyPress[], text: string, intents: readonly Intent[]]>([
    ['Enter sends', keys(type('hello'), 'enter'), '', [{ kind: 'submit', text: 'hello' }]],
    ['Enter on an empty prompt does nothing', keys(type('  '), 'enter'), '  ', []],
    [
      'a backslash before Enter inserts a line break',
      keys(type('a\\'), 'enter', type('b'), 'enter'),
      '',
      [{ kind: 'submit', text: 'a\nb' }],
    ],
    ['Alt+Enter inserts a line break', keys(type('a'), 'alt-enter', type('b')), 'a\nb', []],
    ['Ctrl-D on an empty prompt quits', keys('end-of-input'), '', [{ kind: 'quit' }]],
    ['Ctrl-D in text deletes', keys(type('ab'), { name: 'move', move: 'left' }, 'end-of-input'), 'a', []],
    ['Ctrl-C clears text', keys(type('ab'), 'interrupt'), '', []],
    ['Ctrl-C once does not quit', keys('interrupt'), '', []],
    ['Ctrl-C twice quits', keys('interrupt', 'interrupt'), '', [{ kind: 'quit' }]],
    [
      'another key between two Ctrl-C cancels the first',
      keys('interrupt', type('x'), { name: 'move', move: 'backspace' }, 'interrupt'),
      '',
      [],
    ],
    ['Esc twice goes back', keys('escape', 'escape'), '', [{ kind: 'rewind' }]],
    ['Esc twice in one chunk goes back', keys('double-escape'), '', [{ kind: 'rewind' }]],
    ['Esc keeps typed text', keys(type('x'), 'escape', 'escape'), 'x', []],
    ['↑ shows the last message', keys('up'), 'second', []],
    ['↑↑ shows the one before', keys('up', 'up', 'up'), 'first', []],
    ['↓ restores the unsent text', keys(type('mine'), 'up', 'down'), 'mine', []],
  ])('%s', (_name, pressed, text, intents) => {
    const result = press(pressed)
    expect([result.text, result.intents]).toEqual([text, intents])
  })

  it('sends a paste of many lines in full', () => {
    const text = 'x\n'.repeat(300)
    expect(press(keys({ name: 'paste', text }, 'enter')).intents).toEqual([{ kind: 'submit', text }])
  })
})

describe('while the agent is running', () => {
  it.each<[name: string, key: PlainKey]>([
    ['Esc', 'escape'],
    ['Ctrl-C', 'interrupt'],
  ])('%s stops it', (_name, key) => expect(press(keys(key), busy).intents).toEqual([{ kind: 'cancel' }]))

  it('is steered with Enter, and followed by what Alt+Enter queues', () => {
    const { intents, text } = press(keys(type('a'), 'enter', type('b'), 'alt-enter'), busy)
    expect([intents, text]).toEqual([
      [
        { kind: 'submit', text: 'a' },
        { kind: 'queue', text: 'b' },
      ],
      '',
    ])
  })
})

describe('completions', () => {
  const completion: Completion = {
    kind: 'file',
    start: 4,
    end: 6,
    candidates: [
      { text: '@src/a.ts ', label: 'src/a.ts', detail: '' },
      { text: '@src/b.ts ', label: 'src/b.ts', detail: '' },
    ],
  }
  const typed: InputState = { ...emptyInput, editor: editorWith('see @s') }
  it.each<[name: string, pressed: readonly KeyPress[], text: string]>([
    ['Tab takes the first', keys('tab'), 'see @src/a.ts '],
    ['Enter takes it too', keys('enter'), 'see @src/a.ts '],
    ['↓ picks the next', keys('down', 'tab'), 'see @src/b.ts '],
    ['↑ wraps around', keys('up', 'tab'), 'see @src/b.ts '],
  ])('%s', (_name, pressed, text) => expect(press(pressed, { ...idle, completion }, typed).text).toBe(text))

  it('Esc closes the list and keeps the text', () =>
    expect(press(keys('escape'), { ...idle, completion }, typed).input).toMatchObject({ isClosed: true, editor: typed.editor }))

  it('Enter sends a fully typed command', () => {
    const commands: Completion = { kind: 'command', start: 0, end: 5, candidates: [{ text: '/cost', label: '', detail: '' }] }
    const input = { ...emptyInput, editor: editorWith('/cost') }
    expect(press(keys('enter'), { ...idle, completion: commands }, input).intents).toEqual([{ kind: 'submit', text: '/cost' }])
  })
})

describe('questions', () => {
  const permission: Dialog = {
    kind: 'permission',
    request: { callId: '1', tool: 'Edit', access: 'write', about: 'a', preview: null, scope: 'tool' },
  }
  const permit = (answer: object, stop = false) => [{ kind: 'answer', answer: { kind: 'permission', answer, stop } }]
  it.each<[name: string, pressed: readonly KeyPress[], intents: readonly object[]]>([
    ['y allows it once', keys(type('y')), permit({ kind: 'once' })],
    ['a allows it for the session', keys(type('a')), permit({ kind: 'session' })],
    ['n refuses', keys(type('n')), permit({ kind: 'no', reason: null })],
    ['Esc refuses and stops', keys('escape'), permit({ kind: 'no', reason: null }, true)],
    ['Ctrl-C refuses and stops', keys('interrupt'), permit({ kind: 'no', reason: null }, true)],
    ['t and a text refuse with a reason', keys(type('t'), type('use b'), 'enter'), permit({ kind: 'no', reason: 'use b' })],
    ['Esc discards the reason', keys(type('t'), type('us'), 'escape', type('y')), permit({ kind: 'once' })],
    ['Enter alone decides nothing', keys('enter', type('q'), type('yes')), []],
  ])('%s', (_name, pressed, intents) => expect(press(pressed, { ...busy, dialog: permission }).intents).toEqual(intents))

  it('keeps the unsent text', () => {
    const typed = { ...emptyInput, editor: editorWith('mine') }
    expect(press(keys(type('y')), { ...busy, dialog: permission }, typed).text).toBe('mine')
  })

  const choices: Dialog = {
    kind: 'choices',
    lines: ['too long'],
    choices: ['c', 'n', 'm', 'd'].map((key) => ({ key, label: key })),
    dismiss: 3,
  }
  const list: Dialog = { kind: 'list', title: '', rows: ['x', 'y', 'z'] }
  it.each<[name: string, dialog: Dialog, pressed: readonly KeyPress[], index: number | null]>([
    ['R002-20 n chooses a new session', choices, keys(type('n')), 1],
    ['a capital letter works too', choices, keys(type('M')), 2],
    ['Esc dismisses', choices, keys('escape'), 3],
    ['Enter selects the row', list, keys('down', 'down', 'enter'), 2],
    ['the rows wrap around', list, keys('up', 'enter'), 2],
    ['Esc selects none', list, keys('escape'), null],
  ])('%s', (_name, dialog, pressed, index) =>
    expect(press(pressed, { ...idle, dialog }).intents).toEqual([{ kind: 'answer', answer: { kind: 'picked', index } }]),
  )
})
