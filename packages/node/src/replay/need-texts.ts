import { type Part, resultText } from '@plimsoll/core'
import { callText } from './call-texts.ts'

/** What a part of a message says to whoever reads it; nothing for a picture. */
export function partText(part: Part): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return part.text
    case 'tool-call':
      return callText(part)
    case 'tool-result':
      return resultText(part)
    case 'media':
      return ''
  }
}
