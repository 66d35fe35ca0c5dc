import { expect, it } from 'vitest'
import type { Overflow } from '../report.ts'
import { overflowStringsFor } from '../strings/strings-for.ts'
import { describeOverflow } from './request-size.ts'

const strings = overflowStringsFor('en')
const within = { tokens: 5000, limit: 5000, bytes: 6000, maxBytes: 6000, images: 7000, maxImages: 7000, parts: [] }

it.each<[name: string, over: Partial<Overflow>, expected: readonly string[]]>([
  ['nothing', {}, []],
  ['tokens', { tokens: 5001 }, ['The request does not fit the window: it has about 5,001 tokens, and 5,000 are usable.']],
  ['bytes', { bytes: 6001 }, ['The request is too large: it has 6,001 bytes, and 6,000 are allowed.']],
  ['images', { images: 7001 }, ['The request has too many images: 7,001, and 7,000 are allowed.']],
  ['nothing without a limit', { maxBytes: null, maxImages: null }, []],
])('Q-24 describes the exceeded limits: %s', (_name, over, expected) => {
  expect(describeOverflow({ ...within, ...over }, 'en')).toEqual({ sentences: [...expected, strings.whatToDo], parts: [] })
})

it('Q-24 lists the largest parts', () => {
  const part = {
    message: 'm',
    part: 0,
    tool: null,
    role: 'user',
    tokens: 4321,
    why: 'user messages are never changed',
  } as const
  const around = { ...part, message: null, tokens: 1234, why: 'system prompt' }
  expect(describeOverflow({ ...within, parts: [part, around] }, 'en').parts).toEqual([
    '4,321 tokens, message m: user messages are never changed',
    '1,234 tokens: system prompt',
  ])
})

it('describes an overflow in the requested language', () => {
  expect(describeOverflow(within, 'zh-CN').sentences).toEqual([overflowStringsFor('zh').whatToDo])
  expect(describeOverflow(within, null).sentences).toEqual([overflowStringsFor('en').whatToDo])
})
