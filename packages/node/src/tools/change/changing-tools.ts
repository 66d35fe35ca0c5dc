import type { Tool } from '../tool.ts'
import { editTool } from './edit-tool.ts'
import { multiEditTool } from './multi-edit-tool.ts'
import { todoTool } from './todo-tool.ts'
import { writeTool } from './write-tool.ts'

/** The tools that change files of the workspace, and the one that keeps the list of tasks. */
export const changingTools: readonly Tool[] = [editTool, multiEditTool, writeTool, todoTool]
