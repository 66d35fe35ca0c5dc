import type { AgentError, CompactionEnd, CompactionStart, Notification, TurnEnd } from '@plimsoll/core'
import type { ShownImage } from '../parts/shown-image.ts'
import type { ShownCall } from './shown-call.ts'

/** Something that stands in the chat, told apart by `kind`. The key stays with it as long as it is shown. */
export type Block =
  | UserBlock
  | WordsBlock
  | { readonly kind: 'call'; readonly key: string; readonly call: ShownCall }
  /** What stands in the conversation for older messages. */
  | { readonly kind: 'summary'; readonly key: string; readonly text: string }
  | { readonly kind: 'notice'; readonly key: string; readonly notice: Notification }
  | { readonly kind: 'error'; readonly key: string; readonly error: AgentError }
  | CompactionBlock
  /** A message that could not be read. */
  | { readonly kind: 'broken'; readonly key: string }
  | { readonly kind: 'turn'; readonly key: string; readonly end: TurnEnd; readonly durationMs: number }

/** What the user said. */
export interface UserBlock {
  readonly kind: 'user'
  readonly key: string
  /** The id of its message, to rewind or fork by; null until that is known. */
  readonly id: string | null
  readonly text: string
  readonly images: readonly ShownImage[]
}

/** What the model said, or thought. */
export interface WordsBlock {
  readonly kind: 'answer' | 'reasoning'
  readonly key: string
  readonly text: string
  /** Whether the answer that it belongs to is still being written. */
  readonly isOpen: boolean
  /** Set where the answer broke off, so that it is not kept. */
  readonly isLost?: true
  /** Pictures that the model made. */
  readonly images?: readonly ShownImage[]
}

/** Older rounds that are being folded, or were. */
export interface CompactionBlock {
  readonly kind: 'compaction'
  readonly key: string
  readonly start: CompactionStart | null
  /** Characters of the summary so far. */
  readonly written: number
  readonly end: CompactionEnd | null
}
