import { describe, expect, it } from 'vitest'
import { todoList } from '../../../node/src/agent/request/next-request.ts'
import { defaultConfig } from '../config.ts'
import { digestTodo } from '../cut/digest/digest-of.ts'
import { exchange } from '../testing/messages.ts'
import { todoEntry } from './todo-entries.ts'

describe('an entry of a to-do list', () => {
  it.each<[entry: unknown, text: string | null, state: string | null]>([
    [{ content: 'a', status: 'completed' }, 'a', 'done'],
    [{ step: 'a', state: 'In Progress' }, 'a', 'in progress'],
    [{ title: 'a', status: 'inactive' }, 'a', 'open'],
    [{ task: 'a', completed: true }, 'a', 'done'],
    [{ text: 'a', done: true, status: 'pending' }, 'a', 'open'],
    [{ description: 'a', status: 'canceled' }, 'a', 'dropped'],
    [{ content: 'a' }, 'a', null],
    [{ content: 'a', status: 'x'.repeat(50) }, 'a', null],
    ['a', 'a', null],
    [{ content: '  ', status: 4 }, null, null],
    [null, null, null],
  ])('is read as %j', (entry, text, state) => expect(todoEntry(entry)).toMatchObject({ text, state }))

  it.each<[what: string, todos: unknown]>([
    ['ticked', [{ content: 'a', completed: true }, { content: 'b' }]],
    ['dropped', [{ content: 'a', status: 'done' }, { content: 'b' }, { content: 'c', status: 'cancelled' }]],
    ['plain texts', ['b', { content: 'a', status: 'finished' }]],
    ['written as text', JSON.stringify([{ content: 'a', status: 'complete' }, { content: 'b' }])],
  ])('reads the same in the recap and the digest: %s', (_what, todos) => {
    const items = todoList(exchange('x', 'TodoWrite', { todos }, 'ok'), {}) ?? []
    expect(items.map(({ text, state }) => `${text} ${state}`).sort()).toEqual(['a done', 'b open'])
    const source = {
      text: 'ok',
      fields: null,
      input: { todos },
      about: [],
      isError: false,
      streams: null,
      settings: defaultConfig.compression,
    }
    expect(digestTodo(source)).toEqual({ recap: { total: 2, done: 1, open: ['pending: b'] } })
  })
})
