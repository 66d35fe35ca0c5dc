import type { Message } from '@plimsoll/core'
import { messageText } from '@plimsoll/core/text'
import { withoutMentionReminder } from './mentions.ts'

/** What the user said in a message, without the reminder that the agent puts behind it. */
export function saidText(message: Message): string {
  return withoutMentionReminder(messageText(message))
}

/** Whether a message is something the user said, and not a summary. */
export function isSaid({ role, summary }: Message): boolean {
  return role === 'user' && summary !== true
}
