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
  /** How many lines equal to it there are, from this one on. */
  readonly count: number
  /** How many more there are that differ in numbers only and are not kept. */
  readonly alike: number
}

/** Gathers candidates in memory that depends on the limit, not on the log. */
export interface CandidatePool {
  /** Whether it is a failure not met before, so that what stands below it may be news. */
  readonly add: (candidate: Candidate) => boolean
  /** Says that nothing that begins before a place will be added any more. */
  readonly settle: (place: number) => void
  /** Everything gathered of a text that ends at `length`. */
  readonly all: (length: number) => readonly Candidate[]
}

/**
 * A pool for cuts that leave at most `reach` units at either end. What begins there may yet be shown, so it is kept line by line;
 * of what lies between, equal lines are one with a count.
 */
export function createCandidatePool(reach: number, capacity: number): CandidatePool {
  const early: Candidate[] = []
  const removed = Object.values(ranks).map(() => createRemovedLines(capacity))
  const failures = new Set<string>()
  // In order of place; those before `settled` have been passed on.
  let recent: Candidate[] = []
  let settled = 0

  function settle(place: number): void {
    for (let next = recent[settled]; next !== undefined && next.start < place - reach; next = recent[settled]) {
      if (next.start < reach) early.push(next)
      else removed[next.rank]?.add(next)
      settled += 1
    }
    if (settled < recent.length / 2) return
    recent = recent.slice(settled)
    settled = 0
  }

  return {
    add(candidate) {
      // Frames below a failure are read ahead of the lines between them.
      let index = recent.length
      while (index > settled && (recent[index - 1] as Candidate).start > candidate.start) index -= 1
      if (index === recent.length) recent.push(candidate)
      else recent.splice(index, 0, candidate)
      if (candidate.rank !== ranks.failure) return false
      if (candidate.start < reach) return true
      if (failures.size >= capacity || failures.has(candidate.text)) return false
      failures.add(candidate.text)
      return true
    },
    settle,
    all(length) {
      settle(length)
      return [...early, ...removed.flatMap((lines) => lines.all()), ...recent.slice(settled)]
    },
  }
}

/** Lines that differ only in numbers are of one kind. */
export function kindOf({ rank, text }: Pick<Candidate, 'rank' | 'text'>): string {
  return `${rank}${text.replace(/\d+/g, '0')}`
}

type Counted = { -readonly [Key in keyof Candidate]: Candidate[Key] }

/**
 * Lines of one rank that no cut can show: of each of the first `capacity` kinds the first line and the last, and the earliest of
 * the others as far as there is room. The rest is a count.
 */
function createRemovedLines(capacity: number) {
  const lines = new Map<string, Counted>()
  const kinds = new Map<string, { readonly first: Counted; last: Counted | null }>()
  return {
    add(candidate: Candidate): void {
      const same = lines.get(candidate.text)
      if (same !== undefined) {
        same.count += candidate.count
        return
      }
      const key = kindOf(candidate)
      const kind = kinds.get(key)
      if (kind === undefined && kinds.size >= capacity) return
      const line = { ...candidate }
      lines.set(line.text, line)
      if (kind === undefined) {
        kinds.set(key, { first: line, last: null })
        return
      }
      if (kind.last !== null && lines.size > capacity * 2) {
        lines.delete(kind.last.text)
        kind.first.alike += kind.last.count
      }
      kind.last = line
    },
    all: (): readonly Candidate[] => [...lines.values()],
  }
}
