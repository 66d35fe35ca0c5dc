import type { Edit, Message } from '@plimsoll/core'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { isSameDecision } from '@plimsoll/core/policies'
import type { ShownView } from '../replay/view-source.ts'
import type { InspectedEdit } from '../shared/inspection/inspection.ts'

interface UnderRequest {
  readonly number: number
  readonly at: number | null
  readonly messages: readonly Message[]
}

export interface EditsTaken {
  readonly edits: number
  readonly saved: number
  /** Everything that changes with this request, by the number of its first message. */
  readonly changes: readonly { readonly number: number; readonly policy: string }[]
}

/** Collects the edits that a policy set makes in a session, request by request. `numberOf` takes the id of a message. */
export function createUnderEdits(numberOf: (message: string) => number | undefined) {
  const rows = new Map<string, Row>()
  let inForce: ReadonlyMap<string, Edit> = new Map()
  let last: readonly Edit[] = []

  const rowOf = (edit: Edit, reported: ReportedEdit, { number: request, at }: UnderRequest): Row => {
    const [first, end] = endsOf(edit)
    const number = (first === null ? 0 : numberOf(first)) ?? 0
    const lastNumber = Math.max(number, (end === null ? 0 : numberOf(end)) ?? number)
    return { edit, row: { ...reported, number, lastNumber, at, request, state: 'in-force' } }
  }

  return {
    /** Adds the view of the next request, and returns what is new in it. */
    take({ edits, reported }: ShownView, request: UnderRequest): EditsTaken {
      if (edits.length === last.length && edits.every((edit, index) => edit === last[index])) return nothingTaken
      const changes: { readonly number: number; readonly policy: string }[] = []
      let count = 0
      let saved = 0
      const now = new Map<string, Edit>()
      for (const [index, edit] of edits.entries()) {
        now.set(edit.id, edit)
        const before = inForce.get(edit.id)
        if (before !== undefined && isSameDecision(before, edit)) continue
        const made = rowOf(edit, reported[index] as ReportedEdit, request)
        const known = before === undefined ? undefined : rows.get(edit.id)
        count += 1
        saved += savedBy(made) - (known === undefined ? 0 : savedBy(known))
        changes.push(made.row)
        rows.delete(edit.id)
        rows.set(edit.id, made)
      }
      let present: ReadonlySet<string> | undefined
      for (const [id, edit] of inForce) {
        const known = rows.get(id)
        if (now.has(id) || known === undefined) continue
        const [first] = endsOf(edit)
        present ??= new Set(request.messages.map((message) => message.id))
        // Messages before the agent's own summary are not shown any more, so their edits were not undone.
        if (first !== null && !present.has(first)) continue
        rows.set(id, { edit, row: { ...known.row, state: 'withdrawn' } })
        changes.push(known.row)
      }
      inForce = now
      last = edits
      return { edits: count, saved, changes }
    },
    /** In the order they took effect; one that did so again comes where it did last. */
    list: () => [...rows.values()].map(({ row }) => row),
    edit: (id: string) => rows.get(id)?.edit,
  }
}

const nothingTaken: EditsTaken = { edits: 0, saved: 0, changes: [] }

interface Row {
  readonly edit: Edit
  readonly row: InspectedEdit
}

function savedBy({ row }: Row): number {
  return row.tokensBefore - row.tokensAfter
}

/** The first and the last message that an edit changes; null for the place before the first one. */
function endsOf(edit: Edit): readonly [first: string | null, last: string | null] {
  switch (edit.kind) {
    case 'replace':
      return [edit.message, edit.message]
    case 'fold':
      return [edit.first, edit.last]
    case 'insert':
      return [edit.after, edit.after]
  }
}
