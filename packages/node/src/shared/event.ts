import type { Report } from '@plimsoll/core'
import type { Cost, Usage } from '@plimsoll/core/bill'
import type { BlobReference, ResultContent } from '@plimsoll/core/wire'
import type { english } from './strings/english.ts'

/** Something that happens while the agent works. Reported live and never stored. */
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

export type Emit = (event: AgentEvent) => void

/** A turn starts: from the user's message to the answer that asks for nothing more. */
export interface TurnStart {
  readonly session: string
  readonly turn: string
  readonly model: string
  readonly timing: string
}

/** A tool is about to run, or to be asked about. */
export interface ToolCallStart {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  readonly about: string
  readonly access: ToolAccess
}

/** A tool has answered. The outcome is complete: nothing is cut or filtered yet. */
export interface ToolCallEnd {
  readonly callId: string
  readonly tool: string
  readonly result: ToolOutcome
  readonly isError: boolean
  /** Excludes the time that the user took to allow it; 0 if it did not run. */
  readonly durationMs: number
}

/** The usage of one request, of the conversation or next to it. */
export interface UsageTold {
  readonly what: 'answer' | SideCall
  readonly usage: Usage
  readonly cost: Cost | null
  /** Dollars of the session so far, and the number of its requests without a price. */
  readonly total: { readonly dollars: number; readonly unpriced: number }
  readonly firstMs: number | null
  readonly durationMs: number
}

export interface TurnEnd {
  readonly outcome: 'finished' | 'cancelled' | 'failed' | 'stopped'
  readonly steps: number
  readonly text: string
  readonly usage: Usage
  readonly cost: { readonly dollars: number; readonly unpriced: number }
  /** Excludes the time that the turn waited for the user. Only a server reports it. */
  readonly durationMs?: number
}

/** The rounds that are about to be folded. */
export interface CompactionStart {
  readonly rounds: { readonly folded: number; readonly kept: number }
  readonly messages: number
  readonly tokens: number
  /** `model` if one is asked for the summary, which takes time; `outline` if it comes from the log at once. */
  readonly writer: 'model' | 'outline'
}

/** How a compaction ended. The sizes are those of the whole conversation. */
export interface CompactionEnd {
  readonly outcome: 'compacted' | 'unchanged' | 'cancelled'
  /** The replacement of the folded rounds: a model's summary, an outline from the log, or only a notice. */
  readonly kept: 'summary' | 'outline' | 'notice' | null
  readonly tokensBefore: number
  readonly tokensAfter: number
}

/** The notifications, by their stable names. */
export type NoticeCode = keyof (typeof english)['notices']

/** A notice for the user. Interfaces translate by `code`. */
export interface Notification {
  readonly code: NoticeCode
  readonly message: string
  readonly details: string | null
}

/** A failure, and what can be done about it. Interfaces translate by `code`. */
export interface AgentError {
  readonly code: string
  readonly message: string
  readonly suggestion: string | null
  readonly details: Readonly<Record<string, unknown>>
}

/** The effect of a tool: it looks at the workspace, changes its files, or runs something with unknown effects. */
export type ToolAccess = 'read' | 'write' | 'run'

/** The progress of a call. Interfaces show it live; it is never stored. */
export interface ToolProgress {
  /** A stable name, such as `generating`; `output` for a piece of a command's output. */
  readonly stage: string
  readonly message: string
  /** Per cent, from 0 to 100; null if unknown. */
  readonly progress: number | null
}

/** The outcome of a call. */
export interface ToolOutcome {
  /** The text that the model reads: an extract if `blob` holds the complete text. */
  readonly content: ResultContent
  readonly isError?: boolean
  readonly blob?: BlobReference
  /** Plain JSON for interfaces; the model never sees it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/**
 * Paid requests next to the answers of the conversation: `broken-off` is an answer that was cut off, `keep-alive` a prompt sent
 * again for the cache.
 */
export type SideCall = 'summary' | 'result-summary' | 'prompt-expansion' | 'broken-off' | 'keep-alive'

export interface PermissionRequest {
  readonly callId: string
  readonly tool: string
  readonly access: ToolAccess
  readonly about: string
  /** Such as a diff; null if the line is enough. */
  readonly preview: string | null
  /** The calls that `session` would allow: every call of this tool, or only this same call again. */
  readonly scope: 'tool' | 'call'
}

/** Whether the preview is not a diff but the error that the model would get. */
export function wouldFail({ access, preview }: Pick<PermissionRequest, 'access' | 'preview'>): boolean {
  return access === 'write' && preview?.startsWith('Error: ') === true
}

/** The user's answer: this once, for the rest of the session (see `scope`), or no, with a reason for the model. */
export type PermissionAnswer =
  | { readonly kind: 'once' }
  | { readonly kind: 'session' }
  | { readonly kind: 'no'; readonly reason: string | null }
