import { expect, it } from 'vitest'
import { sizeText } from './time-and-size.ts'

it.each([
  [0, '0 B'],
  [812, '812 B'],
  [1000, '1.0 KB'],
  [12_345, '12.3 KB'],
  [99_960, '100 KB'],
  [999_499, '999 KB'],
  [999_500, '1.0 MB'],
  [3e15, '3000000 GB'],
])('the size %i is %s', (bytes, text) => expect(sizeText(bytes)).toBe(text))
