import { type CompactionPreview, foldSegment, writeSummary } from '@plimsoll/core/compaction'
import { countMessage, countMessages, estimator } from '@plimsoll/core/text'
import type { StoredSession } from '../session/session.ts'
import { foldEffect } from './fold-effect.ts'
import { type PlanSessionOptions, planSession } from './plan-session.ts'

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
