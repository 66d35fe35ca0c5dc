import type { Edit } from '@plimsoll/core'
import { isSameDecision, type ReportedEdit } from '@plimsoll/core/hosts'
import type { ShownView } from '../replay/view-source.ts'
import type { InspectedEdit } from '../shared/inspection/inspection.ts'

/** The edits that a policy set makes in a session, gathered request by request. */
export interface UnderEdits {
  /** Takes in what the next request shows, and tells what is new in it. */
  readonly take: (shown: ShownView, request: UnderRequest) => EditsTaken
  /** In the order they took effect; one that did so again stands where it did last. */
  readonly list: () => readonly InspectedEdit[]
  readonly edit: (id: string) => Edit | undefined
}

/** The request that is taken in. */
export interface UnderRequest {
  /** Its place among the requests. */
  readonly number: number
  readonly at: number | null
  /** Whether it has this message, as it was recorded. */
  readonly has: (message: string) => boolean
}

/** What took effect with a request, or was taken back. */
export interface EditsTaken {
  readonly edits: number
  readonly saved: number
  /** Everything that is shown differently from here on; the number is that of the first message. */
  readonly changes: readonly { readonly number: number; readonly policy: string }[]
}

/** None yet. `numberOf` is told the id of a message. */
export function createUnderEdits(numberOf: (message: string) => number | undefined): UnderEdits {
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
    take({ edits, reported }, request) {
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
      for (const [id, edit] of inForce) {
        const known = rows.get(id)
        const [first] = endsOf(edit)
        // What stands behind a summary of the agent's own is not shown any more, and nobody took it back.
        if (now.has(id) || known === undefined || (first !== null && !request.has(first))) continue
        rows.set(id, { edit, row: { ...known.row, state: 'withdrawn' } })
        changes.push(known.row)
      }
      inForce = now
      last = edits
      return { edits: count, saved, changes }
    },
    list: () => [...rows.values()].map(({ row }) => row),
    edit: (id) => rows.get(id)?.edit,
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

/** The first and the last message that an edit is about; null for before the first one. */
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
