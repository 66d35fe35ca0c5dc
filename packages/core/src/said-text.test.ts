import fc from 'fast-check'
import { expect, it } from 'vitest'
import { withMentionReminder } from './mentions.ts'
import type { Message } from './message.ts'
import { isSaid, saidText } from './said-text.ts'

const message = (text: string): Message => ({ id: '1', role: 'user', parts: [{ type: 'text', text }] })

it('what was said is what the reminder was put behind, whatever it is', () => {
  let reminded = 0
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('@src/a.ts', ' ', '<system-reminder>', '\n\n'))), (pieces) => {
      const text = pieces.join('')
      const sent = withMentionReminder(text)
      if (sent === text) return
      reminded += 1
      expect(saidText(message(sent))).toBe(text)
    }),
  )
  expect(reminded).toBeGreaterThan(5)
})

it('a summary was said by nobody', () =>
  expect([isSaid(message('x')), isSaid({ ...message('x'), summary: true }), isSaid({ ...message('x'), role: 'tool' })]).toEqual([
    true,
    false,
    false,
  ]))
