import { expect, it } from 'vitest'
import { codecs } from '../wire/codecs.ts'
import { exportFormats } from './jsonl.ts'

it('a session can be exported in every dialect, and in three forms besides', () => {
  expect([...exportFormats].sort()).toEqual([...Object.keys(codecs), 'react', 'markdown', 'log'].sort())
})
