import { type Policy, type ReplaceEdit, resultText, toolResults } from '@plimsoll/core'
import type { PlacedResult } from '@plimsoll/core/policies'
import type { ResultContent } from '@plimsoll/core/wire'

const name = 'cap-head-tail-8k'
const maxCharacters = 8000

/** Every result over 8,000 characters keeps its head and its tail, permanently from first sight. */
export const capHeadTail8k: Policy = {
  name,
  plan: (messages, facts) => toolResults(messages, facts).flatMap((result) => editFor(result) ?? []),
}

const remembered = new WeakMap<PlacedResult['part'], ReplaceEdit>()

function editFor({ message, partIndex, part }: PlacedResult): ReplaceEdit | null {
  const text = resultText(part)
  if (text.length <= maxCharacters) return null
  const known = remembered.get(part)
  if (known !== undefined && known.message === message.id && known.part === partIndex) return known
  const edit: ReplaceEdit = {
    id: `${name}:${message.id}.${partIndex}`,
    policy: name,
    kind: 'replace',
    message: message.id,
    part: partIndex,
    with: { ...part, content: withCappedText(part.content, capped(text)) },
    why: `more than ${maxCharacters} characters`,
  }
  remembered.set(part, edit)
  return edit
}

function withCappedText(content: ResultContent, text: string): ResultContent {
  const images = content.type === 'list' ? content.items.filter(({ type }) => type !== 'text') : []
  return images.length === 0 ? { type: 'text', text } : { type: 'list', items: [{ type: 'text', text }, ...images] }
}

function capped(text: string): string {
  const mark = `\n[${text.length} characters, the middle left out]\n`
  const half = Math.floor((maxCharacters - mark.length) / 2)
  return `${wellFormed(text.slice(0, half))}${mark}${wellFormed(text.slice(-half))}`
}

function wellFormed(text: string): string {
  return text.replace(/^[\uDC00-\uDFFF]/, '').replace(/[\uD800-\uDBFF]$/, '')
}
