import { hideOldSummaries } from '../compaction/hide-old-summaries.ts'
import type { FoldEdit } from '../edit.ts'
import type { Message } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { type Fitting } from './fitting.ts'
import type { Steps } from './shrink-parts.ts'

/**
 * Shows a line with their handles in place of the oldest summaries, until the others have no more than a share of the target.
 * Those written for this very request stay: they say what has just gone.
 */
export function* hideSummaries({ draft, facts, known }: Fitting, share: number): Steps {
  const compaction = { ...facts.config?.compaction, max_summary_tokens: Math.floor(draft.limit('target') * share) }
  const older = olderThanNew(draft.messages(), known())
  for (const edit of hideOldSummaries.plan(older, { ...facts, config: { ...facts.config, compaction } })) {
    if (edit.kind !== 'fold') continue
    const fold: FoldEdit = { ...edit, id: `${fitWindowName}:${edit.id}`, policy: fitWindowName }
    if (draft.fold([fold])) yield
  }
}

function olderThanNew(messages: readonly Message[], known: ReadonlySet<Message>): readonly Message[] {
  const end = messages.findIndex((message) => message.summary === true && !known.has(message))
  return end < 0 ? messages : messages.slice(0, end)
}
