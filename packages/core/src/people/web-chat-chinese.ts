import type { WebChatStrings } from './web-chat-strings.ts'
import { chineseWebComposer } from './web-composer-chinese.ts'
import { chineseWebConversation } from './web-conversation-chinese.ts'
import { chineseWebDialogs } from './web-dialogs-chinese.ts'

/** What the web app says in the chat, in Chinese. */
export const chineseWebChat: WebChatStrings = {
  composer: chineseWebComposer,
  conversation: chineseWebConversation,
  dialogs: chineseWebDialogs,
  title: '对话',
}
