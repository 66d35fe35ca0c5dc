import { expect, it } from 'vitest'
import { codecs } from '../wire/codecs.ts'
import { exportFormats } from './jsonl.ts'

it('exportFormats lists every API format and three others', () => {
  expect([...exportFormats].sort()).toEqual([...Object.keys(codecs), 'react', 'markdown', 'log'].sort())
})
