import { expect, it } from 'vitest'
import { withMentionReminder } from '../shared/mentions.ts'
import { titleOf, titleText } from './shown-message.ts'

it.each([
  ['Is it open?', 'Is it open?'],
  [' two\n lines\t', 'two lines'],
  ['\u009b31mred\u202e', '31mred'],
  ['🎉'.repeat(80), '🎉'.repeat(80)],
  ['🎉'.repeat(81), `${'🎉'.repeat(79)}…`],
  [' \u200b\n', ''],
])('makes a title of %j', (text, title) => expect(titleText(text)).toBe(title))

it('the title is the first user message with words in it', () => {
  const said = (role: 'user' | 'assistant', ...texts: string[]) => ({
    id: texts.join(),
    role,
    parts: texts.map((text) => ({ type: 'text' as const, text })),
  })
  expect(titleOf([said('assistant', 'Hello'), said('user', ' \n', 'Is it open?'), said('user', 'And now?')])).toBe('Is it open?')
  expect(titleOf([said('assistant', 'Hello')])).toBeNull()
})

it('the title omits the reminder that the agent adds after a user message', () => {
  const text = withMentionReminder('explain @src/a.ts')
  expect(titleOf([{ id: '1', role: 'user', parts: [{ type: 'text', text }] }])).toBe('explain @src/a.ts')
})
