import type { WebRequestsStrings } from './web-requests-strings.ts'

/** What the web app says in the inspector’s timeline, ledger, diff and what-if, in English. */
export const englishWebRequests: WebRequestsStrings = {
  title: 'Requests',
}
