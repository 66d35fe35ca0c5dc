/** What the web app says in the list of sessions and logs, and in what can be done with one. Numbers, sizes and times arrive formatted. */
export interface WebSessionsStrings {
  readonly title: string
}
