import type { Policy } from '@plimsoll/core'
import type { SummaryWriter } from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import type { ModelClient, ToolOffer } from '../model/model-client.ts'
import type { Environment } from '../model/server-access.ts'
import type { Payment } from '../model/side-calls.ts'
import type { LiveRequest } from '../model/summary-writer.ts'
import type { OpenSession } from '../session/session.ts'
import type { Emit } from '../shared/event.ts'
import type { PriceOf } from './session-cost.ts'

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
