import { imageProgressStrings, type ToolProgress } from '@plimsoll/core'
import type { Strings } from '../strings/strings-for.ts'

/** What a tool says about how far it is, in the page's language where its words are known; else as it says it. */
export function progressText({ message }: Pick<ToolProgress, 'message'>, { chat }: Strings): string {
  const words = chat.conversation.tool.picture
  const { expanding, generating, complete } = imageProgressStrings
  if (message === expanding) return words.expanding
  if (message === generating) return words.generating
  if (message === complete) return words.complete
  const seconds = between(message, imageProgressStrings.generatingFor)
  if (seconds !== null && /^\d+$/.test(seconds)) return words.generatingFor(seconds)
  const model = between(message, imageProgressStrings.model)
  return model === null ? message : words.model(model)
}

/** What stands in a text where a sentence leaves room for it; null where the text is not that sentence. */
function between(text: string, sentence: (part: never) => string): string | null {
  const mark = '\u0000'
  const [before = '', after = ''] = sentence(mark as never).split(mark)
  const isSentence = text.startsWith(before) && text.endsWith(after) && text.length > before.length + after.length
  return isSentence ? text.slice(before.length, text.length - after.length) : null
}
