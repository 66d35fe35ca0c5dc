import { isRecord } from '../message.ts'
import { clipLine } from './clip.ts'
import type { DigestFields, DigestSource } from './digest-source.ts'
import { shortFields } from './short-fields.ts'

/** A list of tasks: how many there are, how many are done, and the open ones in short. Null where no tasks can be found. */
export function digestTodo({ text, fields, input, settings }: DigestSource): DigestFields | null {
  const recap = fields?.['recap']
  if (typeof recap === 'string') return { recap: clipLine(recap, settings.other_chars) }
  if (isRecord(recap)) return shortFields({ recap }, { items: settings.list_entries })
  const tasks = tasksIn(fields) ?? (fields === null ? tasksInText(text) : null) ?? tasksIn(input)
  if (tasks === null) return null
  const open = tasks.filter(({ status }) => !/^(?:completed|complete|done|cancelled|canceled)$/i.test(status))
  const running = open.filter(({ status }) => /progress|active|doing/i.test(status))
  const shown = [...running, ...open.filter((task) => !running.includes(task))].slice(0, settings.list_entries)
  return {
    recap: {
      total: tasks.length,
      done: tasks.length - open.length,
      open: shown.map(({ status, what }) => `${clipLine(status, 20)}: ${clipLine(what, taskWidth)}`),
    },
  }
}

const taskWidth = 80

interface Task {
  readonly what: string
  readonly status: string
}

function tasksIn(fields: DigestFields | null): readonly Task[] | null {
  const list = ['todos', 'plan', 'tasks', 'items', 'newTodos'].map((key) => fields?.[key]).find(Array.isArray)
  if (list === undefined) return null
  return list.filter(isRecord).map((item) => ({
    what: firstText(item, ['content', 'step', 'title', 'description', 'subject', 'text', 'task']) ?? '',
    status:
      firstText(item, ['status', 'state']) ?? (item['completed'] === true || item['done'] === true ? 'completed' : 'pending'),
  }))
}

function firstText(item: DigestFields, keys: readonly string[]): string | null {
  const value = keys.map((key) => item[key]).find((text) => typeof text === 'string')
  return typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : null
}

/** Tasks written as a list with boxes. */
function tasksInText(text: string): readonly Task[] | null {
  const tasks = [...text.matchAll(/^[ \t]{0,20}(?:[-*][ \t]|\d{1,4}\.[ \t])?\[([ xX✓~>-])\][ \t]+([^\n]+)$/gm)].map(
    ([, box = ' ', what = '']): Task => ({
      what: what.trim(),
      status: /[xX✓]/.test(box) ? 'completed' : box === ' ' ? 'pending' : 'in_progress',
    }),
  )
  return tasks.length === 0 ? null : tasks
}
