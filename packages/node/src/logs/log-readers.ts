import { claudeCode } from './claude-code.ts'
import { codex } from './codex.ts'
import { gemini } from './gemini.ts'
import type { LogReader } from './log-reader.ts'
import { pi } from './pi.ts'

/** Every log format that is read entry by entry. The first whose marks an entry has reads the file. */
export const logReaders: readonly LogReader[] = [claudeCode, codex, pi, gemini]
