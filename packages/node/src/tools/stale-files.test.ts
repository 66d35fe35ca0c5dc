import { describe, expect, it } from 'vitest'
import { createSeenFiles, type FileState } from './tool.ts'

const known: FileState = { mtimeMs: 1000, size: 3, sha256: 'aa' }

describe('createSeenFiles', () => {
  const cases: readonly (readonly [story: string, noted: FileState, current: FileState, answer: string])[] = [
    ['nothing changed', known, known, 'same'],
    ['a touched file', known, { ...known, mtimeMs: 2000 }, 'same'],
    ['other content of the same time and size', known, { ...known, sha256: 'bb' }, 'changed'],
    ['a huge file left alone', { ...known, sha256: null }, known, 'same'],
    ['a huge file of another time', { ...known, sha256: null }, { ...known, mtimeMs: 2000 }, 'changed'],
    ['a huge file of another size', known, { ...known, size: 4, sha256: null }, 'changed'],
  ]

  it.each(cases)('%s', (_story, noted, current, answer) => {
    const seen = createSeenFiles()
    seen.note('/w/a.ts', noted)
    expect(seen.check('/w/a.ts', current)).toBe(answer)
  })

  it('has no record of unread files or of files of another session', () => {
    createSeenFiles().note('/w/a.ts', known)
    expect(createSeenFiles().check('/w/a.ts', known)).toBe('unseen')
  })

  it('goes by the latest note', () => {
    const seen = createSeenFiles()
    seen.note('/w/a.ts', known)
    seen.note('/w/a.ts', { ...known, sha256: 'bb' })
    expect(seen.check('/w/a.ts', known)).toBe('changed')
  })
})
