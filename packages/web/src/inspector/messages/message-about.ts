import { callInput, inputText, type Message, type Part, resultText, toolRules } from '@plimsoll/core'
import { visibleLine } from '../../parts/safe-text.ts'

/** What a message is about, in one line that is safe to show: its words, what its calls ask for, what its results say. */
export function messageAbout({ parts }: Message, most = 160): string {
  const words: string[] = []
  let length = 0
  for (const part of parts) {
    if (length >= most) break
    const word = partAbout(part, most)
    if (word === '') continue
    words.push(word)
    length += word.length
  }
  return visibleLine(words.join(' · '), most)
}

function partAbout(part: Part, most: number): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return visibleLine(part.text, most)
    case 'media':
      return `[${visibleLine(part.mediaType, 40)}]`
    case 'tool-call': {
      const input = callInput(part)
      const known = input === null ? [] : (toolRules(part.tool)?.about?.(input) ?? [])
      const about = known.length > 0 ? known.slice(0, 5).join(', ') : inputText(part)
      return `${visibleLine(part.tool, 60)} ${visibleLine(about, most)}`.trim()
    }
    case 'tool-result':
      return visibleLine(resultText(part), most)
  }
}
