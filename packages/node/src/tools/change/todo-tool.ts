import { escapeUnprintable } from '@plimsoll/core/text'
import { z } from 'zod'
import { defineTool, failed, told } from '../tool.ts'

const input = z.object({
  todos: z
    .array(
      z.object({
        content: z.string().trim().min(1).describe('What is to be done, in one line.'),
        status: z.enum(['pending', 'in_progress', 'completed']),
        id: z.string().min(1).optional().describe('A name of its own, if you want one.'),
      }),
    )
    .max(1000)
    .describe('The whole list, in order; it takes the place of the one before.'),
})

type Todo = z.infer<typeof input>['todos'][number]

/** Keeps the list of what is to be done. */
export const todoTool = defineTool({
  name: 'TodoWrite',
  description:
    'Keeps your list of tasks for work of several steps. Give the whole list each time. Mark a task in_progress when you begin it, ' +
    'one at a time, and completed as soon as it is done.',
  access: 'read',
  // The list that was given last counts, so the order of two calls matters.
  isParallel: false,
  input,
  about: ({ todos }) => `${todos.length} tasks`,
  async run({ todos }) {
    const twice = repeatedId(todos)
    if (twice !== null) return failed(`two tasks have the id ${JSON.stringify(twice)}. Give each its own, or none.`)
    return told([summary(todos), ...todos.map(line), ...advice(todos)].join('\n'), { todos })
  },
})

function summary(todos: readonly Todo[]): string {
  if (todos.length === 0) return 'The list is empty.'
  const count = (status: Todo['status']) => todos.filter((todo) => todo.status === status).length
  return `Todo: ${count('pending')} open, ${count('in_progress')} in progress, ${count('completed')} done`
}

const boxes: Readonly<Record<Todo['status'], string>> = { pending: ' ', in_progress: '>', completed: 'x' }
const longestLine = 400

function line({ content, status }: Todo): string {
  const text = escapeUnprintable(content.slice(0, longestLine).toWellFormed().replaceAll(/\s+/g, ' ').trim())
  return `- [${boxes[status]}] ${text}${content.length > longestLine ? '…' : ''}`
}

function advice(todos: readonly Todo[]): readonly string[] {
  const working = todos.filter(({ status }) => status === 'in_progress').length
  return working > 1 ? [`${working} tasks are in progress; it is better to work on one at a time.`] : []
}

function repeatedId(todos: readonly Todo[]): string | null {
  const ids = todos.flatMap(({ id }) => (id === undefined ? [] : [id]))
  return ids.find((id, index) => ids.indexOf(id) !== index) ?? null
}
