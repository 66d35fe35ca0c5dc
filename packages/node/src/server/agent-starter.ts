import type { Agent, AskPermission } from '../agent/agent.ts'
import type { ModelClient } from '../model/model-client.ts'
import type { OpenSession } from '../session/session.ts'
import type { Emit, Notification } from '../shared/event.ts'

/** Starts agents in sessions, with the models and tools that the settings ask for. */
export interface AgentStarter {
  /** The model of that name. Rejects with `ApiError` where it cannot be had, saying what to set. */
  readonly model: (name: string, onNotice?: (notice: Notification) => void) => Promise<ModelClient>
  /** The model that the options and settings ask for. */
  readonly defaultModel: ModelClient
  /** What there is to say about that model before it is asked anything. */
  readonly notices: readonly Notification[]
  /** Opens a session, or begins one, with an agent in it. */
  readonly start: (options: StartOptions) => Promise<Agent>
  /** Closes a session that was started here. One in which nobody said anything is removed. */
  readonly leave: (session: OpenSession) => Promise<void>
}

/** In which session an agent starts, and who listens. */
export interface StartOptions {
  /** The id of a stored session; null begins a new one. */
  readonly session: string | null
  /** Default: the starter's. */
  readonly model?: ModelClient
  readonly emit: Emit
  readonly ask: AskPermission | null
}
