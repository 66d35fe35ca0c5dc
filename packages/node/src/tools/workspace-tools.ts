import { editTool, multiEditTool, writeTool } from './change/editing-tools.ts'
import { todoTool } from './change/todo-tool.ts'
import { listTool } from './read/list-tool.ts'
import { readTool } from './read/read-tool.ts'
import { repoStructureTool } from './read/repo-structure-tool.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import type { Tool } from './tool.ts'

/** The tools that look at the workspace and change nothing. */
export const lookingTools: readonly Tool[] = [readTool, listTool, globTool, grepTool, repoStructureTool]

/** The tools that change files of the workspace, and the one that keeps the list of tasks. */
export const changingTools: readonly Tool[] = [editTool, multiEditTool, writeTool, todoTool]
