import type { Agent } from '../../agent/agent.ts'
import type { ModelClient } from '../../model/model-client.ts'
import type { StartOptions } from '../../server/agent-starter.ts'
import type { OpenSession } from '../../session/session.ts'
import type { Notification } from '../../shared/event.ts'
import type { SessionContext } from '../session-context.ts'

/** What every interface to the agent needs: the settings, and agents in sessions. */
export interface AgentHost {
  readonly context: SessionContext
  /** The real path of the workspace's folder. */
  readonly root: string
  /** The model of that name. Rejects with `CommandError` where it cannot be had, saying what to set. */
  readonly model: (name: string, onNotice?: (notice: Notification) => void) => Promise<ModelClient>
  /** The model that the options and settings ask for. */
  readonly defaultModel: ModelClient
  /** Why that model: what in the environment or the settings made it the choice; null where an option named it. */
  readonly why: string | null
  /** What there is to say about that model before it is asked anything. */
  readonly notices: readonly Notification[]
  /** Opens a session, or begins one, with an agent in it. */
  readonly start: (options: StartOptions) => Promise<Agent>
  /** Closes a session that was started here. One in which nobody said anything is removed. */
  readonly leave: (session: OpenSession) => Promise<void>
  /** Ends what was started for the agents: servers of tools, and sessions that are still open. */
  readonly close: () => Promise<void>
}
