import type { InspectedEdit } from '../../../../node/src/shared/inspection/inspection.ts'

/** Which edits of the ledger are listed, and in which order. Null lets everything through. */
export interface LedgerFilter {
  readonly policy: string | null
  /** `''` for edits of what no tool answered. */
  readonly tool: string | null
  readonly state: InspectedEdit['state'] | null
  /** The place of the request that an edit took effect with. */
  readonly request: number | null
  readonly sort: 'order' | 'saved'
}

export const wholeLedger: LedgerFilter = { policy: null, tool: null, state: null, request: null, sort: 'order' }

/** Tokens that an edit saves; below 0 if it adds some. */
export function savedBy({ tokensBefore, tokensAfter }: InspectedEdit): number {
  return tokensBefore - tokensAfter
}

/** The edits that a filter lets through, in its order. */
export function ledgerRows(edits: readonly InspectedEdit[], filter: LedgerFilter): readonly InspectedEdit[] {
  const { policy, tool, state, request, sort } = filter
  const rows = edits.filter(
    (edit) =>
      (policy === null || edit.policy === policy) &&
      (tool === null || (edit.tool ?? '') === tool) &&
      (state === null || edit.state === state) &&
      (request === null || edit.request === request),
  )
  return sort === 'order' ? rows : rows.toSorted((one, other) => savedBy(other) - savedBy(one))
}

/** The sums of each rule, the one that saves most first: its edits, the active ones, and the tokens that those save. */
export function ruleSums(edits: readonly InspectedEdit[]) {
  const sums = [...Map.groupBy(edits, ({ policy }) => policy)].map(([policy, all]) => {
    const inForce = all.filter(({ state }) => state === 'in-force')
    const saved = inForce.reduce((sum, edit) => sum + savedBy(edit), 0)
    return { policy, edits: all.length, inForce: inForce.length, saved }
  })
  return sums.toSorted((one, other) => other.saved - one.saved)
}

/** The tools whose results or calls were edited, in alphabetical order; `''` if no tool is named. */
export function ledgerTools(edits: readonly InspectedEdit[]): readonly string[] {
  return [...new Set(edits.map(({ tool }) => tool ?? ''))].toSorted()
}
