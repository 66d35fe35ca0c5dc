import type { WebComposerStrings } from './web-composer-strings.ts'
import type { WebConversationStrings } from './web-conversation-strings.ts'
import type { WebDialogsStrings } from './web-dialogs-strings.ts'

/** What the web app says in the chat: messages, tool cards, progress, approvals, overflow, errors. Numbers, sizes and times arrive formatted. */
export interface WebChatStrings {
  readonly composer: WebComposerStrings
  readonly conversation: WebConversationStrings
  readonly dialogs: WebDialogsStrings
  readonly title: string
}
