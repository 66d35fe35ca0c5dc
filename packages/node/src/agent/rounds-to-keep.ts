import { roundsOf } from '@plimsoll/core/compaction'
import type { Config } from '@plimsoll/core/policies'
import type { StoredSession } from '../session/session.ts'
import { previewSession } from './preview-session.ts'

/** What a person asks for who wants older rounds folded. */
export interface FoldingWish {
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
