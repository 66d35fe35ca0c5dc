import type { TrimMode } from '@plimsoll/core/policies'
import type { Measurement } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import type { GatewayConversation } from './gateway-record.ts'
import type { Branch, BranchState } from './gateway-store.ts'
import { readJson } from './stored-json.ts'
import type { WireDialect } from './wire-dialect.ts'

/** A conversation as both databases hold it. */
export interface ConversationRow {
  readonly id: string
  readonly label: string | null
  readonly dialect: string
  readonly model: string | null
  readonly mode: string
  readonly held_out: number
  readonly first: number
  readonly last: number
  readonly requests: number
  readonly dollars: number
  readonly untrimmed_dollars: number
  readonly unpriced: number
}

/** Where a conversation stands, as both databases hold it. */
export interface BranchRow {
  readonly chain: string
  readonly conversation: string
  readonly requests: number
  readonly at: number
  readonly state: string
}

/** The columns of `ConversationRow`. */
export const conversationColumns =
  'id, label, dialect, model, mode, held_out, first, last, requests, dollars, untrimmed_dollars, unpriced'

/** A conversation out of its row. */
export function conversationOf(row: ConversationRow): GatewayConversation {
  return {
    id: row.id,
    label: row.label === null ? null : (readJson(row.label) as string),
    dialect: row.dialect as WireDialect,
    model: row.model === null ? null : (readJson(row.model) as string),
    mode: row.mode as TrimMode,
    isHeldOut: row.held_out === 1,
    first: row.first,
    last: row.last,
    requests: row.requests,
    dollars: row.dollars,
    untrimmedDollars: row.untrimmed_dollars,
    unpriced: row.unpriced,
  }
}

/** A branch out of its row. */
export function branchOf({ chain, conversation, requests, at, state }: BranchRow): Branch {
  return { conversation, chain, requests, state: soundState(readJson(state) as BranchState), at }
}

/** The state without what another version, or somebody else, may have written into its lists. */
function soundState({ measurements, behind, ...state }: BranchState): BranchState {
  const known: readonly unknown[] = Array.isArray(measurements) ? measurements : []
  return {
    ...state,
    ...(known.length === 0 ? {} : { measurements: known.filter(isMeasurement) }),
    ...(isRecord(behind) ? { behind: Object.fromEntries(Object.entries(behind).filter(([, level]) => level >= 0)) } : {}),
  }
}

function isMeasurement(value: unknown): value is Measurement {
  if (!isRecord(value) || !isRecord(value['usage'])) return false
  const { input, cacheRead, cacheWrite, output } = value['usage']
  return [value['estimate'], input, cacheRead, cacheWrite, output].every(Number.isFinite)
}
