import type { WebRequestsStrings } from './web-requests-strings.ts'

/** What the web app says in the inspector’s timeline, ledger, diff and what-if, in Chinese. */
export const chineseWebRequests: WebRequestsStrings = {
  title: '请求',
}
