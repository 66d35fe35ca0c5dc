import type { Config } from '@plimsoll/core/policies'
import type { Agent } from '../agent/agent.ts'
import type { ModelClient } from '../model/model-client.ts'
import type { PermissionAnswer } from '../shared/event.ts'
import type { LiveState, ModelInfo, SessionAnswers, SessionCommands } from '../shared/server-api.ts'
import type { EventBuffer } from './event-buffer.ts'
import type { ServerOptions } from './server-options.ts'

/** One agent at work in one session, for everybody who looks on. Whatever is refused is thrown as an `ApiError`. */
export interface LiveSession {
  readonly id: string
  readonly agent: Agent
  readonly state: () => LiveState
  /** The event up to which everything that happened stands in the log. */
  readonly event: () => string
  readonly isBusy: () => boolean
  /** Says something now, or after what the agent is at. */
  readonly turn: (text: string) => SessionAnswers['turn']
  /** Stops what is running; what was still to be said comes back. */
  readonly cancel: () => SessionAnswers['cancel']
  readonly permission: (callId: string, answer: PermissionAnswer, stop: boolean) => void
  readonly resume: () => void
  /** Folds older rounds; an empty focus is none. */
  readonly compact: (focus: string, thenResume: boolean) => void
  readonly rewind: (before: string) => Promise<SessionAnswers['rewind']>
  readonly useModel: (name: string, thenResume: boolean) => Promise<ModelInfo>
  readonly setMode: (mode: Config['agent']['mode']) => void
  readonly edits: (change: Required<SessionCommands['edits']>) => Promise<void>
  /** The conversation goes on in another session. */
  readonly moveTo: (session: string) => void
  /** Somebody began to look on, or nobody does any more. */
  readonly watched: (isWatched: boolean) => void
  /** Stops what is running, keeps what was still to be said, and leaves the session. */
  readonly close: () => Promise<void>
}

/** In which session, for whom, and with what. */
export interface LiveSessionOptions {
  /** The id of a stored session; null begins a new one. */
  readonly session: string | null
  readonly model?: ModelClient | undefined
  readonly mode?: Config['agent']['mode'] | undefined
  readonly server: Pick<ServerOptions, 'agents' | 'config' | 'isWindowSet' | 'now' | 'strings'>
  readonly events: EventBuffer
  /** Called when the agent is done and nothing waits. */
  readonly onIdle: () => void
}
