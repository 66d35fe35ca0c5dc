import type { Message, Policy, Report } from '@plimsoll/core'
import type { Price, Usage } from '@plimsoll/core/bill'
import type { Config } from '@plimsoll/core/policies'
import type { ModelClient } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { Ask } from '../model/side-calls.ts'
import type { OpenSession } from '../session/session.ts'
import type { AgentError, Emit, PermissionAnswer, PermissionRequest } from '../shared/event.ts'
import type { Tool } from '../tools/tool.ts'
import type { CompactOutcome } from './compaction/compact-session.ts'

/** An agent at work in one session. One turn or compaction at a time. */
export interface Agent {
  readonly session: OpenSession
  readonly model: () => ModelClient
  /** From the next request on, another model answers. */
  readonly useModel: (model: ModelClient) => void
  readonly mode: () => Config['agent']['mode']
  readonly setMode: (mode: Config['agent']['mode']) => void
  /** Does what the user asks, to the end. Never rejects for what a model or a tool did; the outcome says it. */
  readonly turn: (text: string, signal: AbortSignal) => Promise<TurnOutcome>
  /** Goes on with a turn that was not finished: after an error, a rewind or a restart. */
  readonly resume: (signal: AbortSignal) => Promise<TurnOutcome>
  /** Folds older rounds, because a person asked for it. */
  readonly compact: (
    options: { readonly focus?: string; readonly keepRounds?: number },
    signal: AbortSignal,
  ) => Promise<CompactOutcome>
  /** What the next request would be, and how full the window is. */
  readonly look: () => Promise<AgentView>
  /** When the last prompt has to be sent again so that the provider keeps it, in milliseconds; null where it is not to be. */
  readonly keepAliveDue: () => number | null
  /** Sends it again where that is due, and tells whether it was kept. Whatever goes wrong is told, and never rejects. */
  readonly keepAlive: (signal: AbortSignal) => Promise<boolean>
  /** Dollars of this session so far, and how many of its requests have no price. */
  readonly cost: () => SessionCost
}

/** How a turn ended. */
export type TurnOutcome =
  | { readonly kind: 'finished'; readonly text: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: AgentError }
  | { readonly kind: 'stopped'; readonly reason: 'max-steps' | 'max-cost' }

/** What the next request would be. */
export interface AgentView {
  readonly messages: readonly Message[]
  readonly report: Report
  readonly window: number
  /** Tokens that a request may have: the window without the room for the answer. */
  readonly usable: number
  /** Tokens of the tool definitions, which are no message. */
  readonly toolTokens: number
}

/** What a session has cost. */
export interface SessionCost {
  readonly dollars: number
  /** Requests whose price nobody knows. */
  readonly unpriced: number
  readonly requests: number
  readonly usage: Usage
  /** What of it went into keeping prompts alive while nobody asked anything. */
  readonly keepAlive: { readonly times: number; readonly dollars: number }
}

/** What an agent works with. */
export interface AgentOptions {
  readonly session: OpenSession
  readonly config: Config
  /** Whether the user set `context_window`; else it is the model's. */
  readonly isWindowSet: boolean
  readonly policies: readonly Policy[]
  readonly model: ModelClient
  /** Asked for with the first request, because servers of tools take their time to start. */
  readonly tools: () => Promise<readonly Tool[]>
  /** The real path of the workspace's folder. */
  readonly root: string
  readonly environment: Environment
  /** The address of a server that knows the models by their whole names. Default: by the names. */
  readonly url?: string | undefined
  readonly platform: string
  readonly emit: Emit
  /** Asks a person; null where nobody is there, and what would have to be asked is refused. */
  readonly ask: AskPermission | null
  /** What a model costs, by the name in a request; null where nobody knows. */
  readonly priceOf: (model: string) => Price | null
  /** Puts the questions for summaries of tool results. */
  readonly summarize: Ask
  /** The time in milliseconds. */
  readonly now: () => number
}

/** Asks whether a call may run. */
export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>
