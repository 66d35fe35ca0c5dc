import { type Message, type Part, resultText } from '@plimsoll/core'
import { inputText } from '@plimsoll/core/text'

/** A search in a session needs at least this many characters, and uses at most this many. */
export const minSearch = 2
export const maxSearch = 200

/** The text of a message around the first place that contains a text, in any case; null if none does. */
export function foundIn({ parts }: Message, wanted: string): string | null {
  const lower = wanted.toLowerCase()
  for (const part of parts) {
    const text = textOf(part)
    const at = text.toLowerCase().indexOf(lower)
    if (at >= 0) return text.slice(Math.max(0, at - before), at + lower.length + after)
  }
  return null
}

const before = 16
const after = 120

function textOf(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return `${part.tool} ${inputText(part)}`
    case 'tool-result':
      return resultText(part)
    case 'media':
      return part.mediaType
  }
}
