import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calls, deepFreeze, exchange, user } from '../../../../core/src/testing/messages.ts'
import { todoRecap } from './next-request.ts'

const recap = (...messages: readonly (readonly Message[])[]) => todoRecap(deepFreeze([user('u', 'go'), ...messages.flat()]), {})
const list = [
  { content: 'read', status: 'completed', activeForm: 'Reading' },
  { content: 'write', status: 'in_progress' },
  { content: 'test', status: 'pending' },
]
const three = 'Todo: 1 open, 1 in progress, 1 done\n- [in progress] write\n- [open] test'

describe('todoRecap', () => {
  it.each<[tool: string, input: unknown]>([
    ['TodoWrite', { todos: list }],
    ['TodoWrite', JSON.stringify({ todos: list })],
    ['TodoWrite', { todos: JSON.stringify(list) }],
    ['update_plan', { explanation: 'x', plan: list.map(({ content, status }) => ({ step: content, status })) }],
    ['write_todos', { todos: list.map(({ content, status }) => ({ description: content, status })) }],
    ['write_todos', { todos: [...list, { description: 'never', status: 'cancelled' }] }],
  ])('R004-16 R004-4 lists what is open, in progress and done from %s %j', (tool, input) => {
    expect(recap(exchange('a', tool, input, 'ok'))).toBe(three)
  })

  it('takes the latest list', () => {
    expect(
      recap(exchange('a', 'TodoWrite', { todos: [{ content: 'old' }] }, 'ok'), exchange('b', 'TodoWrite', { todos: list }, 'ok')),
    ).toBe(three)
  })

  it('follows tasks that are made and changed one by one', () => {
    expect(
      recap(
        exchange('a', 'TaskCreate', { subject: 'read', description: 'all of it' }, 'Task #7 created successfully: read'),
        exchange('b', 'TaskCreate', { subject: 'write' }, 'Task #8 created successfully: write'),
        exchange('c', 'TaskCreate', { subject: 'drop' }, 'Task #9 created successfully: drop'),
        exchange('d', 'TaskUpdate', { taskId: '7', status: 'completed' }, 'Updated task #7'),
        exchange('e', 'TaskUpdate', { taskId: '8', status: 'in_progress', subject: 'write it' }, 'Updated task #8'),
        exchange('f', 'TaskUpdate', { taskId: '9', status: 'deleted' }, 'Updated task #9'),
        exchange('g', 'TaskUpdate', { taskId: '99', status: 'completed' }, 'no such task'),
      ),
    ).toBe('Todo: 0 open, 1 in progress, 1 done\n- [in progress] write it')
  })

  it('lays single changes over a list', () => {
    const merged = {
      merge: true,
      todos: [
        { id: '2', status: 'done' },
        { id: '3', content: 'new' },
      ],
    }
    expect(
      recap(
        exchange(
          'a',
          'todo_write',
          {
            todos: [
              { id: '1', content: 'one' },
              { id: '2', content: 'two' },
            ],
          },
          'ok',
        ),
        exchange('b', 'todo_write', merged, 'ok'),
      ),
    ).toBe('Todo: 2 open, 0 in progress, 1 done\n- [open] one\n- [open] new')
  })

  it('gives every item without an id a separate place', () => {
    const first = { todos: [{ id: 'a', content: 'one' }, { content: 'two' }] }
    const then = { merge: true, todos: [{ id: 'a', status: 'deleted' }, { content: 'three' }] }
    expect(recap(exchange('a', 'todo_write', first, 'ok'), exchange('b', 'todo_write', then, 'ok'))).toBe(
      'Todo: 2 open, 0 in progress, 0 done\n- [open] two\n- [open] three',
    )
  })

  it('skips calls that failed, have no result, or only read', () => {
    expect(
      recap(
        exchange('a', 'TodoWrite', { todos: list }, 'ok'),
        exchange('b', 'TodoWrite', { todos: [] }, 'Error: not now'),
        exchange('c', 'TodoRead', {}, 'the list'),
        [calls('d', ['open', 'TodoWrite', { todos: [] }])],
      ),
    ).toBe(three)
  })

  it.each<[what: string, messages: readonly Message[]]>([
    ['no list', exchange('a', 'Bash', { todos: list }, 'ok')],
    ['an empty list', exchange('a', 'TodoWrite', { todos: [] }, 'ok')],
    ['arguments that are not a list', exchange('a', 'TodoWrite', { todos: 'later' }, 'ok')],
    ['arguments that are not JSON', exchange('a', 'TodoWrite', '{"todos":[', 'ok')],
  ])('says nothing of %s', (_what, messages) => expect(recap(messages)).toBeNull())

  it('stays short: twenty items, each one line of a hundred and twenty characters', () => {
    const todos = Array.from({ length: 30 }, (_, index) => ({ content: `${index}\n${'🎉'.repeat(500)}` }))
    const lines = recap(exchange('a', 'TodoWrite', { todos }, 'ok'))?.split('\n') ?? []
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([22, 'Todo: 30 open, 0 in progress, 0 done', '(and 10 more)'])
    expect(lines[1]).toBe(`- [open] 0 ${'🎉'.repeat(117)}…`)
  })

  it('knows the tools of the caller by their row, not by their name', () => {
    const messages = exchange('a', 'my_tasks', { todos: list }, 'ok')
    expect(todoRecap(messages, { tools: [{ name: 'my_tasks', kind: 'todo' }] })).toBe(three)
  })

  it('has an answer to arguments of any shape', () => {
    let told = 0
    const status = fc.oneof(fc.constantFrom('completed', 'in_progress', 'pending', 'deleted'), fc.anything())
    const entry = fc.oneof(fc.anything(), fc.record({ id: fc.constantFrom('1', '2', 3, null), content: fc.string(), status }))
    const input = fc.oneof(
      fc.record({ todos: fc.array(entry), merge: fc.boolean() }),
      fc.record({ plan: fc.array(entry) }),
      fc.record({ taskId: fc.constantFrom('1', '2', 1, null), status, subject: fc.string() }),
      fc.anything(),
    )
    fc.assert(
      fc.property(fc.array(input, { maxLength: 4 }), (inputs) => {
        const text = recap(...inputs.map((one, index) => exchange(`e${index}`, 'TodoWrite', one, 'ok')))
        if (text === null) return
        told += 1
        expect(text).toMatch(
          /^Todo: \d+ open, \d+ in progress, \d+ done(?:\n(?:- \[(?:open|in progress)\] .*|\(and \d+ more\)))*$/u,
        )
      }),
      { numRuns: 300 },
    )
    expect(told).toBeGreaterThan(50)
  })
})
