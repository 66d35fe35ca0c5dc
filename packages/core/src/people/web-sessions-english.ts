import type { WebSessionsStrings } from './web-sessions-strings.ts'

/** What the web app says in the list of sessions and logs, and in what can be done with one, in English. */
export const englishWebSessions: WebSessionsStrings = {
  title: 'Sessions',
}
