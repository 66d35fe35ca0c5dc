import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { stableBreakpoints } from './prompt-cache.ts'

const message = (id: string, role: Message['role'] = 'user', text = id): Message => ({
  id,
  role,
  parts: [{ type: 'text', text }],
})
const layer = (name: string, text = name) => message(`layer:${name}`, 'system', text)

const prompt = layer('system')
const recap = layer('recap')
const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => message(id)) as [Message, Message, Message, Message]
const again: Message = { ...b, parts: [...b.parts] }
const trimmed: Message = { ...b, parts: [{ type: 'text', text: 'short' }] }

describe('stableBreakpoints', () => {
  it.each([
    ['a first request', [prompt, a, b, recap], null, ['b']],
    ['one that grew', [prompt, a, b, c, d, recap], [prompt, a, b, recap], ['b', 'd']],
    ['the same once more', [prompt, a, b, recap], [prompt, a, b, recap], ['b']],
    ['one whose recap changed', [prompt, a, b, c, layer('recap', 'new')], [prompt, a, b, recap], ['b', 'c']],
    ['one that shows a message differently', [prompt, a, trimmed, c, d], [prompt, a, b, c], ['a', 'd']],
    ['one that shows it as before, created again', [prompt, a, again, c], [prompt, a, b], ['b', 'c']],
    ['another conversation', [prompt, c, d], [prompt, a, b], ['d']],
    ['one with other rules', [layer('system', 'new'), a, b, c], [prompt, a, b], ['c']],
    ['one that was wound back', [prompt, a], [prompt, a, b, c], ['a']],
    ['nothing but a prompt', [prompt, layer('rules')], null, []],
    ['nothing', [], [a], []],
  ] as const)('for %s', (_name, view, previous, expected) => expect(stableBreakpoints(view, previous)).toEqual(expected))

  it.each([
    [
      'right before the first message that waits',
      [prompt, a, b, c, d, recap],
      [prompt, a, b, c, recap],
      ['d', 'c'],
      ['b', 'c', 'd'],
    ],
    ['once where two marks fall together', [prompt, a, b, c, d], [prompt, a, b], ['c'], ['b', 'd']],
    ['nowhere before anything was said', [prompt, a, b, c], [prompt, a, b], ['a'], ['b', 'c']],
    ['nowhere where what waits is not in sight', [prompt, a, b], null, ['z'], ['b']],
    [
      'in order where the one before has less in common',
      [prompt, a, trimmed, c, d],
      [prompt, a, b, c, d],
      ['d'],
      ['a', 'c', 'd'],
    ],
  ] as const)('one more is placed %s', (_name, view, previous, waiting, expected) =>
    expect(stableBreakpoints(view, previous, waiting)).toEqual(expected),
  )

  it('counts a summary at the beginning as part of the conversation', () => {
    const summary: Message = { ...message('s', 'system'), summary: true }
    expect(stableBreakpoints([prompt, summary], [prompt, summary])).toEqual(['s'])
  })
})
