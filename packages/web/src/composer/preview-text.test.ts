import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { visibleText } from '../parts/safe-text.ts'
import { previewLines } from './preview-text.tsx'

const wide = { lines: 100, characters: 1000 }

describe('previewLines', () => {
  it('distinguishes the lines of a diff', () => {
    expect(previewLines('--- a.ts\n+++ a.ts\n@@ -1 +1 @@\n-old\n+new\n same', wide)).toStrictEqual({
      lines: [
        { kind: 'place', text: '--- a.ts' },
        { kind: 'place', text: '+++ a.ts' },
        { kind: 'place', text: '@@ -1 +1 @@' },
        { kind: 'removed', text: '-old' },
        { kind: 'added', text: '+new' },
        { kind: 'plain', text: ' same' },
      ],
      hiddenLines: 0,
      isCut: false,
    })
  })

  it('reports what is not shown', () => {
    expect(previewLines('one\ntwo and more\nthree\nfour', { lines: 2, characters: 5 })).toStrictEqual({
      lines: [
        { kind: 'plain', text: 'one' },
        { kind: 'plain', text: 'two a…' },
      ],
      hiddenLines: 2,
      isCut: true,
    })
  })

  it('makes control and direction characters visible', () => {
    expect(previewLines('+\trm \u202e-rf\u001b[8m /', wide).lines).toStrictEqual([
      { kind: 'added', text: '+\trm \\u202e-rf\\u001b[8m /' },
    ])
  })

  it('shows or counts every line, whatever the text', () => {
    let hidden = 0
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('a', '\n', '+', '\u001b', '\t') }),
        fc.integer({ min: 1, max: 5 }),
        (text, most) => {
          const preview = previewLines(text, { lines: most, characters: 1000 })
          expect(preview.lines.length + preview.hiddenLines).toBe(text.split('\n').length)
          if (preview.hiddenLines > 0) hidden += 1
          else expect(preview.lines.map((line) => line.text).join('\n')).toBe(visibleText(text))
        },
      ),
    )
    expect(hidden).toBeGreaterThan(10)
  })
})
