import {
  type Edit,
  filterBinary,
  fitWindow,
  hideOldSummaries,
  limitToolOutput,
  type NewEntry,
  pairToolCalls,
} from '@plimsoll/core'
import type { StoredSession } from './session.ts'

/** How an edit is taken back. */
export interface RestoredEdit {
  readonly edit: Edit
  /** What has to be added to the log. */
  readonly entry: NewEntry
  /** Whether its policy will propose the same again all the same, because it does not ask what is pinned. */
  readonly comesBack: boolean
}

/**
 * What takes an edit in force back, or null where there is none of that id. Its message is pinned, because the policy would propose the
 * same again at the next request.
 */
export function restoredEdit(session: StoredSession, id: string): RestoredEdit | null {
  const { folds, edits } = session.state()
  const edit = [...folds, ...edits].find((one) => one.id === id)
  if (edit === undefined) return null
  const pin = edit.kind === 'replace' ? { pin: [edit.message] } : {}
  return { edit, entry: { type: 'edits', withdraw: [edit.id], ...pin }, comesBack: heedless.has(edit.policy) }
}

/** The policies that do not ask what is pinned. */
const heedless = new Set([limitToolOutput, filterBinary, pairToolCalls, hideOldSummaries, fitWindow].map(({ name }) => name))
