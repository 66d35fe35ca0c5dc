import { englishWebChat } from './web-chat-english.ts'
import { englishWebInspector } from './web-inspector-english.ts'
import { englishWebRequests } from './web-requests-english.ts'
import { englishWebSessions } from './web-sessions-english.ts'
import { englishWebShell } from './web-shell-english.ts'
import type { WebStrings } from './web-strings.ts'

/** What the web app says, in English. */
export const englishWeb: WebStrings = {
  shell: englishWebShell,
  chat: englishWebChat,
  sessions: englishWebSessions,
  inspector: englishWebInspector,
  requests: englishWebRequests,
}
