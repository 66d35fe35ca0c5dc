import type { Message } from '@plimsoll/core'
import { describe, expect, it } from 'vitest'
import { todoRecap } from '../../agent/request/next-request.ts'
import { todoTool } from '../own-tools.ts'
import { textOf } from '../testing/seen-workspace.ts'
import { toolContext } from '../testing/tool-context.ts'

const todos = [
  { content: 'read the log', status: 'completed' },
  { content: 'fix the\n  parser\u001b[2J', status: 'in_progress' },
  { content: 'run the tests', status: 'pending' },
]

describe('TodoWrite', () => {
  it('answers with the list', async () => {
    const { context } = toolContext()
    expect(textOf(await todoTool.run({ todos }, context))).toBe(
      'Todo: 1 open, 1 in progress, 1 done\n- [x] read the log\n- [>] fix the parser\\u001b[2J\n- [ ] run the tests',
    )
  })

  it('R004-16 is what the recap at the end of a request says', async () => {
    const { context } = toolContext()
    const { content } = await todoTool.run({ todos }, context)
    const messages: readonly Message[] = [
      { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'c', tool: 'TodoWrite', input: { todos } }] },
      { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'c', tool: 'TodoWrite', content }] },
    ]
    expect(todoRecap(messages, {})).toBe(
      'Todo: 1 open, 1 in progress, 1 done\n- [in progress] fix the parser\\u001b[2J\n- [open] run the tests',
    )
  })

  it.each([
    ['an empty list', [], 'The list is empty.'],
    [
      'two tasks in progress',
      [
        { content: 'a', status: 'in_progress' },
        { content: 'b', status: 'in_progress' },
      ],
      'Todo: 0 open, 2 in progress, 0 done\n- [>] a\n- [>] b\n2 tasks are in progress; it is better to work on one at a time.',
    ],
  ])('takes %s', async (_story, list, words) => {
    const outcome = await todoTool.run({ todos: list }, toolContext().context)
    expect(outcome.isError).toBeUndefined()
    expect(textOf(outcome)).toBe(words)
  })

  it.each([
    ['an unknown status', [{ content: 'a', status: 'soon' }], /^Error: wrong arguments for TodoWrite: todos\.0\.status: /],
    [
      'a task without words',
      [{ content: '  ', status: 'pending' }],
      /^Error: wrong arguments for TodoWrite: todos\.0\.content: /,
    ],
    [
      'one id for two tasks',
      [
        { content: 'a', status: 'pending', id: '1' },
        { content: 'b', status: 'pending', id: '1' },
      ],
      /^Error: two tasks have the id "1"/,
    ],
  ])('refuses %s', async (_story, list, words) => {
    const outcome = await todoTool.run({ todos: list }, toolContext().context)
    expect(outcome.isError).toBe(true)
    expect(textOf(outcome)).toMatch(words)
  })

  it('needs no permission, and runs alone', () => {
    expect({ access: todoTool.access, isParallel: todoTool.isParallel }).toEqual({ access: 'read', isParallel: false })
  })
})
