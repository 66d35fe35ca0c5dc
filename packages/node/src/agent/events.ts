import type { NoticeCode } from '@plimsoll/core'

/** Something that happens while the agent works. Told live and never stored. */
export type AgentEvent =
  | { readonly type: 'compaction_start'; readonly data: CompactionStart }
  | { readonly type: 'compaction_progress'; readonly data: { readonly written: number } }
  | { readonly type: 'compaction_end'; readonly data: CompactionEnd }
  | { readonly type: 'notification'; readonly data: Notification }
  | { readonly type: 'error'; readonly data: AgentError }

/** Takes events as they happen. */
export type Emit = (event: AgentEvent) => void

/** What is about to be folded. */
export interface CompactionStart {
  readonly rounds: { readonly folded: number; readonly kept: number }
  readonly messages: number
  /** Tokens of what is about to be folded. */
  readonly tokens: number
  /** `model` when one is asked for the summary, which takes its time; `outline` when it comes from the log at once. */
  readonly writer: 'model' | 'outline'
}

/** How a compaction ended. The sizes are those of the whole conversation. */
export interface CompactionEnd {
  readonly outcome: 'compacted' | 'unchanged' | 'cancelled'
  /** What stands in the place of the folded rounds: a model's summary, an outline from the log, or the mere notice. */
  readonly kept: 'summary' | 'outline' | 'notice' | null
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** Something a person should know. Interfaces translate by `code`. */
export interface Notification {
  readonly code: NoticeCode
  readonly message: string
  /** What the server or the log says about it, where there is more to say. */
  readonly details: string | null
}

/** Something that failed, and what can be done about it. */
export interface AgentError {
  readonly code: string
  readonly message: string
  readonly suggestion: string | null
  readonly details: Readonly<Record<string, unknown>>
}
