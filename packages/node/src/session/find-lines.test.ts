import { describe, expect, it } from 'vitest'
import { findLines } from './recall-source.ts'

const lines = ['first line', 'Error: boom', '', '    at run (a.ts:1:2)', 'error again', '错误']

describe('lines that match', () => {
  it.each([
    ['error', [4]],
    ['(?i)error', [1, 4]],
    ['^$', [2]],
    ['a\\.ts:\\d', [3]],
    ['错误', [5]],
    ['nowhere', []],
    ['', [0, 1, 2, 3, 4, 5]],
  ])('%s', (pattern, found) => expect(findLines(pattern, lines)).toEqual({ found }))

  it('do not depend on the line before', () => expect(findLines('e', ['e', 'e', 'e'])).toEqual({ found: [0, 1, 2] }))
})

describe('patterns that cannot be used', () => {
  it.each([
    [
      '(',
      'The pattern "(" cannot be used: Invalid regular expression: /(/: Unterminated group. It has to be a JavaScript regular expression.',
    ],
    [
      'a{2,1}',
      'The pattern "a{2,1}" cannot be used: Invalid regular expression: /a{2,1}/: numbers out of order in {} quantifier. It has to be a JavaScript regular expression.',
    ],
    ['x'.repeat(1001), 'The pattern has 1001 characters; at most 1000 are looked for. Use a shorter one.'],
  ])('%s', (pattern, trouble) => expect(findLines(pattern, lines)).toEqual({ trouble }))

  it.each(['(a+)+$', '(a|a)*$', '(.*a){20}$', '(?i)(a+)+$'])(
    'stop without harm to the process: %s on a line made for it',
    (pattern) => {
      expect(findLines(pattern, ['aaa', `${'a'.repeat(40)}!`], { milliseconds: 50 })).toEqual({
        trouble: `The pattern ${JSON.stringify(pattern)} was not done after 50 ms and was ended. Use one without nested repetition, or plain words.`,
      })
      expect(findLines('b', ['a', 'b'])).toEqual({ found: [1] })
    },
  )

  it('do no harm on a line of ten million characters', () => {
    const long = 'a'.repeat(10_000_000)
    for (const pattern of ['(?:a)*b', '(a*)*b', '(?:a|aa)+$']) {
      const answer = findLines(pattern, [long], { milliseconds: 50 })
      expect('trouble' in answer || 'found' in answer).toBe(true)
    }
  })
})
