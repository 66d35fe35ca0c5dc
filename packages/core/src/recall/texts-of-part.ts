import { filterBinary } from '../binary/filter-binary.ts'
import type { Facts } from '../facts.ts'
import { type Message, type Part, resultText, type ToolResultPart } from '../message.ts'
import { resultHandle } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import type { PlacedPart } from './placed-parts.ts'

/**
 * The texts of a part that a view may have named by their handle: what was said or printed, each text of a list, and the same
 * without binary data, which is what later cuts were made of.
 */
export function textsOf({ message, part }: PlacedPart, facts: Facts): readonly string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text]
  if (part.type !== 'tool-result') return []
  const texts = textsOfResult(part)
  const shown = withoutBinary(message, part, facts)
  return shown === part ? texts : [...texts, ...textsOfResult(shown)]
}

/** The handles of `textsOf`, in the same order, worked out once for each part. */
export function handlesOf(placed: PlacedPart, facts: Facts): readonly string[] {
  const { part } = placed
  const known = remembered.get(part)
  if (known !== undefined && known.strings === facts.strings) return known.handles
  const handles = textsOf(placed, facts).map((text, index) =>
    index === 0 && part.type === 'tool-result' && part.blob === undefined ? resultHandle(part) : handleOf(text),
  )
  remembered.set(part, { strings: facts.strings, handles })
  return handles
}

/** A result as the model was shown it before anything was cut. */
function withoutBinary(message: Message, part: ToolResultPart, facts: Facts): ToolResultPart {
  const index = message.parts.indexOf(part)
  for (const edit of filterBinary.plan([message], facts)) {
    if (edit.kind === 'replace' && edit.part === index && edit.with.type === 'tool-result') return edit.with
  }
  return part
}

const remembered = new WeakMap<Part, { readonly strings: Facts['strings']; readonly handles: readonly string[] }>()

function textsOfResult(part: ToolResultPart): readonly string[] {
  const text = resultText(part)
  if (part.content.type !== 'list') return [text]
  const items = part.content.items.flatMap((item) => (item.type === 'text' ? [item.text] : []))
  return items.length === 1 ? [text] : [text, ...items]
}
