import type { Message, Part, Policy, Report } from '@plimsoll/core'
import type { Price, Usage } from '@plimsoll/core/bill'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import type { CacheLifetime, Config } from '@plimsoll/core/policies'
import { grouped, overflowStrings } from '@plimsoll/core/text'
import type { Role } from '@plimsoll/core/wire'
import type { Prompts } from '../config/prompt-files.ts'
import type { TrimLog } from '../files/trim-log.ts'
import type { ModelClient, ToolOffer } from '../model/model-client.ts'
import type { Ask, Payment } from '../model/side-calls.ts'
import type { LiveRequest } from '../model/summary-writer.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import type { AgentError, Emit, NoticeCode, PermissionAnswer, PermissionRequest } from '../shared/event.ts'
import { stringsFor } from '../strings/strings-for.ts'
import type { Tool, ToolContext } from '../tools/tool.ts'
import type { CompactOutcome } from './compaction/compact-session.ts'
import type { Steering } from './turn/steering.ts'

/** One turn or compaction at a time. */
export interface Agent {
  readonly session: OpenSession
  readonly model: () => ModelClient
  /** Takes effect with the next request. */
  readonly useModel: (model: ModelClient) => void
  readonly mode: () => Config['agent']['mode']
  readonly setMode: (mode: Config['agent']['mode']) => void
  /** Never rejects for errors of a model or a tool; the outcome has them. */
  readonly turn: (text: string, signal: AbortSignal, steering?: Steering) => Promise<TurnOutcome>
  /** Continues an unfinished turn: after an error, a rewind or a restart. */
  readonly resume: (signal: AbortSignal, steering?: Steering) => Promise<TurnOutcome>
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

export interface AgentOptions extends Pick<ToolContext, 'root' | 'config' | 'environment' | 'now'> {
  readonly session: OpenSession
  /** Whether the user set `context_window`. Otherwise it is the model's. */
  readonly isWindowSet: boolean
  readonly policies: readonly Policy[]
  readonly model: ModelClient
  /** Called with the first request, because MCP servers take time to start. */
  readonly tools: () => Promise<readonly Tool[]>
  /** The address of a server that has all models. Default: by the names. */
  readonly url?: string | undefined
  readonly platform: string
  readonly emit: Emit
  /** Null if no user is there; then calls that need permission are rejected. */
  readonly ask: AskPermission | null
  /** By the name in a request; null if unknown. Always the same function. */
  readonly priceOf: (model: string) => Price | null
  readonly summarize: Ask
  /** Default: no log. */
  readonly trimLog?: TrimLog | undefined
  /** Default: the built-in prompts. */
  readonly prompts?: Pick<Prompts, 'system' | 'summary'>
}

export type AskPermission = (request: PermissionRequest, signal: AbortSignal) => Promise<PermissionAnswer>

type Shared = 'session' | 'config' | 'policies' | 'model' | 'root' | 'environment' | 'emit' | 'now'

export interface AskContext
  extends Pick<AgentOptions, Shared>,
    Partial<Pick<AgentOptions, 'isWindowSet' | 'priceOf' | 'trimLog' | 'prompts'>> {
  readonly tools: readonly ToolOffer[]
  /** How long the provider should keep this prompt. Default: as long as it does by itself. */
  readonly cacheLifetime?: CacheLifetime | null
  /** The agent's own prompt: the same text at every request. */
  readonly system: string
  readonly rules: () => Promise<string | null>
  /** Creates the writer of summaries; null writes them from the log. Default: the configured model. */
  readonly writer?: (config: Config, live: LiveRequest | null, payment: Pick<Payment, 'onUsage'>) => SummaryWriter | null
  /** Dollars. Default: no limit. */
  readonly maxDollars?: number
}

export function newMessage(session: StoredSession, role: Role, parts: readonly Part[], at: number): Message {
  return newMessages(session, role, [parts], at)[0] as Message
}

export function newMessages(session: StoredSession, role: Role, contents: readonly (readonly Part[])[], at: number): Message[] {
  let number = session.heads().length
  return contents.map((parts) => {
    // Ids of a forked session have gaps.
    while (session.entry(`m${number}`) !== null) number += 1
    number += 1
    return { id: `m${number - 1}`, role, parts, at }
  })
}

/** Notifies the user. Interfaces find their own text by the code. */
export function notify(emit: Emit, code: NoticeCode, details: string | null): void {
  // The specification fixes this text.
  const message = code === 'history_compressed' ? overflowStrings.historyCompressed : stringsFor('en').notices[code]
  emit({ type: 'notification', data: { code, message, details } })
}

/** The details of a notice: `12,345 → 6,789`. */
export function sizes(before: number, after: number): string {
  return `${grouped(before)} → ${grouped(after)}`
}
