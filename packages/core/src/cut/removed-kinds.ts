import { type Candidate, kindOf } from './candidates.ts'

/** Removed lines that differ only in numbers. */
export interface Kind {
  /** Each different line once, in the order of the text. */
  readonly lines: readonly Candidate[]
  /** How many removed lines there are in all. */
  readonly total: number
}

/** The salient lines that a cut between two places removed, in whole or in part, by kind, in the order of the text. */
export function removedKinds(candidates: readonly Candidate[], from: number, to: number): readonly Kind[] {
  const kinds = new Map<string, { readonly lines: Map<string, Candidate>; total: number }>()
  const removed = candidates.filter(({ start, end }) => end > from && start < to).sort((a, b) => a.start - b.start)
  for (const candidate of removed) {
    const key = kindOf(candidate)
    const kind = kinds.get(key) ?? { lines: new Map<string, Candidate>(), total: 0 }
    kinds.set(key, kind)
    const same = kind.lines.get(candidate.text)
    kind.lines.set(candidate.text, same === undefined ? candidate : { ...same, count: same.count + candidate.count })
    kind.total += candidate.count + candidate.alike
  }
  return [...kinds.values()].map(({ lines, total }) => ({ lines: [...lines.values()], total }))
}
