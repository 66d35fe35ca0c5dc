import { describe, expect, it } from 'vitest'
import { type OpenWord, openWord } from './slash-commands.ts'

describe('the word at the cursor', () => {
  it.each<[marked: string, word: OpenWord | null]>([
    ['/|', { kind: 'command', query: '', start: 0, end: 1 }],
    ['/comp|', { kind: 'command', query: 'comp', start: 0, end: 5 }],
    ['/compact no|', null],
    ['say /comp|', null],
    ['@|', { kind: 'file', query: '', start: 0, end: 1 }],
    ['see @src/a|', { kind: 'file', query: 'src/a', start: 4, end: 10 }],
    ['see @"my fi|', { kind: 'file', query: 'my fi', start: 4, end: 11 }],
    ['a@b.c|', null],
    ['see @src/a |', null],
  ])('is found in %j', (marked, word) => {
    const cursor = marked.indexOf('|')
    expect(openWord(marked.replace('|', ''), cursor)).toEqual(word)
  })

  it('is searched only near the cursor, even in a long text', () =>
    expect(openWord(`${'@'.repeat(1_000_000)} @a`, 1_000_003)).toEqual({
      kind: 'file',
      query: 'a',
      start: 1_000_001,
      end: 1_000_003,
    }))
})
