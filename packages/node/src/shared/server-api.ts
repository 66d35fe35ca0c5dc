import type { Message, Report } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { HidingCost } from '@plimsoll/core/session'
import type { AgentError, AgentEvent, PermissionAnswer, PermissionRequest, ToolCallEnd } from './event.ts'
import type { InspectedCost } from './inspection/inspection.ts'

/** The server's facts about itself: `GET /api/hello`. */
export interface Hello {
  readonly version: string
  readonly locale: string | null
  readonly folder: string
  readonly root: string
  readonly model: ModelInfo
  /** Names of the models that the keys allow; the default first. */
  readonly models: readonly string[]
  /** The known windows of those models, by name. */
  readonly windows?: Readonly<Record<string, number>>
  readonly mode: Config['agent']['mode']
  /** Whether the offline model answers because there is no other, and the user did not ask for it. */
  readonly isOfflineUnasked: boolean
  /** Sentences for the user before anything is asked. */
  readonly notices: readonly string[]
}

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
  /** Whether an agent is running in it right now, in this server. */
  readonly isBusy: boolean
  /** Whether that agent waits for the user to allow something. */
  readonly isWaiting: boolean
  /** Whether its file cannot be read: nothing else is known of it then. */
  readonly isUnreadable?: boolean
}

/** A log of another agent that was found on this machine, or uploaded: `GET /api/logs`. */
export interface LogListRow {
  readonly id: string
  readonly agent: string
  /** The file's name, and its folder with the home folder as `~`. */
  readonly name: string
  readonly folder: string
  readonly bytes: number
  readonly changed: number
  /** The number of requests of a conversation that went through a gateway, which is in no file. */
  readonly requests?: number
}

/** Logs with a message that has all words of a text: `GET /api/search?text=`, those last written to first. */
export interface SearchAnswer {
  readonly found: readonly {
    readonly log: string
    /** Each is inspected as `session`, where it is the message of that number. */
    readonly messages: readonly {
      readonly session: string
      readonly number: number
      readonly role: string
      readonly excerpt: string
    }[]
  }[]
}

/** The content of a log: `GET /api/logs/:id`. Each session is inspected as `ID.NUMBER`. */
export interface LogSessions {
  readonly id: string
  readonly format: string
  readonly sessions: readonly { readonly id: string; readonly title: string | null; readonly messages: number }[]
  readonly troubles: readonly string[]
}

/** A session to start with: `GET /api/sessions/:id`. Everything later comes as events after `event`. */
export interface SessionSnapshot {
  readonly id: string
  readonly title: string | null
  readonly from: SessionListRow['from']
  /** Messages of the branch: the latest of them are in `messages`, the first of those has the number `start`. */
  readonly count: number
  readonly start: number
  readonly messages: readonly ChatMessage[]
  /** The last event in this snapshot: the stream continues after it. */
  readonly event: string
  readonly live: LiveState
  readonly troubles: readonly string[]
}

/**
 * A message in the chat. `shownMedia` reads the `data` of its images. A long result is cut: `metadata.cut.characters` is its
 * length, and all of it is at `GET /api/sessions/:id/results/:callId`.
 */
export interface ChatMessage {
  readonly number: number
  readonly message: Message
  /** Whether a summary replaces it, so that the model no longer sees it. */
  readonly isFolded: boolean
  readonly summary?: Message
  /** What was shown after it, and is not part of the conversation. */
  readonly notes?: readonly ChatNote[]
}

/** An event that is kept in the log as a note, under the note's id. The end of a call is kept for its duration, which its result does not have. */
export type ChatNote = { readonly id: string } & (
  | Extract<AgentEvent, { readonly type: 'notification' | 'error' | 'turn_end' }>
  | { readonly type: 'tool_call_end'; readonly data: Pick<ToolCallEnd, 'callId' | 'durationMs'> }
)

/** The current state of a session. */
export interface LiveState {
  readonly isBusy: boolean
  /** When the work started, later by the time that it waited for the user. */
  readonly since: number | null
  readonly permission: PermissionRequest | null
  readonly model: ModelInfo
  readonly mode: Config['agent']['mode']
  /** Texts typed while the agent was busy, which are sent next. */
  readonly queue: readonly string[]
  /** Null before anything was measured. */
  readonly look: SessionLook | null
  /** An overflow that waits for the user to choose. */
  readonly overflow: AgentError | null
  /** Whether the last turn was cut off and can be resumed. */
  readonly canResume: boolean
}

