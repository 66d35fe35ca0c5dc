import { resultText, type ToolResultPart } from '../message.ts'
import type { LargeText } from './large-text.ts'
import type { RecallSource } from './recall.ts'

/** The complete text of a result, the way to one that is too large to be held lightly, or why there is neither. */
export type WholeText =
  | { readonly text: string; readonly found: { readonly large?: LargeOriginal } }
  | { readonly trouble: string }

/** A text that is read piece by piece. */
export interface LargeOriginal {
  readonly text: LargeText
  /** All of it after all, for who wants that; null where it cannot be held. */
  readonly whole: () => string | null
}

/** Reads the complete text of a result from wherever it lies. */
export function wholeText(part: ToolResultPart, source: RecallSource): WholeText {
  if (part.blob === undefined) return { text: resultText(part), found: {} }
  const large = source.large?.(part) ?? null
  if (large !== null && 'trouble' in large) return large
  const whole = (): { readonly text: string } | { readonly trouble: string } => {
    const read = source.whole(part)
    return 'trouble' in read ? read : { text: resultText(read.part) }
  }
  if (large !== null) return { text: '', found: { large: { text: large.text, whole: () => textIn(whole()) } } }
  const read = whole()
  return 'trouble' in read ? read : { ...read, found: {} }
}

function textIn(read: { readonly text: string } | { readonly trouble: string }): string | null {
  return 'text' in read ? read.text : null
}
