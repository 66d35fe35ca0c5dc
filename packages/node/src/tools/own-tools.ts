import { type Facts, recallTool } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import { answerRecall } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { Environment } from '../model/server-access.ts'
import { recallSourceOf } from '../session/recall-source.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import { editTool, multiEditTool, writeTool } from './change/editing-tools.ts'
import { todoTool } from './change/todo-tool.ts'
import { bashTool } from './command/bash-tool.ts'
import { createImageTool, type ImageToolOptions } from './image/image-tool.ts'
import { listTool } from './read/list-tool.ts'
import { readTool } from './read/read-tool.ts'
import { repoStructureTool } from './read/repo-structure-tool.ts'
import { repoMapTool } from './repo-map/repo-map-tool.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import { type Tool, told } from './tool.ts'

export interface OwnToolsOptions {
  readonly config: Config
  readonly environment: Environment
  readonly root: string
  readonly expand: ImageToolOptions['expand']
}

/** The tools that an agent has of its own, in the order they are offered. */
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

/** The tools that look at the workspace and change nothing. */
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
