import { claudeCode } from './agents/claude-code.ts'
import { cline } from './agents/cline.ts'
import { codex } from './agents/codex.ts'
import { copilot } from './agents/copilot.ts'
import { gemini } from './agents/gemini.ts'
import { geminiChat } from './agents/gemini-chat.ts'
import { tauBench } from './agents/message-list.ts'
import { opencode } from './agents/opencode.ts'
import { openHands } from './agents/openhands.ts'
import { openHandsSdk } from './agents/openhands-sdk.ts'
import { pi } from './agents/pi.ts'
import { plimsoll } from './agents/plimsoll.ts'
import { messageLines, requestLines } from './agents/requests.ts'
import { miniSweAgent, sweAgent, sweSmith } from './agents/swe-agent.ts'
import type { LogReader } from './log-reader.ts'

/** Every log format that is read entry by entry. The first whose marks an entry has reads the file. */
export const logReaders: readonly LogReader[] = [
  plimsoll,
  claudeCode,
  copilot,
  codex,
  pi,
  // From here on an entry may be a whole conversation.
  opencode,
  miniSweAgent,
  sweAgent,
  tauBench,
  cline,
  geminiChat,
  sweSmith,
  openHands,
  openHandsSdk,
  gemini,
]

/** What is tried where no entry has such marks: messages and requests as providers take them. */
export const plainReaders: readonly LogReader[] = [requestLines, messageLines]
