import { claudeCode } from './claude-code.ts'
import { cline } from './cline.ts'
import { codex } from './codex.ts'
import { copilot } from './copilot.ts'
import { gemini } from './gemini.ts'
import { geminiChat } from './gemini-chat.ts'
import type { LogReader } from './log-reader.ts'
import { miniSweAgent } from './mini-swe-agent.ts'
import { opencode } from './opencode.ts'
import { openHands } from './openhands.ts'
import { openHandsSdk } from './openhands-sdk.ts'
import { pi } from './pi.ts'
import { plimsoll } from './plimsoll.ts'
import { messageLines, requestLines } from './requests.ts'
import { sweAgent } from './swe-agent.ts'
import { sweSmith } from './swe-smith.ts'
import { tauBench } from './tau-bench.ts'

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
