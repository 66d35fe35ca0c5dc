import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { InspectedEdit } from '../shared/inspection/inspection.ts'
import type { ShownView, ViewChange } from './shown-view.ts'

/** The edits that ever took effect, while they are gathered. */
export interface EditRows {
  /** Takes in what was changed, when, and what was reported on it; gives the row of its edit. */
  readonly take: (change: ViewChange, at: number, reported: ReportedEdit | undefined) => InspectedEdit
  /** A request was sent, at this place among them: what took effect since the last one did so with it. */
  readonly sent: (request: number) => void
  /** In the order they took effect; one that did so again stands where it did last. */
  readonly list: () => readonly InspectedEdit[]
}

/** No edits. */
export function createEditRows(view: Pick<ShownView, 'shown' | 'isInForce'>): EditRows {
  const rows = new Map<string, Row>()
  let waiting: Row[] = []
  return {
    take(change, at, reported) {
      const { edit, isWithdrawn } = change
      const known = rows.get(edit.id)
      if (isWithdrawn && known !== undefined) return known
      const row: Row = { ...measured(change, at, reported, view), state: 'in-force', request: null }
      rows.delete(edit.id)
      rows.set(edit.id, row)
      waiting.push(row)
      return row
    },
    sent(request) {
      for (const row of waiting) row.request = request
      waiting = []
    },
    list: () => [...rows.values()].map((row) => ({ ...row, state: view.isInForce(row.id) ? 'in-force' : 'withdrawn' })),
  }
}

type Row = Omit<InspectedEdit, 'request'> & { request: number | null }

function measured(
  { edit, numbers }: ViewChange,
  at: number,
  reported: ReportedEdit | undefined,
  view: Pick<ShownView, 'shown'>,
): Omit<InspectedEdit, 'state' | 'request'> {
  const place = { number: numbers.first, lastNumber: numbers.last, at }
  if (reported !== undefined) return { ...reported, why: edit.why, ...place }
  const message = edit.kind === 'replace' ? edit.message : edit.kind === 'fold' ? edit.first : (edit.after ?? edit.message.id)
  const part = edit.kind === 'replace' ? edit.part : 0
  const before = edit.kind === 'replace' ? (view.shown(message)?.parts[part]?.tokens ?? 0) : 0
  return {
    id: edit.id,
    policy: edit.policy,
    kind: edit.kind,
    message,
    part,
    tool: null,
    tokensBefore: before,
    // What nobody reported on is not counted as anything saved.
    tokensAfter: before,
    why: edit.why,
    cache: 'rewrite',
    ...place,
  }
}
