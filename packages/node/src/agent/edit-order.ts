import type { Edit } from '@plimsoll/core'

/** Edits in the order of their policies: they come into force one by one, over many requests, and are applied policy by policy. */
export function inPolicyOrder(edits: readonly Edit[], policies: readonly string[]): readonly Edit[] {
  const rank = new Map(policies.map((name, index) => [name, index]))
  return edits.toSorted((one, other) => (rank.get(one.policy) ?? 0) - (rank.get(other.policy) ?? 0))
}

/** The same, with those first that change which messages there are: so they are applied where others have to wait. */
export function listFirst(edits: readonly Edit[], policies: readonly string[]): readonly Edit[] {
  const ordered = inPolicyOrder(edits, policies)
  const isLast = ({ policy }: Edit) => policy === policies.at(-1)
  const early = ordered.filter((edit) => !isLast(edit))
  return [
    ...early.filter(({ kind }) => kind !== 'replace'),
    ...early.filter(({ kind }) => kind === 'replace'),
    ...ordered.filter(isLast),
  ]
}
