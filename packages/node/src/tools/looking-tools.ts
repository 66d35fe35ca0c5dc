import { listTool } from './read/list-tool.ts'
import { readTool } from './read/read-tool.ts'
import { repoStructureTool } from './read/repo-structure-tool.ts'
import { globTool } from './search/glob-tool.ts'
import { grepTool } from './search/grep-tool.ts'
import type { Tool } from './tool.ts'

/** The tools that look at the workspace and change nothing. */
export const lookingTools: readonly Tool[] = [readTool, listTool, globTool, grepTool, repoStructureTool]
