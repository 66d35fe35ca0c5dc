import { inputText, type Part, resultText } from '@plimsoll/core'

/** The words of a part: what was said, thought, asked for or answered. A picture has none. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return inputText(part)
    case 'tool-result':
      return resultText(part)
    case 'media':
      return ''
  }
}
