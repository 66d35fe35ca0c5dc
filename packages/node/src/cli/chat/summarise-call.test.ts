import { describe, expect, it } from 'vitest'
import { summariseCall } from './summarise-call.ts'

const called = (text: string, metadata: Readonly<Record<string, unknown>>, isError = false) => {
  const { said, output, lines, more } = summariseCall({
    callId: '1',
    tool: 'any',
    result: { content: { type: 'text', text }, metadata },
    isError,
    durationMs: 1,
  })
  return { said, output, lines, more }
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `line ${index + 1}`)

describe('the summary of a call', () => {
  it.each([
    [
      'the last lines of a successful command',
      [...numbers(9), '', '[exit code 0]'].join('\n'),
      { exitCode: 0 },
      false,
      { said: null, output: ['line 7', 'line 8', 'line 9'], lines: 10, more: 0 },
    ],
    [
      'more lines of a failed command',
      [...numbers(9), '[exit code 1]'].join('\n'),
      { exitCode: 1 },
      true,
      { said: null, output: numbers(9).slice(-8), lines: 9, more: 0 },
    ],
    ['a single line only once', 'only\n[exit code 0]', { exitCode: 0 }, false, { said: null, output: [], lines: 1, more: 0 }],
    [
      'nothing if there is no output',
      '[exit code 0; no output]',
      { exitCode: 0 },
      false,
      { said: null, output: [], lines: 0, more: 0 },
    ],
    [
      'a todo list',
      'Todo: 1 open, 1 done\n- [x] a\n- [ ] b',
      { todos: [1, 2] },
      false,
      { said: 'Todo: 1 open, 1 done', output: ['- [x] a', '- [ ] b'], lines: 3, more: 0 },
    ],
    [
      'the start of a long todo list',
      ['Todo', ...numbers(15)].join('\n'),
      { todos: [1] },
      false,
      { said: 'Todo', output: numbers(12), lines: 16, more: 3 },
    ],
    [
      'an answer of one line as its text',
      'High water: 06:12',
      {},
      false,
      { said: 'High water: 06:12', output: [], lines: 1, more: 0 },
    ],
    ['only the size of a file', 'a lines 1-1 of 1', { from: 1, to: 1 }, false, { said: null, output: [], lines: 1, more: 0 }],
    [
      'no control characters',
      'one\u001b[2J\ntwo\n[exit code 0]',
      { exitCode: 0 },
      false,
      { said: null, output: ['one', 'two'], lines: 2, more: 0 },
    ],
  ])('shows %s', (_story, text, metadata, isError, expected) => expect(called(text, metadata, isError)).toEqual(expected))
})
