/** For adapters that put Plimsoll into a framework. */
export { type Conversations, type ConversationsOptions, conversations } from './conversations.ts'
