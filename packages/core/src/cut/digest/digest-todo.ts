import type { DigestFields, DigestSource } from '../../facts.ts'
import { isRecord } from '../../message.ts'
import { type TodoEntry, todoEntries, todoEntry } from '../../results/todo-entries.ts'
import { oneLine } from '../../text/one-line.ts'
import { clipLine } from './clip.ts'
import { shortFields } from './short-fields.ts'

/** A list of tasks: how many there are, how many are done, and the open ones in short. Null where no tasks can be found. */
export function digestTodo({ text, fields, input, settings }: DigestSource): DigestFields | null {
  const recap = fields?.['recap']
  if (typeof recap === 'string') return { recap: clipLine(recap, settings.other_chars) }
  if (isRecord(recap)) return shortFields({ recap }, { items: settings.list_entries })
  const tasks = tasksIn(fields) ?? (fields === null ? tasksInText(text) : null) ?? tasksIn(input)
  if (tasks === null) return null
  const open = tasks.filter(({ state }) => state !== 'done')
  const running = open.filter(({ state }) => state === 'in progress')
  const shown = [...running, ...open.filter(({ state }) => state !== 'in progress')].slice(0, settings.list_entries)
  return {
    recap: {
      total: tasks.length,
      done: tasks.length - open.length,
      open: shown.map(({ status, what }) => `${oneLine(status, 20)}: ${oneLine(what, taskWidth)}`),
    },
  }
}

const taskWidth = 80

interface Task {
  readonly what: string
  readonly status: string
  readonly state: TodoEntry['state']
}

function tasksIn(fields: DigestFields | null): readonly Task[] | null {
  const entries = fields === null ? null : todoEntries(fields)
  if (entries === null) return null
  return entries.flatMap((entry) => {
    const { text, status, state } = todoEntry(entry)
    return text === null || state === 'dropped' ? [] : [{ what: text, status: status ?? 'pending', state }]
  })
}

/** Tasks written as a list with boxes. */
function tasksInText(text: string): readonly Task[] | null {
  const tasks = [...text.matchAll(/^[ \t]{0,20}(?:[-*][ \t]|\d{1,4}\.[ \t])?\[([ xX✓~>-])\][ \t]+([^\n]+)$/gm)].map(
    ([, box = ' ', what = '']): Task => {
      const status = /[xX✓]/.test(box) ? 'completed' : box === ' ' ? 'pending' : 'in_progress'
      return { what, status, state: todoEntry({ status }).state }
    },
  )
  return tasks.length === 0 ? null : tasks
}
