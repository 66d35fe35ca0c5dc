import { type Rank, ranks } from './salient.ts'

/** A salient line of the original, kept in case the cut removes it. */
export interface Candidate {
  readonly rank: Rank
  /** Where it stands, in UTF-16 units of what was scanned. */
  readonly start: number
  readonly end: number
  /** Its line number in the original, from 1. */
  readonly line: number
  readonly text: string
  /** How many lines like it there are, from this one on. */
  readonly count: number
}

/** Gathers candidates in memory that depends on the limit, not on the log. */
export interface CandidatePool {
  /** Whether the line was new, as opposed to one more of a kind, or one too many. */
  readonly add: (candidate: Candidate) => boolean
  readonly all: () => readonly Candidate[]
}

/**
 * Lines that begin before `early` may yet be shown with the head, so each is kept on its own; of the later ones the first
 * `capacity` kinds of each rank, with a count.
 */
export function createCandidatePool(early: number, capacity: number): CandidatePool {
  const first: Candidate[] = []
  const kinds = Object.values(ranks).map(() => new Map<string, { -readonly [Key in keyof Candidate]: Candidate[Key] }>())
  return {
    add(candidate) {
      if (candidate.start < early) {
        first.push(candidate)
        return true
      }
      const known = kinds[candidate.rank]
      const kind = kindOf(candidate)
      const same = known?.get(kind)
      if (same !== undefined) same.count += candidate.count
      if (known === undefined || same !== undefined || known.size >= capacity) return false
      known.set(kind, { ...candidate })
      return true
    },
    all: () => [...first, ...kinds.flatMap((known) => [...known.values()])],
  }
}

/** The candidates that a cut between two places removed, each kind once, most missed first. */
export function removedBetween(candidates: readonly Candidate[], from: number, to: number): readonly Candidate[] {
  const kinds = new Map<string, Candidate>()
  const starts = new Set<number>()
  for (const candidate of candidates) {
    if (candidate.end <= from || candidate.start >= to || starts.has(candidate.start)) continue
    starts.add(candidate.start)
    const kind = kindOf(candidate)
    const same = kinds.get(kind)
    kinds.set(kind, same === undefined ? candidate : { ...same, count: same.count + candidate.count })
  }
  return [...kinds.values()].sort((a, b) => a.rank - b.rank || a.start - b.start)
}

/** Lines that differ only in numbers are of one kind. */
function kindOf(candidate: Candidate): string {
  return `${candidate.rank}${candidate.text.replace(/\d+/g, '0')}`
}
