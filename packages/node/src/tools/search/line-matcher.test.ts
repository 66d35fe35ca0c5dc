import { expect, it } from 'vitest'
import { createLineMatcher } from './own-search.ts'

const byLine = { isMultiline: false, maxMatches: 100 }

it('tells for each text where its lines match, once a line', async () => {
  const matcher = createLineMatcher({ source: 'a+', flags: 'g' }, byLine)
  expect(await matcher.find(['b\naab a\r\na', '', 'x'])).toEqual([[2, 4, 9, 10], [], []])
  await matcher.close()
})

it('over several lines every match counts, and one of nothing goes on', async () => {
  const matcher = createLineMatcher({ source: 'a.b|$', flags: 'gs' }, { isMultiline: true, maxMatches: 100 })
  expect(await matcher.find(['a\nb-a\nb'])).toEqual([[0, 3, 4, 7, 7, 7]])
  await matcher.close()
})

it('reports no more matches than requested', async () => {
  const matcher = createLineMatcher({ source: 'a', flags: 'g' }, { ...byLine, maxMatches: 2 })
  expect(await matcher.find(['a\na\na\n'])).toEqual([[0, 1, 2, 3]])
  await matcher.close()
})

it('stops a search that takes too long, also for later callers', async () => {
  const matcher = createLineMatcher({ source: '(a+)+$', flags: 'g' }, { ...byLine, milliseconds: 300 })
  const asked = matcher.find([`${'a'.repeat(60)}!`])
  expect(await asked).toBeNull()
  expect(await matcher.find(['a'])).toBeNull()
})

it('closing it answers those who wait', async () => {
  const matcher = createLineMatcher({ source: '(a+)+$', flags: 'g' }, byLine)
  const asked = matcher.find([`${'a'.repeat(60)}!`])
  await matcher.close()
  expect(await asked).toBeNull()
})
