import type { Message, Part, Policy } from '@plimsoll/core'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import { grouped, overflowStrings } from '@plimsoll/core/text'
import type { Role } from '@plimsoll/core/wire'
import type { ModelClient, ToolOffer } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { Payment } from '../model/side-calls.ts'
import type { LiveRequest } from '../model/summary-writer.ts'
import type { OpenSession, StoredSession } from '../session/session.ts'
import type { Emit, NoticeCode } from '../shared/event.ts'
import { stringsFor } from '../strings/strings-for.ts'
import type { PriceOf } from './request/session-cost.ts'

export interface AskContext {
  readonly session: OpenSession
  readonly config: Config
  /** Whether the user set its window. Default: false. */
  readonly isWindowSet?: boolean
  readonly policies: readonly Policy[]
  readonly model: ModelClient
  readonly tools: readonly ToolOffer[]
  /** The agent's own prompt: the same text at every request. */
  readonly system: string
  readonly rules: () => Promise<string | null>
  readonly root: string
  readonly environment: Environment
  readonly emit: Emit
  readonly now: () => number
  /** Creates the writer of summaries; null writes them from the log. Default: the configured model. */
  readonly writer?: (config: Config, live: LiveRequest | null, payment: Pick<Payment, 'onUsage'>) => SummaryWriter | null
  /** Always the same function. Default: only the price of `model` is known. */
  readonly priceOf?: PriceOf
  /** Dollars. Default: no limit. */
  readonly mostDollars?: number
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
