import fc from 'fast-check'
import { expect, it } from 'vitest'
import { user } from '../testing/messages.ts'
import { sourceOf } from '../testing/recall-source.ts'
import { estimateTokens } from '../tokens/count-tokens.ts'
import { recall } from './recall.ts'

const texts = fc.oneof(
  fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { maxLength: 400 }).map((lines) => lines.join('\n')),
  fc.integer({ min: 1, max: 6000 }).map((length) => '🚢 a long line '.repeat(length)),
  fc.integer({ min: 1, max: 3000 }).map((count) => 'line\n'.repeat(count)),
  fc.constantFrom('', '\n', '\n\n\n', '字'.repeat(3000)),
)

it('whatever is asked for: within its budget, and what is left out can be read on to the last character', () => {
  let cut = 0
  fc.assert(
    fc.property(texts, fc.integer({ min: 120, max: 2000 }), (text, budget) => {
      const source = sourceOf([user('u', text)])
      const answer = recall({ id: 'u', budget }, source)
      expect(estimateTokens(answer.text)).toBeLessThanOrEqual(budget)
      if (answer.text === text) return
      cut += 1
      const next = /are left out; to read on, recall with handle "([0-9a-f]{12})" and (lines|characters) "(\d+)-(\d+)"\]/.exec(
        answer.text,
      )
      const [, handle = '', by = '', first, last] = next ?? []
      const piece = recall({ handle, [by]: [Number(first), Number(last)] }, source)
      const at =
        by === 'lines'
          ? text
              .split('\n')
              .slice(Number(first) - 1, Number(last))
              .join('\n')
          : null
      expect(piece.kind).toBe('found')
      if (at !== null) expect(piece.text).toBe(at)
      else expect(text.slice(Number(first) - 2, Number(last) + 1)).toContain(piece.text)
      // The pieces before and after it cover the rest.
      const head = answer.text.slice(0, next?.index).replace(/\n?\[(?:lines|characters) [^\n]*$/, '')
      expect(text.startsWith(head)).toBe(true)
      const end =
        by === 'lines'
          ? text
              .split('\n')
              .slice(0, Number(first) - 1)
              .join('\n').length
          : Number(first) - 1
      expect(Math.abs(head.length - end)).toBeLessThanOrEqual(1)
    }),
    { numRuns: 400 },
  )
  expect(cut).toBeGreaterThan(60)
})

it('lines, one after the other, are the whole text', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 50 }), (text, step) => {
      const source = sourceOf([user('u', text)])
      const pieces: string[] = []
      for (let first = 1; ; first += step) {
        const answer = recall({ id: 'u', lines: [first, first + step - 1] }, source)
        if (answer.kind !== 'found') break
        pieces.push(answer.text)
      }
      expect(pieces.join('\n')).toBe(text.endsWith('\n') ? text.slice(0, -1) : text)
    }),
    { numRuns: 60 },
  )
})
