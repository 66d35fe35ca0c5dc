import type { Facts, Message } from '@plimsoll/core'
import { labelText } from '@plimsoll/core/text'
import { type TodoItem, todoList } from './todo-list.ts'

/**
 * Where the work stands, for the end of a request: how many things are open, in progress and done, and the first twenty that are
 * not done. Null where no list was made. Wants the conversation as the log holds it: a list in a folded round still counts.
 */
export function todoRecap(messages: readonly Message[], facts: Facts): string | null {
  const items = todoList(messages, facts)
  if (items === null || items.length === 0) return null
  const working = items.filter(({ state }) => state === 'in progress')
  const open = items.filter(({ state }) => state === 'open')
  const left = [...working, ...open]
  const lines = [
    `Todo: ${open.length} open, ${working.length} in progress, ${items.length - left.length} done`,
    ...left.slice(0, mostShown).map(lineOf),
  ]
  if (left.length > mostShown) lines.push(`(and ${left.length - mostShown} more)`)
  return lines.join('\n')
}

const mostShown = 20
const longestLine = 120

function lineOf({ text, state }: TodoItem): string {
  return `- [${state}] ${labelText(text, longestLine)}`
}
