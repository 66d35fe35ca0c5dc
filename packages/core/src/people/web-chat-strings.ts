/** What the web app says in the chat: messages, tool cards, progress, approvals, overflow, errors. Numbers, sizes and times arrive formatted. */
export interface WebChatStrings {
  readonly title: string
}
