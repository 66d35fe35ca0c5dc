import type { Report } from '@plimsoll/core'
import type { Cost, Usage } from '@plimsoll/core/bill'
import type { BlobReference, ResultContent } from '@plimsoll/core/wire'

/** Something that happens while the agent works. Told live and never stored. */
export type AgentEvent =
  | { readonly type: 'turn_start'; readonly data: TurnStart }
  | { readonly type: 'text_delta'; readonly data: { readonly text: string } }
  | { readonly type: 'reasoning_delta'; readonly data: { readonly text: string } }
  | { readonly type: 'tool_call_start'; readonly data: ToolCallStart }
  | { readonly type: 'tool_progress'; readonly data: ToolProgress & { readonly tool: string; readonly callId: string } }
  | { readonly type: 'tool_call_end'; readonly data: ToolCallEnd }
  | { readonly type: 'view_built'; readonly data: { readonly report: Report; readonly window: number; readonly usable: number } }
  | { readonly type: 'compaction_start'; readonly data: CompactionStart }
  | { readonly type: 'compaction_progress'; readonly data: { readonly written: number } }
  | { readonly type: 'compaction_end'; readonly data: CompactionEnd }
  | { readonly type: 'notification'; readonly data: Notification }
  | { readonly type: 'error'; readonly data: AgentError }
  | { readonly type: 'usage'; readonly data: UsageTold }
  | { readonly type: 'turn_end'; readonly data: TurnEnd }

/** Takes events as they happen. */
export type Emit = (event: AgentEvent) => void

/** A turn begins: from the user's message to the answer that asks for nothing more. */
export interface TurnStart {
  readonly session: string
  /** The id of the user's message. */
  readonly turn: string
  readonly model: string
  /** When trimming takes effect. */
  readonly timing: string
}

/** A tool is about to run, or to be asked about. */
export interface ToolCallStart {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  /** What the call is about, in one line. */
  readonly about: string
  readonly access: ToolAccess
}

/** A tool has answered. The outcome is complete: nothing of it is cut or filtered yet. */
export interface ToolCallEnd {
  readonly callId: string
  readonly tool: string
  readonly result: ToolOutcome
  readonly isError: boolean
  /** Without the time that a person took to allow it; 0 where it did not run. */
  readonly durationMs: number
}

/** What one request took: one of the conversation, or one beside it. */
export interface UsageTold {
  readonly what: 'answer' | SideCall
  readonly usage: Usage
  /** Null where nobody knows the price. */
  readonly cost: Cost | null
  /** Dollars of the session so far, and how many of its requests have no price. */
  readonly total: { readonly dollars: number; readonly unpriced: number }
  /** Milliseconds until the first piece of the answer, where that is known, and for all of it. */
  readonly firstMs: number | null
  readonly durationMs: number
}

/** How a turn ended. */
export interface TurnEnd {
  readonly outcome: 'finished' | 'cancelled' | 'failed' | 'stopped'
  /** Requests that were answered. */
  readonly steps: number
  /** The last words of the model. */
  readonly text: string
  readonly usage: Usage
  readonly cost: { readonly dollars: number; readonly unpriced: number }
}

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

/** The notifications, by their stable names. */
export type NoticeCode =
  | 'summary_timed_out'
  | 'summary_failed'
  | 'summary_overflow'
  | 'summary_empty'
  | 'summary_longer'
  | 'summary_error_text'
  | 'summary_no_template'
  | 'summary_not_asked'
  | 'summary_too_dear'
  | 'outline_kept'
  | 'recent_kept'
  | 'compaction_ineffective'
  | 'compaction_stopped'
  | 'answer_cut'
  | 'answer_filtered'
  | 'max_steps'
  | 'max_cost'
  | 'tools_trouble'
  | 'result_not_summarized'
  | 'retrying'
  | 'answer_restarted'
  | 'history_compressed'
  | 'answer_shortened'
  | 'media_dropped'
  | 'pairs_repaired'
  | 'silent_overflow'
  | 'small_window'
  | 'kept_alive'
  | 'keep_alive_failed'

/** Something a person should know. Interfaces translate by `code`. */
export interface Notification {
  readonly code: NoticeCode
  readonly message: string
  /** What the server or the log says about it, where there is more to say. */
  readonly details: string | null
}

/** Something that failed, and what can be done about it. Interfaces translate by `code`. */
export interface AgentError {
  readonly code: string
  readonly message: string
  readonly suggestion: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** What a tool does to the world: looks at the workspace, changes its files, or runs something whose effects nobody can know. */
export type ToolAccess = 'read' | 'write' | 'run'

/** How far a call is. Interfaces show it live; nothing of it is stored. */
export interface ToolProgress {
  /** A stable name, such as `generating`; `output` for a piece of what a command writes. */
  readonly stage: string
  readonly message: string
  /** Per cent, from 0 to 100; null where nobody can know. */
  readonly progress: number | null
}

/** What came of a call. */
export interface ToolOutcome {
  /** What the model reads. An extract where `blob` holds the whole. */
  readonly content: ResultContent
  readonly isError?: boolean
  readonly blob?: BlobReference
  /** What interfaces show beside it, plain JSON; the model never sees it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * What a model was paid for beside the answers of the conversation: a summary of older rounds, one of a result, a fuller prompt for a
 * picture, an answer that broke off, and a prompt that was sent again so that the provider keeps it.
 */
export type SideCall = 'summary' | 'result-summary' | 'prompt-expansion' | 'broken-off' | 'keep-alive'

/** A call that waits for a person. */
export interface PermissionRequest {
  readonly callId: string
  readonly tool: string
  readonly access: ToolAccess
  /** In one line: a path, a command. */
  readonly about: string
  /** Such as a diff; null where the line is enough. */
  readonly preview: string | null
  /** What `session` would allow: every call of this tool, or only this very call again. */
  readonly scope: 'tool' | 'call'
}

/** What the person said: this once, for the rest of the session (see `scope`), or no, with their words for the model. */
export type PermissionAnswer =
  | { readonly kind: 'once' }
  | { readonly kind: 'session' }
  | { readonly kind: 'no'; readonly reason: string | null }
