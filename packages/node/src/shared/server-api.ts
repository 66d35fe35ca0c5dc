import type { Message, Report } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { AgentError, AgentEvent, PermissionAnswer, PermissionRequest } from './event.ts'
import type { InspectedCost } from './inspection/inspection.ts'

/** What the server says of itself: `GET /api/hello`. */
export interface Hello {
  readonly version: string
  readonly locale: string | null
  /** The name of the workspace's folder, and its whole path. */
  readonly folder: string
  readonly root: string
  readonly model: ModelInfo
  /** Models that can be had with the keys there are, by name; the default first. */
  readonly models: readonly string[]
  /** The windows of those whose window is known, by their names. */
  readonly windows?: Readonly<Record<string, number>>
  readonly mode: Config['agent']['mode']
  /** Whether the offline model answers because there is no other, and nobody asked for it. */
  readonly isOfflineUnasked: boolean
  /** What else there is to say before anything is asked, each a sentence for people. */
  readonly notices: readonly string[]
}

/** The model that answers. */
export interface ModelInfo {
  readonly name: string
  readonly isOffline: boolean
  readonly window: number
}

/** A stored session in the list: `GET /api/sessions?search=`. */
export interface SessionListRow {
  readonly id: string
  readonly title: string | null
  readonly messages: number
  readonly bytes: number
  readonly first: number
  readonly last: number
  readonly root: string | null
  readonly from: { readonly session: string; readonly reason: 'fork' | 'compaction' } | null
  /** Whether an agent is at work in it right now, in this server. */
  readonly isBusy: boolean
  /** Whether its file is there and cannot be read: nothing else is known of it then. */
  readonly isUnreadable?: boolean
}

/** A log of another agent that was found on this machine, or handed over: `GET /api/logs`. */
export interface LogListRow {
  readonly id: string
  readonly agent: string
  /** The file's name, and the folder it lies in with the home folder as `~`. */
  readonly name: string
  readonly folder: string
  readonly bytes: number
  readonly changed: number
  /** How many requests it had, for a conversation that went through a gateway; that is in no file. */
  readonly requests?: number
}

/** What a log holds: `GET /api/logs/:id`. Each session is inspected as `ID.NUMBER`. */
export interface LogSessions {
  readonly id: string
  readonly format: string
  readonly sessions: readonly { readonly id: string; readonly title: string | null; readonly messages: number }[]
  /** What of it could not be read, each in one sentence for people. */
  readonly troubles: readonly string[]
}

/** A session as it stands, to begin with: `GET /api/sessions/:id`. What happens after it comes as events behind `event`. */
export interface SessionSnapshot {
  readonly id: string
  readonly title: string | null
  readonly from: SessionListRow['from']
  /** Messages of the branch: the latest of them stand in `messages`, the first of those has the number `start`. */
  readonly count: number
  readonly start: number
  readonly messages: readonly ChatMessage[]
  /** The last event that this snapshot knows of: the stream goes on behind it. */
  readonly event: string
  readonly live: LiveState
  /** What could not be read, each in one sentence for people. */
  readonly troubles: readonly string[]
}

/**
 * A message in the chat. The `data` of pictures in it is what `shownMedia` reads. A long result is cut: its `metadata.cut` then says how
 * many characters it has in `characters`, and all of it is at `GET /api/sessions/:id/results/:callId`.
 */
export interface ChatMessage {
  readonly number: number
  readonly message: Message
  /** Whether it stands behind a summary, so that the model does not see it any more. */
  readonly isFolded: boolean
  /** On the last of those: the summary itself. */
  readonly summary?: Message
}

