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

/** What a request to the model is made with and told about. */
export interface AskContext {
  readonly session: OpenSession
  readonly config: Config
  /** Whether the window in it is what the user says it is. Default: it is not. */
  readonly isWindowSet?: boolean
  readonly policies: readonly Policy[]
  readonly model: ModelClient
  readonly tools: readonly ToolOffer[]
  /** The agent's own prompt: the same text at every request. */
  readonly system: string
  /** The project's rules as they are now. */
  readonly rules: () => Promise<string | null>
  /** The real path of the workspace's folder. */
  readonly root: string
  readonly environment: Environment
  readonly emit: Emit
  /** The time in milliseconds. */
  readonly now: () => number
  /**
   * Who writes the summaries within these limits, with the last request where it can be continued, and who is told what that took;
   * null writes them from the log.
   * Default: the model that configuration and environment name.
   */
  readonly writer?: (config: Config, live: LiveRequest | null, payment: Pick<Payment, 'onUsage'>) => SummaryWriter | null
  /** The price of any model of the session; always the same function. Default: that of `model` alone is known. */
  readonly priceOf?: PriceOf
  /** Dollars that the session may cost. Default: any amount. */
  readonly mostDollars?: number
}

/** A message under an id that the session does not know yet. */
export function newMessage(session: StoredSession, role: Role, parts: readonly Part[], at: number): Message {
  return { id: freeId(session, session.heads().length).id, role, parts, at }
}

/** Several messages that are appended together, each under an id of its own. */
export function newMessages(
  session: StoredSession,
  role: Role,
  contents: readonly (readonly Part[])[],
  at: number,
): readonly Message[] {
  let from = session.heads().length
  return contents.map((parts) => {
    const { id, number } = freeId(session, from)
    from = number + 1
    return { id, role, parts, at }
  })
}

/** A session that was split off another one has ids with gaps between them. */
function freeId(session: StoredSession, from: number): { readonly id: string; readonly number: number } {
  let number = from
  while (session.entry(`m${number}`) !== null) number += 1
  return { id: `m${number}`, number }
}

/** Tells a person something, with what there is to say about it besides. Interfaces find their own words by the code. */
export function notify(emit: Emit, code: NoticeCode, details: string | null): void {
  // One of them is fixed to the letter.
  const message = code === 'history_compressed' ? overflowStrings.historyCompressed : stringsFor('en').notices[code]
  emit({ type: 'notification', data: { code, message, details } })
}

/** Tokens before and after, as the details of a notice have them: `12,345 → 6,789`. */
export function sizes(before: number, after: number): string {
  return `${grouped(before)} → ${grouped(after)}`
}
