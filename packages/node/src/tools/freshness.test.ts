import { describe, expect, it } from 'vitest'
import { createFreshness } from './tool.ts'

describe('createFreshness', () => {
  it('R004-44 R004-45 says at the next read that a file changed, exactly, and says it once', () => {
    const files = createFreshness()
    expect([files.read('src/a.ts', 1), files.read('src/a.ts', 1), files.read('src/a.ts', 2), files.read('src/a.ts', 2)]).toEqual([
      null,
      null,
      'Note: src/a.ts was modified externally.',
      null,
    ])
  })

  it('R004-43 says nothing about files that are not read', () => {
    const files = createFreshness()
    files.read('a.ts', 1)
    expect(files.read('b.ts', 9)).toBeNull()
  })

  it("Q-40 attributes the agent's change to the agent, and a later one to someone else", () => {
    const files = createFreshness()
    files.read('a.ts', 1)
    files.wrote('a.ts', 2)
    expect(files.read('a.ts', 2)).toBeNull()
    expect(files.read('a.ts', 1)).toBe('Note: a.ts was modified externally.')
    files.wrote('new.ts', 5)
    expect(files.read('new.ts', 6)).toBe('Note: new.ts was modified externally.')
  })

  it('Q-40 R004-45 remembers per session', () => {
    createFreshness().read('a.ts', 1)
    expect(createFreshness().read('a.ts', 2)).toBeNull()
  })

  it('knows a file by every spelling of its path', () => {
    const files = createFreshness({ root: '/project' })
    files.read('src/a.ts', 1)
    expect(files.read('/project/src/../src/a.ts', 2)).toBe('Note: /project/src/../src/a.ts was modified externally.')
    const windows = createFreshness({ root: 'C:\\p', platform: 'win32' })
    windows.read('A.ts', 1)
    expect(windows.read('c:/p/a.ts', 2)).not.toBeNull()
  })

  it('knows what was read and written, each file once, by its last spelling and time', () => {
    const files = createFreshness({ root: '/project' })
    files.read('src/a.ts', 1)
    files.wrote('b.ts', 2)
    files.read('/project/src/a.ts', 3)
    files.read('', 4)
    expect(files.known()).toEqual([
      { path: '/project/src/a.ts', mtime: 3 },
      { path: 'b.ts', mtime: 2 },
    ])
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY])('passes over a time of %d', (mtime) => {
    const files = createFreshness()
    files.read('a.ts', 1)
    expect([files.read('a.ts', mtime), files.read('a.ts', 1)]).toEqual([null, null])
  })

  it.each(['', ' ', 'a\0b', '__proto__', 'constructor'])('takes the path %j', (path) => {
    const files = createFreshness()
    expect([files.read(path, 1), files.read(path, 1)]).toEqual([null, null])
  })
})
