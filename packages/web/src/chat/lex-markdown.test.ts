import fc from 'fast-check'
import type { Token } from 'marked'
import { describe, expect, it } from 'vitest'
import { createMarkdownReader, lexMarkdown } from './lex-markdown.ts'

const raw = (tokens: readonly Token[]) => tokens.map((token) => token.raw).join('')

function depthOf(tokens: readonly Token[]): number {
  let depth = 0
  let level: readonly Token[] = tokens
  while (level.length > 0) {
    depth += 1
    level = level.flatMap((token) => [
      ...('tokens' in token ? (token.tokens ?? []) : []),
      ...('items' in token ? (token.items as readonly Token[]) : []),
    ])
  }
  return depth
}

describe('lexMarkdown', () => {
  it.each([
    ['quotes', '>'.repeat(50_000)],
    ['lists', '1. '.repeat(20_000)],
    ['lists on lines', Array.from({ length: 300 }, (_, index) => `${' '.repeat(index * 2)}- a`).join('\n')],
    ['emphasis', '*a _b '.repeat(10_000)],
    ['words with underscores', '_a'.repeat(60_000)],
    ['brackets', '[a]('.repeat(20_000)],
  ])('reads endless %s in bounded depth and continues after them', (_name, text) => {
    expect(depthOf(lexMarkdown(text))).toBeLessThan(120)
    expect(lexMarkdown('`a`'.repeat(5000))).toHaveLength(1)
  })
})

describe('createMarkdownReader', () => {
  const block = fc.constantFrom(
    '# head\n',
    'a *b* `c`\n',
    '- one\n- two\n',
    '\n',
    '```ts\ncode\n\nmore\n```\n',
    '> quote\n',
    '| a | b |\n|---|---|\n| 1 | 2 |\n',
    '1. x\n\n   y\n',
    'tab\there\r\n',
    '    indented\n',
    '---\n',
  )

  it('spells the whole text at every moment, and reads what is whole only once', () => {
    let settled = 0
    fc.assert(
      fc.property(fc.array(block, { maxLength: 12 }), fc.integer({ min: 1, max: 20 }), (blocks, step) => {
        const text = blocks.join('')
        const read = createMarkdownReader()
        let before = read('')
        for (let end = step; end < text.length + step; end += step) {
          const now = read(text.slice(0, end))
          expect(raw(now.flatMap(({ tokens }) => tokens)).replaceAll(/\s/g, '')).toBe(text.slice(0, end).replaceAll(/\s/g, ''))
          const kept = before.slice(0, -1)
          kept.forEach((piece, index) => expect(now[index]).toBe(piece))
          settled += kept.length
          before = now
        }
      }),
    )
    expect(settled).toBeGreaterThan(100)
  })

  it('ends with the same result as reading the complete text', () => {
    const text = 'One *two*.\n\n# Three\n\n- a\n- b\n\n```ts\nlet x\n```\n\nEnd.'
    const read = createMarkdownReader()
    for (let end = 0; end < text.length; end += 3) read(text.slice(0, end))
    const kinds = (tokens: readonly Token[]) => tokens.map(({ type }) => type).filter((type) => type !== 'space')
    expect(kinds(read(text).flatMap(({ tokens }) => tokens))).toEqual(kinds(lexMarkdown(text)))
  })

  it('starts over when the text is a different one', () => {
    const read = createMarkdownReader()
    read('# a\n\nb\n\nc\n\nd')
    expect(raw(read('other').flatMap(({ tokens }) => tokens))).toBe('other')
  })
})

it('keeps line breaks of an answer on the page', () => {
  const [paragraph] = lexMarkdown('one\ntwo')
  expect(paragraph?.type === 'paragraph' ? paragraph.tokens?.map(({ type }) => type) : null).toEqual(['text', 'br', 'text'])
})
