import { expect, it } from 'vitest'
import { createTurns, oldestOfLargest } from './turns.ts'

it('lets an owner do so many things at once, and another one too', async () => {
  const turns = createTurns(2)
  const [first] = [await turns.take('a'), await turns.take('a')]
  let isThird = false
  const third = turns.take('a').then(() => {
    isThird = true
  })
  await turns.take('b')
  expect([isThird, turns.tryTake('a'), turns.tryTake('b') === null]).toEqual([false, null, false])
  first?.()
  first?.()
  await third
  expect(turns.tryTake('a')).toBeNull()
})

it('makes an owner pause before the next thing while others use the same, and only then', async () => {
  let time = 0
  const pauses: number[] = []
  const later = (work: () => void, milliseconds: number) => {
    pauses.push(milliseconds)
    work()
  }
  const turns = createTurns(1, { pauses: 4, now: () => time, later })
  const spend = async (name: string, milliseconds: number) => {
    const done = await turns.take(name)
    const next = turns.take(name)
    time += milliseconds
    done()
    ;(await next)()
  }
  await spend('a', 30)
  expect(pauses).toEqual([])
  ;(await turns.take('b'))()
  await spend('a', 30)
  await spend('a', 300)
  expect(pauses).toEqual([120, 200])
  time += 2000
  await spend('a', 30)
  expect(pauses).toEqual([120, 200])
})

it('finds the oldest of the owner who has most', () => {
  const items = ['a', 'b', 'a', 'a', 'c'].map((owner, index) => ({ owner, index }))
  expect(oldestOfLargest(items, () => 1)).toBe(3)
  expect(oldestOfLargest(items, ({ index }) => (index === 4 ? 100 : 1))).toBe(4)
  expect(oldestOfLargest(items.slice(1, 2), () => 1)).toBe(0)
})
