import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acceptMention, openWord } from './file-list.tsx'

describe('openWord', () => {
  it.each([
    ['@', 1, { search: '', start: 0, end: 1 }],
    ['look at @src/ap', 15, { search: 'src/ap', start: 8, end: 15 }],
    ['look at @src/ap please', 12, { search: 'src', start: 8, end: 12 }],
    ['(@a', 3, { search: 'a', start: 1, end: 3 }],
    ['请看@文档', 5, { search: '文档', start: 2, end: 5 }],
    ['see @"my file', 13, { search: 'my file', start: 4, end: 13 }],
    ['one\n@two', 8, { search: 'two', start: 4, end: 8 }],
    ['me@example.org', 14, null],
    ['@src/app.ts done', 16, null],
    ['see @"my file" and', 18, null],
    ['no word', 3, null],
    ['@a', 0, null],
  ])('%j at %i', (text, cursor, word) => {
    expect(openWord(text, cursor)).toStrictEqual(word)
  })

  it('ignores a word that is far too long for a file name', () => {
    expect(openWord(`@${'a'.repeat(400)}`, 401)).toBeNull()
    expect(openWord(`x${'a'.repeat(400)}@${'a'.repeat(299)}`, 701)).toBeNull()
  })
})

describe('acceptMention', () => {
  it('replaces the word with the mention and puts the cursor after a space', () => {
    const text = 'look at @ap please'
    const word = openWord(text, 11)
    expect(word && acceptMention(text, word, '@src/app.ts ')).toStrictEqual({ text: 'look at @src/app.ts please', cursor: 20 })
  })

  it('adds a space if none follows', () => {
    const word = openWord('@ap', 3)
    expect(word && acceptMention('@ap', word, '@src/app.ts')).toStrictEqual({ text: '@src/app.ts ', cursor: 12 })
  })

  it('leaves everything around the word as it was, and closes the word', () => {
    let reached = 0
    const around = fc.stringMatching(/^[a-z 文@\n]{0,12}$/)
    const piece = fc.stringMatching(/^"?[a-z 文@\n]{0,12}$/)
    fc.assert(
      fc.property(around, piece, around, (before, name, behind) => {
        const text = `${before}@${name}${behind}`
        const word = openWord(text, before.length + 1 + name.length)
        if (word === null) return
        reached += 1
        const accepted = acceptMention(text, word, '@x/y.ts ')
        expect(accepted.text.startsWith(text.slice(0, word.start))).toBe(true)
        expect(accepted.text.endsWith(text.slice(word.end))).toBe(true)
        expect(openWord(accepted.text, accepted.cursor)).toBeNull()
      }),
      { numRuns: 500 },
    )
    expect(reached).toBeGreaterThan(50)
  })
})
