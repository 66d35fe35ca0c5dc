import { globTool } from './glob-tool.ts'
import { grepTool } from './grep-tool.ts'
import { listTool } from './list-tool.ts'
import { readTool } from './read-tool.ts'
import { repoStructureTool } from './repo-structure-tool.ts'
import type { Tool } from './tool.ts'

/** The tools that look at the workspace and change nothing. */
export const lookingTools: readonly Tool[] = [readTool, listTool, globTool, grepTool, repoStructureTool]
