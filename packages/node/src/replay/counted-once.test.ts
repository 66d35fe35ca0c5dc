import { expect, it } from 'vitest'
import { countedOnce } from './replay-job.ts'

it('counts each text once, as the counter behind it does', () => {
  const asked: string[] = []
  const tokens = countedOnce({ name: 'letters', count: (text) => asked.push(text) && text.length })
  expect(['one', 'three', 'one', '', ''].map(tokens.count)).toEqual([3, 5, 3, 0, 0])
  expect([tokens.name, asked]).toEqual(['letters', ['one', 'three', '']])
})
