import type { WebSessionsStrings } from './web-sessions-strings.ts'

/** What the web app says in the list of sessions and logs, and in what can be done with one, in Chinese. */
export const chineseWebSessions: WebSessionsStrings = {
  title: '会话',
}
