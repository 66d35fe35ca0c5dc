import { type Message, messageText } from './message.ts'

const reminder = '\n\n<system-reminder>\n'

/** What the user said in a message, without the reminder that the agent puts behind it. */
export function saidText(message: Message): string {
  const text = messageText(message)
  const start = text.lastIndexOf(reminder)
  return start >= 0 && text.endsWith('</system-reminder>') ? text.slice(0, start) : text
}

/** Whether a message is something the user said, and not a summary. */
export function isSaid({ role, summary }: Message): boolean {
  return role === 'user' && summary !== true
}
