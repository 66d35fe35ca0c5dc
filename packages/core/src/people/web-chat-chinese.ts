import type { WebChatStrings } from './web-chat-strings.ts'

/** What the web app says in the chat, in Chinese. */
export const chineseWebChat: WebChatStrings = {
  title: '对话',
}
