import { chineseWebChat } from './web-chat-chinese.ts'
import { chineseWebInspector } from './web-inspector-chinese.ts'
import { chineseWebRequests } from './web-requests-chinese.ts'
import { chineseWebSessions } from './web-sessions-chinese.ts'
import { chineseWebShell } from './web-shell-chinese.ts'
import type { WebStrings } from './web-strings.ts'

/** What the web app says, in Chinese. */
export const chineseWeb: WebStrings = {
  shell: chineseWebShell,
  chat: chineseWebChat,
  sessions: chineseWebSessions,
  inspector: chineseWebInspector,
  requests: chineseWebRequests,
}
