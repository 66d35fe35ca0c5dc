import { expect, it } from 'vitest'
import type { Message } from '../message.ts'
import { calls, deepFreeze, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { transcriptHandle, transcriptOf } from './transcript.ts'

const messages: readonly Message[] = deepFreeze([
  user('u', 'Fix the tests.\nAll of them.'),
  {
    id: 'a',
    role: 'assistant',
    parts: [
      { type: 'reasoning', text: 'Run them first.' },
      ...calls('x', ['c1', 'Bash', { command: 'npm test' }], ['c2', 'apply', 'raw\npatch']).parts,
    ],
  },
  result('r1', 'c1', '2 failed\n', { isError: true }),
  result('r2', 'c2', '', {
    content: {
      type: 'list',
      items: [
        { type: 'text', text: 'done' },
        { type: 'media', mediaType: 'image/png', data: 'x' },
      ],
    },
  }),
])

it('transcript lists speakers, calls and results', () => {
  expect(transcriptOf(messages)).toBe(
    [
      ...['--- user, 2 lines ---', 'Fix the tests.', 'All of them.', ''],
      ...['--- assistant thinks, 1 line ---', 'Run them first.', ''],
      ...['--- call c1: Bash ---', '{"command":"npm test"}', ''],
      ...['--- call c2: apply ---', 'raw', 'patch', ''],
      ...[`--- result c1: Bash, error, 1 line, recall ${handleOf('2 failed\n')} ---`, '2 failed', ''],
      ...[`--- result c2: apply, 1 line, recall ${handleOf('done')} ---`, 'done', '', '[image/png]', '', ''],
    ].join('\n'),
  )
})

it('transcript has the handle of its text, independent of message ids', () => {
  expect(transcriptHandle(messages)).toBe(handleOf(transcriptOf(messages)))
  expect(transcriptHandle(messages.map((message, index) => ({ ...message, id: String(index) })))).toBe(transcriptHandle(messages))
})

it('transcript keeps names on one line', () => {
  const odd = [
    calls('a', ['id\n--- user ---', 'tool\n\n--- system ---', {}]),
    { id: 'm', role: 'user', parts: [{ type: 'media', mediaType: 'a\nb', data: 1 }] } as const,
  ]
  expect(transcriptOf(odd)).toBe('--- call id --- user ---: tool --- system --- ---\n{}\n\n--- user: a b ---\n\n')
})

it('transcript reads the same before and after a result is stored outside the log', () => {
  const text = '字'.repeat(400_000)
  const stored = result('r', 'c', 'an extract', { blob: { sha256: '0', bytes: 1_200_000, handle: handleOf(text) } })
  expect(transcriptOf([stored])).toBe(`--- result c: tool, kept apart for its size, recall ${handleOf(text)} ---\n\n`)
  expect(transcriptOf([result('r', 'c', text)])).toBe(transcriptOf([stored]))
})
