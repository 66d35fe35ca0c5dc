import type { Key } from 'ink'
import { describe, expect, it } from 'vitest'
import type { KeyPress } from './press-key.ts'
import { readKeys } from './read-key.ts'

const none: Key = {
  upArrow: false,
  downArrow: false,
  leftArrow: false,
  rightArrow: false,
  pageDown: false,
  pageUp: false,
  home: false,
  end: false,
  return: false,
  escape: false,
  ctrl: false,
  shift: false,
  tab: false,
  backspace: false,
  delete: false,
  meta: false,
  super: false,
  hyper: false,
  capsLock: false,
  numLock: false,
}

describe('keys', () => {
  it.each<[name: string, input: string, key: Partial<Key>, keys: readonly KeyPress[]]>([
    ['a letter', 'a', {}, [{ name: 'text', text: 'a' }]],
    ['a word and Enter in one chunk', 'hi\r', {}, [{ name: 'text', text: 'hi' }, { name: 'enter' }]],
    ['lines pasted without bracketed paste', 'a\rb\r', {}, [{ name: 'paste', text: 'a\nb\n' }]],
    [
      'a control key before a word',
      '\u0015hi\r',
      {},
      [{ name: 'move', move: 'kill-start' }, { name: 'text', text: 'hi' }, { name: 'enter' }],
    ],
    ['Enter', '', { return: true }, [{ name: 'enter' }]],
    ['Alt+Enter', '', { return: true, meta: true }, [{ name: 'alt-enter' }]],
    ['Shift+Enter', '', { return: true, shift: true }, [{ name: 'new-line' }]],
    ['Ctrl-J', '\n', {}, [{ name: 'new-line' }]],
    ['Esc', '', { escape: true }, [{ name: 'escape' }]],
    ['Esc Esc', '', { escape: true, meta: true }, [{ name: 'double-escape' }]],
    ['Ctrl-C', 'c', { ctrl: true }, [{ name: 'interrupt' }]],
    ['Ctrl-D', 'd', { ctrl: true }, [{ name: 'end-of-input' }]],
    ['Ctrl-W', 'w', { ctrl: true }, [{ name: 'move', move: 'kill-word' }]],
    ['Alt-B', 'b', { meta: true }, [{ name: 'move', move: 'word-left' }]],
    ['an unknown key', 'x', { ctrl: true }, []],
    ['a released key', 'a', { eventType: 'release' }, []],
    ['text with control characters', 'a\u009b31mb\u007f', {}, [{ name: 'text', text: 'a31mb' }]],
  ])('%s', (_name, input, key, keys) => expect(readKeys(input, { ...none, ...key })).toEqual(keys))
})
