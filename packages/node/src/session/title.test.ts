import { expect, it } from 'vitest'
import { withMentionReminder } from '../shared/mentions.ts'
import { titleOf, titleText } from './shown-message.ts'

const said = (role: 'user' | 'assistant', ...texts: string[]) => ({
  id: texts.join(),
  role,
  parts: texts.map((text) => ({ type: 'text' as const, text })),
})

it.each([
  ['Is it open?', 'Is it open?'],
  [' two\n lines\t', 'two lines'],
  ['\u009b31mred\u202e', '31mred'],
  ['🎉'.repeat(160), '🎉'.repeat(160)],
  ['🎉'.repeat(161), `${'🎉'.repeat(159)}…`],
  [' \u200b\n', ''],
])('makes a title of %j', (text, title) => expect(titleText(text)).toBe(title))

it('the title is the first user message with words in it', () => {
  expect(titleOf([said('assistant', 'Hello'), said('user', ' \n', 'Is it open?'), said('user', 'And now?')])).toBe('Is it open?')
  expect(titleOf([said('assistant', 'Hello')])).toBeNull()
})

it('the title omits the reminder that the agent adds after a user message', () => {
  const text = withMentionReminder('explain @src/a.ts')
  expect(titleOf([{ id: '1', role: 'user', parts: [{ type: 'text', text }] }])).toBe('explain @src/a.ts')
})

it.each([
  [
    '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the cart</command-args>',
    '/review the cart',
  ],
  ['<command-name>/exit</command-name>\n<command-message>exit</command-message>\n<command-args></command-args>', '/exit'],
  ['<system-reminder>Be short.</system-reminder>Why is the total wrong?', 'Why is the total wrong?'],
  ['<bash-input>git status</bash-input>', 'git status'],
  ['a < b and <b> is a tag', 'a < b and <b> is a tag'],
])('makes a title of what the user typed in %j', (text, title) => expect(titleOf([said('user', text)])).toBe(title))

it('takes the next words if the first are a command alone, or output that an agent added', () => {
  const command = '<command-name>/model</command-name><command-args></command-args>'
  const output = `<local-command-stdout>${'Set model '.repeat(900)}`
  expect(
    titleOf([
      said('user', command),
      said('user', output),
      said('user', 'Base directory for this skill: /x'),
      said('user', 'Fix the cart.'),
    ]),
  ).toBe('Fix the cart.')
  expect(titleOf([said('user', command), said('user', output)])).toBe('/model')
  expect(titleOf([said('user', output)])).toBeNull()
})
