import type { Policy } from '@plimsoll/core'
import type { Config } from '@plimsoll/core/policies'
import type { Agent, AskPermission } from '../agent/agent.ts'
import type { ModelClient } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { WriteOptions } from '../session/open-session.ts'
import type { OpenSession } from '../session/session.ts'
import type { Emit, Notification } from '../shared/event.ts'
import type { Strings } from '../strings/strings-for.ts'
import type { GatewayShelf } from './gateway-shelf.ts'

export interface AgentStarter {
  /** The model with this name. Rejects with `ApiError` if it is not available, saying what to set. */
  readonly model: (name: string, onNotice?: (notice: Notification) => void) => Promise<ModelClient>
  readonly defaultModel: ModelClient
  /** About that model, before its first request. */
  readonly notices: readonly Notification[]
  readonly start: (options: StartOptions) => Promise<Agent>
  /** Closes a session that was started here. An empty one is removed. */
  readonly leave: (session: OpenSession) => Promise<void>
}

export interface StartOptions {
  readonly session: string | null
  /** Default: the starter's. */
  readonly model?: ModelClient
  readonly emit: Emit
  readonly ask: AskPermission | null
}

export interface ServerOptions {
  readonly version: string
  readonly sessions: string
  /** The real path of the workspace's folder. */
  readonly root: string
  readonly config: Config
  /** In the language of the user who started the server; a request may ask for another one. */
  readonly strings: Strings
  readonly policies: readonly Policy[]
  /** Whether the user set `context_window`; else it is the model's. */
  readonly isWindowSet: boolean
  readonly environment: Environment
  readonly platform: string
  readonly now: () => number
  readonly writing: WriteOptions
  readonly agents: AgentStarter
  /** The names of the models for which there are keys; the default first. */
  readonly models: readonly string[]
  /** Whether the offline model is used only because there is no other. */
  readonly isOfflineUnasked: boolean
  /** Sentences for the user, shown at the start. */
  readonly notices: readonly string[]
  /** Every request for data has to send it. */
  readonly token: string
  readonly host: string
  /** 0 takes any that is free. */
  readonly port: number
  /** Whether `host` may be one that other machines reach. */
  readonly allowPublic: boolean
  /** The store of this user's gateways, as a path or an address. Default: none. */
  readonly gatewayStore?: string
  readonly webFolder: string
  /** Milliseconds in which the headers of a request have to arrive. Default: 10,000. */
  readonly headersTimeoutMs?: number
  /** Receives the place in the code where a bug made a request fail, without any content of the user. */
  readonly onFault?: (place: string) => void
}

/** The context of each group of routes: the server's options, and hooks for its end. */
export interface RouteOptions extends ServerOptions {
  /** Fires when the server starts to close, so that streams end. */
  readonly stopping: AbortSignal
  /** Adds work that is done before the server is closed, such as ending turns and removing files. */
  readonly atClose: (work: () => Promise<void>) => void
  /** The conversations of this user's gateways; null if there is no store. */
  readonly gateways: GatewayShelf | null
  /** Adds work that is done whenever a page is loaded. */
  readonly atHello: (work: () => void) => void
}