/** How full the window is, and what the session has cost. */
export interface SessionLook {
  readonly fill: WindowFill
  /** Null, like the cost, until an agent is in the session. */
  readonly report: Report | null
  readonly cost: InspectedCost | null
}

/**
 * The stream of a session: the agent's events and the server's own. Images and long results in `tool_call_end` are as in a
 * `ChatMessage`.
 */
export type SessionEvent = AgentEvent | ServerEvent

/** Events that only a server reports. */
export type ServerEvent =
  /** The user said something, in this window or another. */
  | { readonly type: 'said'; readonly data: { readonly text: string; readonly message: string | null } }
  | { readonly type: 'live'; readonly data: LiveState }
  /** A call waits for an answer, or has had one (null). */
  | { readonly type: 'permission'; readonly data: PermissionRequest | null }
  /** The stored conversation was changed otherwise: a rewind, a restored edit. Load it again. */
  | { readonly type: 'changed'; readonly data: { readonly what: 'rewind' | 'edits' | 'model' } }
  /** The requested events are gone. Load the session again. */
  | { readonly type: 'reset'; readonly data: { readonly event: string } }
  | { readonly type: 'moved'; readonly data: { readonly session: string } }

/** Requests to a session: `POST /api/sessions/:id/…`, by the last part of the address. */
export interface SessionCommands {
  /** While a turn runs, the model reads it with its next request if `steer` is set, else after the turn. */
  readonly turn: { readonly text: string; readonly steer?: boolean | undefined }
  /** The queued texts come back, to be put into the prompt. */
  readonly cancel: Readonly<Record<string, never>>
  readonly resume: Readonly<Record<string, never>>
  readonly permission: { readonly callId: string; readonly answer: PermissionAnswer; readonly stop?: boolean }
  readonly compact: { readonly focus?: string; readonly thenResume?: boolean }
  /** Goes back to before a message and returns its text. */
  readonly rewind: { readonly before: string }
  /** A new session with everything before a message, or with all of it. */
  readonly fork: { readonly before?: string }
  /** A new session that continues with the decisions so far and the last request. */
  readonly 'hand-over': Readonly<Record<string, never>>
  readonly model: { readonly name: string; readonly thenResume?: boolean }
  readonly mode: { readonly mode: Config['agent']['mode'] }
  /** Of a conversation of a gateway, only hiding can be changed. */
  readonly edits: Readonly<Partial<Record<'restore' | 'pin' | 'unpin' | 'hide' | 'unhide', readonly string[]>>>
  /** The files that the agent changed after a message of the user and before the next one; by default, of the latest with any. Changes nothing. */
  readonly 'file-changes': { readonly turn?: string }
  /** Undoes the changes of these files, or makes them again if they are undone. A file that is not as named here is left alone. */
  readonly 'undo-files': { readonly turn: string; readonly files: readonly Pick<ChangedFile, 'path' | 'current'>[] }
  /** What hiding the result of a message changes in the next request. Changes nothing. */
  readonly 'hiding-cost': { readonly message: string }
}

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
  readonly 'file-changes': { readonly turn: string; readonly files: readonly ChangedFile[] }
  /** Paths. */
  readonly 'undo-files': { readonly done: readonly string[]; readonly left: readonly string[] }
  readonly 'hiding-cost': HidingCost
}

/** A file that a turn changed with its editing tools, and what undoing that would do. */
export interface ChangedFile {
  readonly path: string
  /**
   * `written`: as the turn left it. `changed`: someone changed it since. `undone`: as it was before the turn. `lost`: it cannot be
   * undone, because the earlier content is not stored or the path cannot be used.
   */
  readonly state: 'written' | 'changed' | 'undone' | 'lost'
  /** Whether the turn created it, so that undoing removes it. */
  readonly isNew: boolean
  /** The SHA-256 of the file now; null if there is none. */
  readonly current: string | null
  /** The change that undoing makes, or making it again if it is undone. Null if there is none to be made, or none to be shown. */
  readonly diff: string | null
  /** Whether it can be undone, or made again. */
  readonly canChange: boolean
}

/** A refusal: what happened and what to do, in the language of the request's `accept-language`. */
export interface ApiProblem {
  readonly error: { readonly code: string; readonly message: string; readonly suggestion: string | null }
}

/** A file of the workspace that can be mentioned: `GET /api/files?search=`. */
export interface FileSuggestion {
  readonly path: string
  readonly text: string
  readonly tokens: number | null
}
