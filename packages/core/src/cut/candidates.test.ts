import { describe, expect, it } from 'vitest'
import { type Candidate, createCandidatePool, ranks } from './salient.ts'

const candidate = (start: number, text: string, rank: Candidate['rank'] = ranks.failure): Candidate => ({
  ...{ rank, start, end: start + 5, line: start, text, count: 1, alike: 0 },
})
const gathered = (list: readonly Candidate[], reach: number, capacity: number, length: number) => {
  const pool = createCandidatePool(reach, capacity)
  for (const each of list) pool.add(each)
  return pool.all(length).map(({ start, text, count, alike }) => [start, text, count, alike])
}

describe('createCandidatePool', () => {
  it('keeps equal lines separate if a cut may show them, and counts them otherwise', () => {
    const list = [5, 30, 40, 50, 95].map((start) => candidate(start, 'x'))
    expect(gathered(list, 10, 9, 100)).toEqual([[5, 'x', 1, 0], [30, 'x', 3, 0], [95, 'x', 1, 0]]) // biome-ignore format: rows
  })

  it('keeps lines separate that differ in numbers', () => {
    expect(gathered([candidate(30, 'x 1'), candidate(40, 'x 2')], 10, 9, 100)).toEqual([[30, 'x 1', 1, 0], [40, 'x 2', 1, 0]]) // biome-ignore format: rows
  })

  it('keeps the first of a kind, the next ones and the last when full, and counts the others', () => {
    const list = [30, 31, 32, 33, 34, 35].map((start) => candidate(start, `x ${start}`))
    expect(gathered(list, 10, 2, 100)).toEqual([[30, 'x 30', 1, 2], [31, 'x 31', 1, 0], [32, 'x 32', 1, 0], [35, 'x 35', 1, 0]]) // biome-ignore format: rows
  })

  it('does not depend on the order in which a failure and the frames below it are found', () => {
    const list = [candidate(30, 'x 30'), candidate(34, 'x 34'), candidate(31, 'x 31'), candidate(32, 'x 32')]
    const inOrder = list.toSorted((a, b) => a.start - b.start)
    expect(gathered(list, 10, 1, 100)).toEqual(gathered(inOrder, 10, 1, 100))
  })

  it('reports once per failure whether the lines below it are worth reading', () => {
    const pool = createCandidatePool(10, 2)
    const answers = [
      candidate(30, 'a'),
      candidate(31, 'a'),
      candidate(32, 'b', ranks.warning),
      candidate(33, 'c'),
      candidate(34, 'd'),
    ]
    expect(answers.map((candidate) => pool.add(candidate))).toEqual([true, false, false, true, false])
  })
})
