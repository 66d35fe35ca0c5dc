import { describe, expect, it } from 'vitest'
import { isProductCode, readSources, type SourceFile, withoutComments } from './source-files.ts'

const home = 'packages/core/src/'

/**
 * Files of core that may check the form of a tool result, each with its reason. All others read results with `resultText` and write
 * them with `withShownText`, so that no policy depends on the client's choice.
 */
const allowed: Readonly<Record<string, string>> = {
  'message.ts': 'defines the forms',
  'wire/': 'reads and writes the forms of the vendors',
  'tokens/count-tokens.ts': 'counts media in addition to text',
  'fit/request-size.ts': 'measures the bytes of each form',
  'recall/placed-parts.ts': 'names each text of a list',
  'binary/filter-binary.ts': 'skips plain text, in which nothing is data',
  'cut/extract.ts': 'stores and restores each form',
  'results/plain-result.ts': 'takes escape sequences out of the strings of a value, not out of its JSON',
}

const asking = readSources(home.slice(0, -1), isProductCode).filter(asksForForm)

describe('the form of a tool result', () => {
  it('is checked only by files with a listed reason', () => {
    expect(asking.map(({ path }) => path).filter((path) => reasonFor(path) === undefined)).toEqual([])
  })

  it('is checked by every listed file, so that the list has no stale entries', () => {
    const used = new Set(asking.map(({ path }) => reasonFor(path)))
    expect(Object.values(allowed).filter((reason) => !used.has(reason))).toEqual([])
  })
})

describe('caching in core', () => {
  it('is done only in derive.ts and in wire/: rules use perItem, perPair or perList', () => {
    const keeping = readSources(home.slice(0, -1), isProductCode).filter(({ text }) =>
      /\bWeak(?:Map|Set)\b/.test(withoutComments(text)),
    )
    const paths = keeping.map(({ path }) => path.slice(home.length)).filter((path) => !path.startsWith('wire/'))
    expect(paths).toEqual(['derive.ts'])
  })
})

describe('the check itself', () => {
  it.each([
    "if (part.content.type === 'text') return",
    "const { content } = part\nif (content.type !== 'list') return",
    'switch (part.content.type) {}',
    "edit?.with.content?.type === 'text'",
  ])('finds %s', (text) => expect(asksForForm({ path: 'a.ts', text })).toBe(true))

  it.each([
    '// content.type is for others',
    "block['type'] === 'text'",
    'const content = { type: 1 }',
    'contents.types',
    "content.type !== 'tool-result'",
  ])('ignores %s', (text) => expect(asksForForm({ path: 'a.ts', text })).toBe(false))
})

function asksForForm({ text }: SourceFile): boolean {
  return /\bcontent\??\.type\b(?!\s*[!=]==\s*'tool-result')/.test(withoutComments(text))
}

function reasonFor(path: string): string | undefined {
  const name = path.slice(home.length)
  return allowed[name] ?? Object.entries(allowed).find(([folder]) => folder.endsWith('/') && name.startsWith(folder))?.[1]
}
