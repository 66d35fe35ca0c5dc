import type { Part } from '@plimsoll/core'
import { expect, it } from 'vitest'
import { messageAbout } from './message-about.ts'

it.each<[string, readonly Part[], string]>([
  ['text', [{ type: 'text', text: ' Look\n  at this ' }], 'Look at this'],
  [
    'text that would act on a terminal or turn lines around',
    [{ type: 'text', text: 'a\u001b[31mb\u202ec' }],
    'a\\u001b[31mb\\u202ec',
  ],
  [
    'a call by what its tool is about',
    [{ type: 'tool-call', callId: '1', tool: 'Bash', input: { command: 'ls -l' } }],
    'Bash ls -l',
  ],
  ['a call of an unknown tool', [{ type: 'tool-call', callId: '1', tool: 'x', input: { a: 1 } }], 'x {"a":1}'],
  [
    'a result behind words',
    [
      { type: 'text', text: 'one' },
      { type: 'tool-result', callId: '1', tool: 'x', content: { type: 'json', value: [2] } },
      { type: 'media', mediaType: 'image/png', data: null },
    ],
    'one · [2] · [image/png]',
  ],
  ['nothing', [], ''],
])('tells what a message is about: %s', (_name, parts, about) =>
  expect(messageAbout({ id: '1', role: 'assistant', parts })).toBe(about),
)

it('stays one short line whatever comes', () =>
  expect(
    messageAbout({ id: '1', role: 'tool', parts: [{ type: 'text', text: '\u0000'.repeat(100_000) }] }).length,
  ).toBeLessThanOrEqual(160))
