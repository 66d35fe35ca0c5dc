/** What the web app says in the inspector’s timeline, ledger, diff and what-if. Numbers, sizes and times arrive formatted. */
export interface WebRequestsStrings {
  readonly title: string
}
