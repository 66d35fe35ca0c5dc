import { claudeCodeRows } from './claude-code-rows.ts'
import { codexRows } from './codex-rows.ts'
import { copilotRows } from './copilot-rows.ts'
import { geminiChatRows } from './gemini-chat-rows.ts'
import { opencodeRows } from './opencode-rows.ts'
import { piRows } from './pi-rows.ts'
import { plimsollRows } from './plimsoll-rows.ts'
import type { RowFormat } from './row-format.ts'

/** The logs that are mended entry by entry. Lists of messages and requests are mended by the codec of their dialect. */
const rowFormats: readonly RowFormat[] = [
  plimsollRows,
  claudeCodeRows,
  copilotRows,
  codexRows,
  piRows,
  geminiChatRows,
  opencodeRows,
]

/** How the log of a reader is mended; null where it is no log of entries. */
export function rowFormatOf(reader: string): RowFormat | null {
  return rowFormats.find(({ name }) => name === reader) ?? null
}
