import { applyEdits } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { FoldEdit } from '@plimsoll/core/policies'
import { countMessage, countMessages, estimator } from '@plimsoll/core/text'
import type { PlannedSegment, PlanSessionOptions } from './plan-session.ts'
import type { WrittenFold } from './write-fold.ts'

/** What a fold does to a conversation. */
export interface FoldEffect {
  readonly report: ReportedEdit
  /** The notices whose rounds are folded now. */
  readonly withdraw: readonly string[]
  /** Tokens of the whole conversation with it. */
  readonly tokensAfter: number
}

/** What a fold does to the conversation it was planned on; null when that does not become smaller. */
export function foldEffect(
  fold: FoldEdit,
  kept: WrittenFold['kept'],
  { state, unfolded, segment }: PlannedSegment,
  { tokens = estimator, force = false }: Pick<PlanSessionOptions, 'tokens' | 'force'>,
): FoldEffect | null {
  const folded = new Set(segment.messages.map(({ id }) => id))
  const isReplaced = ({ first, last }: FoldEdit) => folded.has(first) || folded.has(last)
  const replaced = unfolded.notices.filter(isReplaced)
  const standing = unfolded.notices.filter((notice) => !isReplaced(notice))
  const tokensBefore = countMessages(state.messages, tokens)
  const tokensAfter = countMessages(applyEdits(unfolded.messages, [fold, ...standing]), tokens)
  // A summary is larger than the notice it replaces, which is what a person wants who asks for one after all.
  if (tokensAfter >= tokensBefore && !(force && kept !== 'notice')) return null
  const sent = replaced.find(({ into }) => into?.id === state.sent)?.last ?? state.sent
  const indexOf = (id: string | null) => unfolded.messages.findIndex((message) => message.id === id)
  const report: ReportedEdit = {
    id: fold.id,
    policy: fold.policy,
    kind: 'fold',
    message: fold.first,
    part: 0,
    tool: null,
    tokensBefore: countMessages(segment.messages, tokens),
    tokensAfter: fold.into === null ? 0 : countMessage(fold.into, tokens),
    why: fold.why,
    cache: indexOf(sent) >= indexOf(fold.first) ? 'rewrite' : 'free',
  }
  return { report, withdraw: replaced.map(({ id }) => id), tokensAfter }
}
