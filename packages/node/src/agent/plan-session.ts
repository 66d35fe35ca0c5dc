import type { Facts, Tokenizer } from '@plimsoll/core'
import { planCompaction, type Segment } from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import type { SessionState } from '@plimsoll/core/session'
import type { StoredSession } from '../session/session.ts'
import { type Unfolded, withoutNotices } from './compaction-history.ts'

/** How much of a session is to be folded. */
export interface PlanSessionOptions {
  readonly config: Config
  /** How many of the latest rounds stay. Default: the configuration's. */
  readonly keepRounds?: number | undefined
  /** Set when a person asked for it: neither a short conversation nor earlier failures stand in the way. Default: false. */
  readonly force?: boolean | undefined
  /** The time in milliseconds. */
  readonly now?: number | undefined
  /** Default: the built-in estimator. */
  readonly tokens?: Tokenizer | undefined
}

/** What would be folded, and what it was planned on. */
export interface PlannedSegment {
  readonly state: SessionState
  readonly unfolded: Unfolded
  readonly segment: Segment
  readonly facts: Facts
}

/** What of a session would be folded now, or null. Rounds with a mere notice in their place count as not yet folded. */
export function planSession(session: StoredSession, options: PlanSessionOptions): PlannedSegment | null {
  const { config, force = false } = options
  const state = session.state()
  const unfolded = withoutNotices(session, state)
  const segment = planCompaction(unfolded.messages, {
    keepRounds: options.keepRounds ?? config.compaction.keep_rounds,
    minMessages: force ? 0 : config.compaction.min_messages,
    pins: state.pins,
  })
  return segment === null ? null : { state, unfolded, segment, facts: factsOfSession(state, options) }
}

/** What the writing of a summary may know of a session and its settings. */
function factsOfSession({ header, pins }: SessionState, { config, now, tokens }: PlanSessionOptions): Facts {
  return {
    config,
    pins,
    ...(now === undefined ? {} : { now }),
    ...(tokens === undefined ? {} : { tokens }),
    ...(header.root === undefined ? {} : { root: header.root }),
  }
}
