import { type Facts, recallTool } from '@plimsoll/core'
import { answerRecall } from '@plimsoll/core/session'
import { escapeUnprintable, isRecord } from '@plimsoll/core/text'
import { z } from 'zod'
import { recallSourceOf } from '../session/recall-source.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import { editTool, multiEditTool, writeTool } from './change/editing-tools.ts'
import { bashTool } from './command/bash-tool.ts'
import { createImageTool, type ImageToolOptions } from './image/image-tool.ts'
import { listTool, repoStructureTool } from './read/list-tool.ts'
import { readTool } from './read/read-tool.ts'
import { repoMapTool } from './repo-map/repo-map-tool.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import { defineTool, failed, type Tool, type ToolContext, told } from './tool.ts'

const todoInput = z.object({
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

type Todo = z.infer<typeof todoInput>['todos'][number]

export const todoTool = defineTool({
  name: 'TodoWrite',
  description:
    'Keeps your list of tasks for work of several steps. Give the whole list each time. Mark a task in_progress when you begin it, ' +
    'one at a time, and completed as soon as it is done.',
  access: 'read',
  // The list that was given last counts, so the order of two calls matters.
  isParallel: false,
  input: todoInput,
  about: ({ todos }) => `${todos.length} tasks`,
  async run({ todos }) {
    const ids = todos.flatMap(({ id }) => (id === undefined ? [] : [id]))
    const twice = ids.find((id, index) => ids.indexOf(id) !== index)
    if (twice !== undefined) return failed(`two tasks have the id ${JSON.stringify(twice)}. Give each its own, or none.`)
    const count = (status: Todo['status']) => todos.filter((todo) => todo.status === status).length
    const counts = `${count('pending')} open, ${count('in_progress')} in progress, ${count('completed')} done`
    const isCrowded = count('in_progress') > 1
    const advice = `${count('in_progress')} tasks are in progress; it is better to work on one at a time.`
    const summary = todos.length === 0 ? 'The list is empty.' : `Todo: ${counts}`
    const lines = todos.map(({ content, status }) => {
      const text = escapeUnprintable(content.slice(0, maxLength).toWellFormed().replaceAll(/\s+/g, ' ').trim())
      return `- [${boxes[status]}] ${text}${content.length > maxLength ? '…' : ''}`
    })
    return told([summary, ...lines, ...(isCrowded ? [advice] : [])].join('\n'), { todos })
  },
})

const boxes: Readonly<Record<Todo['status'], string>> = { pending: ' ', in_progress: '>', completed: 'x' }
const maxLength = 400

export type OwnToolsOptions = Pick<ToolContext, 'root'> & Pick<ImageToolOptions, 'config' | 'environment' | 'expand'>

/** The agent's built-in tools, in the order they are offered. */
export function ownTools(session: OpenSession, { config, environment, root, expand }: OwnToolsOptions): readonly Tool[] {
  const image = createImageTool({ config, environment, expand })
  return [
    ...lookingTools,
    repoMapTool,
    ...changingTools,
    bashTool,
    ...(image === null ? [] : [image]),
    createRecallTool(session, { config, root }),
  ]
}

export const lookingTools: readonly Tool[] = [readTool, listTool, globTool, grepTool, repoStructureTool]

/** The tools that change files of the workspace, and the one that keeps the list of tasks. */
export const changingTools: readonly Tool[] = [editTool, multiEditTool, writeTool, todoTool]

/** The tool by which the model gets back what its view leaves out, from the log of its session. */
export function createRecallTool(session: StoredSession, facts: Facts): Tool {
  const { name, description, inputSchema } = recallTool
  return {
    name,
    description,
    inputSchema,
    access: 'read',
    about(input) {
      if (!isRecord(input)) return ''
      const asked = [input['handle'], input['query'], input['id'], input['tool']].find((value) => typeof value === 'string')
      return typeof asked === 'string' ? asked : ''
    },
    run: (input) => Promise.resolve(told(answerRecall(input, recallSourceOf(session), facts))),
  }
}
