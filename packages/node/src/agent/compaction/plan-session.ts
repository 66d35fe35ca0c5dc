import type { Facts, Tokenizer } from '@plimsoll/core'
import {
  type CompactionPreview,
  foldSegment,
  planCompaction,
  roundsOf,
  type Segment,
  writeSummary,
} from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import type { SessionState } from '@plimsoll/core/session'
import { countMessage, countMessages, estimator } from '@plimsoll/core/text'
import type { StoredSession } from '../../session/session.ts'
import { type Unfolded, withoutNotices } from './compaction-history.ts'
import { foldEffect } from './write-fold.ts'

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

/** What compacting a session would do, written without a model; null when there is nothing to fold. Changes nothing. */
export function previewSession(
  session: StoredSession,
  options: PlanSessionOptions & { readonly focus?: string | undefined },
): CompactionPreview | null {
  const { focus, tokens = estimator } = options
  const planned = planSession(session, options)
  if (planned === null) return null
  const { state, segment, facts } = planned
  const text = writeSummary(segment, facts, focus === undefined ? {} : { focus })
  const written = foldSegment(segment, text, facts)
  const effect = written === null ? null : foldEffect(written, 'outline', planned, options)
  const fold = effect === null ? null : written
  const tokensBefore = countMessages(state.messages, tokens)
  return {
    segment,
    text,
    fold,
    foldedTokens: countMessages(segment.messages, tokens),
    summaryTokens: fold === null || fold.into === null ? tokens.count(text) : countMessage(fold.into, tokens),
    tokensBefore,
    tokensAfter: effect?.tokensAfter ?? tokensBefore,
  }
}

/** What a person asks for who wants older rounds folded. */
interface FoldingWish {
  readonly config: Config
  readonly now: number
  readonly focus?: string | undefined
}

/**
 * How many rounds stay when a person asks for older ones to be folded: the usual number, or half of those there are where that would
 * leave nothing to fold; null where there is nothing either way.
 */
export function roundsToKeep(session: StoredSession, { config, now, focus }: FoldingWish): number | null {
  const usual = config.compaction.keep_rounds
  // Who asks for it by hand wants something folded, also where the usual number of rounds is not there yet.
  const fewer = Math.max(1, Math.floor(Math.min(roundsOf(session.state().messages).length, usual) / 2))
  const wish = focus === undefined ? {} : { focus }
  const isEnough = (keepRounds: number) => previewSession(session, { config, keepRounds, now, force: true, ...wish }) !== null
  return [usual, fewer].find(isEnough) ?? null
}
