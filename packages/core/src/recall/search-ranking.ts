import { ranks, salienceOf } from '../cut/salient.ts'
import type { Origin } from './recall.ts'
import type { Term, Window } from './search.ts'

export interface Candidate extends Pick<Window, 'lines' | 'characters' | 'counts'> {
  readonly origin: Origin
  readonly total: number
  /** Index of the text in the session, oldest first. */
  readonly order: number
  readonly text: string
  readonly score: number
}

/** BM25 over windows. Word rarity is only known at the end, so twenty times as many windows are kept as are shown. */
export function createRanking(query: string, terms: readonly Term[]) {
  const words = query.slice(0, 400).toLowerCase().replaceAll('"', '').trim().replaceAll(/\s+/g, ' ')
  const phrase = /\W/.test(words) ? words : null
  const having = new Float64Array(terms.length)
  let windows = 0
  let pool: Candidate[] = []
  let minScore = 0

  function scoreOf(counts: Float64Array, length: number): number {
    const all = Math.max(windows, 1)
    let score = 0
    let matched = 0
    let possible = 0
    for (const [index, { weight }] of terms.entries()) {
      const count = counts[index] ?? 0
      const have = having[index] ?? 0
      possible += weight
      if (count === 0) continue
      matched += weight
      const rarity = Math.log(1 + Math.max(0, all - have + 0.5) / (have + 0.5))
      score += (weight * rarity * count * (saturation + 1)) / (count + saturation * (0.6 + (0.4 * length) / usualLength))
    }
    return score * (0.5 + matched / possible)
  }

  return {
    read(length: number): void {
      windows += 1 + Math.floor(length / usualLength)
    },
    isWorthKeeping({ counts, start, end }: Window): boolean {
      for (const [index, count] of counts.entries()) if (count > 0) having[index] = (having[index] ?? 0) + 1
      return scoreOf(counts, end - start) >= minScore * 0.5
    },
    keep(candidate: Omit<Candidate, 'score'>): void {
      pool.push({ ...candidate, score: scoreOf(candidate.counts, candidate.text.length) })
      if (pool.length < maxHeld * 2) return
      pool = pool.sort(byScore).slice(0, maxHeld)
      minScore = pool.at(-1)?.score ?? 0
    },
    best(count: number): readonly Candidate[] {
      const scored = pool.map((candidate) => ({
        ...candidate,
        score: scoreOf(candidate.counts, candidate.text.length) * bonus(candidate.text, phrase),
      }))
      const seen = new Set<string>()
      // A file that was read five times appears once, in its newest version.
      const different = scored.sort(byScore).filter(({ text }) => !seen.has(text) && seen.add(text))
      return joined(different.slice(0, count)).sort(byScore)
    },
  }
}

const usualLength = 600
const saturation = 1.2
const maxHeld = 400

function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || b.order - a.order || a.lines[0] - b.lines[0] || (a.characters?.[0] ?? 0) - (b.characters?.[0] ?? 0)
}

function bonus(text: string, phrase: string | null): number {
  const exact = phrase !== null && text.toLowerCase().replaceAll(/\s+/g, ' ').includes(phrase) ? 2 : 1
  const failed = text.split('\n').some((line) => line.length < 2000 && salienceOf(line)?.rank === ranks.failure)
  return exact * (failed ? 1.25 : 1)
}

function joined(best: readonly Candidate[]): Candidate[] {
  const inOrder = best.toSorted((a, b) => a.order - b.order || a.lines[0] - b.lines[0])
  const result: Candidate[] = []
  for (const candidate of inOrder) {
    const last = result.at(-1)
    const follows =
      last !== undefined &&
      last.order === candidate.order &&
      last.characters === undefined &&
      candidate.characters === undefined &&
      last.lines[1] + 1 === candidate.lines[0] &&
      last.text.length + candidate.text.length < maxSpanLength
    if (!follows) result.push(candidate)
    else
      result[result.length - 1] = {
        ...last,
        lines: [last.lines[0], candidate.lines[1]],
        text: `${last.text}\n${candidate.text}`,
        score: Math.max(last.score, candidate.score),
      }
  }
  return result
}

const maxSpanLength = 4000
