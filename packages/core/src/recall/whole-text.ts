import { resultText, type ToolResultPart } from '../message.ts'
import type { LargeText } from './large-text.ts'
import type { RecallSource } from './recall.ts'

/** The complete text of a result, the way to one that is too large to be held, or why there is neither. */
export type WholeText = { readonly text: string; readonly large?: { readonly large: LargeText } } | { readonly trouble: string }

/** Reads the complete text of a result from wherever it lies. */
export function wholeText(part: ToolResultPart, source: RecallSource): WholeText {
  if (part.blob === undefined) return { text: resultText(part) }
  const large = source.large?.(part) ?? null
  if (large !== null) return 'trouble' in large ? large : { text: '', large: { large: large.text } }
  const whole = source.whole(part)
  return 'trouble' in whole ? whole : { text: resultText(whole.part) }
}