/** What goes on in a session right now. */
export interface LiveState {
  readonly isBusy: boolean
  /** Since when, in milliseconds. */
  readonly since: number | null
  readonly permission: PermissionRequest | null
  readonly model: ModelInfo
  readonly mode: Config['agent']['mode']
  /** What was typed while the agent was busy, and will be said next. */
  readonly queue: readonly string[]
  /** How full the window is; null before anything was measured. */
  readonly look: SessionLook | null
  /** An overflow that waits for the user to choose; null where there is none. */
  readonly overflow: AgentError | null
  /** Whether the last turn was cut off and can be gone on with. */
  readonly canResume: boolean
}

/** How full the window is, and what the session has cost. */
export interface SessionLook {
  readonly fill: WindowFill
  readonly report: Report
  readonly cost: InspectedCost
}

/**
 * What happens in a session, as its stream tells it: the agent's own events, and what the server has to say besides. Pictures in the
 * result of `tool_call_end` and results that are too long for the stream are as in a `ChatMessage`.
 */
export type SessionEvent = AgentEvent | ServerEvent

/** What only a server has to tell. */
export type ServerEvent =
  /** Somebody said something, in this window or another. */
  | { readonly type: 'said'; readonly data: { readonly text: string; readonly message: string | null } }
  | { readonly type: 'live'; readonly data: LiveState }
  /** A call waits for an answer, or has had one (null). */
  | { readonly type: 'permission'; readonly data: PermissionRequest | null }
  /** The stored conversation was changed by more than going on: a rewind, a restored edit. Ask for it again. */
  | { readonly type: 'changed'; readonly data: { readonly what: 'rewind' | 'edits' | 'model' } }
  /** The events asked for are no longer there. Ask for the session again. */
  | { readonly type: 'reset'; readonly data: { readonly event: string } }
  /** The conversation goes on in another session. */
  | { readonly type: 'moved'; readonly data: { readonly session: string } }

/** What can be asked of a session: `POST /api/sessions/:id/…`, by the last part of the address. */
export interface SessionCommands {
  readonly turn: { readonly text: string }
  /** What was queued comes back, to be put into the prompt. */
  readonly cancel: Readonly<Record<string, never>>
  readonly resume: Readonly<Record<string, never>>
  readonly permission: { readonly callId: string; readonly answer: PermissionAnswer; readonly stop?: boolean }
  readonly compact: { readonly focus?: string; readonly thenResume?: boolean }
  /** Goes back to before a message; what it said comes back. */
  readonly rewind: { readonly before: string }
  /** A session of its own with everything up to and without a message; with all of it where none is named. */
  readonly fork: { readonly before?: string }
  /** A new session that carries on with what is in hand: what was decided, and the last request. */
  readonly 'hand-over': Readonly<Record<string, never>>
  readonly model: { readonly name: string; readonly thenResume?: boolean }
  readonly mode: { readonly mode: Config['agent']['mode'] }
  readonly edits: { readonly restore?: readonly string[]; readonly pin?: readonly string[]; readonly unpin?: readonly string[] }
}

/** What each command answers with. */
export interface SessionAnswers {
  readonly turn: { readonly queued: boolean }
  readonly cancel: { readonly queue: readonly string[] }
  readonly resume: Readonly<Record<string, never>>
  readonly permission: Readonly<Record<string, never>>
  readonly compact: Readonly<Record<string, never>>
  readonly rewind: { readonly text: string; readonly dropped: number }
  readonly fork: { readonly session: string }
  readonly 'hand-over': { readonly session: string }
  readonly model: ModelInfo
  readonly mode: Readonly<Record<string, never>>
  readonly edits: Readonly<Record<string, never>>
}

/** A refusal: what happened and what to do, for people, in the language of the request's `accept-language`. */
export interface ApiTrouble {
  readonly error: { readonly code: string; readonly message: string; readonly suggestion: string | null }
}

/** A file of the workspace that can be mentioned: `GET /api/files?search=`. */
export interface FileSuggestion {
  readonly path: string
  /** What stands in the prompt for it. */
  readonly text: string
  /** What reading it would take; null where that is not known. */
  readonly tokens: number | null
}
