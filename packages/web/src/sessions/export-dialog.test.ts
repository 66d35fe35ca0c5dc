import { describe, expect, it } from 'vitest'
import { fileNameIn } from './export-dialog.tsx'

describe('fileNameIn', () => {
  it.each([
    ['attachment; filename="plimsoll-1.md"', 'plimsoll-1.md'],
    ['attachment', 'otherwise'],
    [null, 'otherwise'],
    ['attachment; filename="../../x"', 'otherwise'],
    ['attachment; filename=".bashrc"', 'otherwise'],
  ])('%j', (header, name) => {
    expect(fileNameIn(header, 'otherwise')).toBe(name)
  })
})
