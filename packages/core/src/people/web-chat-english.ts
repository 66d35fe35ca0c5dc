import type { WebChatStrings } from './web-chat-strings.ts'

/** What the web app says in the chat, in English. */
export const englishWebChat: WebChatStrings = {
  title: 'Chat',
}
