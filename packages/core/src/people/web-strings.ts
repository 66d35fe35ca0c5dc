import type { WebChatStrings } from './web-chat-strings.ts'
import type { WebInspectorStrings } from './web-inspector-strings.ts'
import type { WebRequestsStrings } from './web-requests-strings.ts'
import type { WebSessionsStrings } from './web-sessions-strings.ts'
import type { WebShellStrings } from './web-shell-strings.ts'

/** Everything the web app says. */
export interface WebStrings {
  readonly shell: WebShellStrings
  readonly chat: WebChatStrings
  readonly sessions: WebSessionsStrings
  readonly inspector: WebInspectorStrings
  readonly requests: WebRequestsStrings
}
