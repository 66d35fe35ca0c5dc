import type { WebChatStrings } from './web-chat-strings.ts'
import { englishWebComposer } from './web-composer-english.ts'
import { englishWebConversation } from './web-conversation-english.ts'
import { englishWebDialogs } from './web-dialogs-english.ts'

/** What the web app says in the chat, in English. */
export const englishWebChat: WebChatStrings = {
  composer: englishWebComposer,
  conversation: englishWebConversation,
  dialogs: englishWebDialogs,
  title: 'Chat',
}
