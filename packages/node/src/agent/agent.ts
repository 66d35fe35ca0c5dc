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

/** One turn or compaction at a time. */
export interface Agent {
  readonly session: OpenSession
  readonly model: () => ModelClient
  /** Takes effect with the next request. */
  readonly useModel: (model: ModelClient) => void
  readonly mode: () => Config['agent']['mode']
  readonly setMode: (mode: Config['agent']['mode']) => void
  /** Never rejects for errors of a model or a tool; the outcome has them. */
  readonly turn: (text: string, signal: AbortSignal) => Promise<TurnOutcome>
  /** Continues an unfinished turn: after an error, a rewind or a restart. */
  readonly resume: (signal: AbortSignal) => Promise<TurnOutcome>
  readonly compact: (options: { focus?: string; keepRounds?: number }, signal: AbortSignal) => Promise<CompactOutcome>
  readonly look: () => Promise<AgentView>
  /** When the last prompt has to be sent again to stay cached, in milliseconds; null if it should not be. */
  readonly keepAliveDue: () => number | null
  /** Sends it again if that is due, and returns whether it was kept. Reports errors and never rejects. */
  readonly keepAlive: (signal: AbortSignal) => Promise<boolean>
  readonly cost: () => SessionCost
}

export type TurnOutcome =
  | { readonly kind: 'finished'; readonly text: string }
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly error: AgentError }
  | { readonly kind: 'stopped'; readonly reason: 'max-steps' | 'max-cost' }

export interface AgentView {
  readonly messages: readonly Message[]
  readonly report: Report
  readonly window: number
  /** The window without the room for the answer. */
  readonly usable: number
  /** Tokens of the tool definitions, which are not a message. */
  readonly toolTokens: number
}

export interface SessionCost {
  readonly dollars: number
  readonly unpriced: number
  readonly requests: number
  readonly usage: Usage
  /** The part of it for keeping prompts cached. */
  readonly keepAlive: { readonly times: number; readonly dollars: number }
}

export interface AgentOptions {
  readonly session: OpenSession
  readonly config: Config
  /** Whether the user set `context_window`. Otherwise it is the model's. */
  readonly isWindowSet: boolean
  readonly policies: readonly Policy[]
  readonly model: ModelClient
  /** Called with the first request, because MCP servers take time to start. */
  readonly tools: () => Promise<readonly Tool[]>
  readonly root: string
  readonly environment: Environment
  /** The address of a server that has all models. Default: by the names. */
  readonly url?: string | undefined
  readonly platform: string
  readonly emit: Emit
  /** Null if no user is there; then calls that need permission are rejected. */
  readonly ask: AskPermission | null
  /** By the name in a request; null if unknown. */
  readonly priceOf: (model: string) => Price | null
  readonly summarize: Ask
  readonly now: () => number
}

export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>
