import { describe, expect, it } from 'vitest'
import { pathKey } from './paths.ts'

describe('Q-16 one key for all spellings of a file', () => {
  it.each<[path: string, root: string | undefined, platform: string | undefined, key: string]>([
    ['src/a.ts', undefined, undefined, 'src/a.ts'],
    ['./src/a.ts', undefined, undefined, 'src/a.ts'],
    ['src//x/../a.ts', undefined, undefined, 'src/a.ts'],
    ['src/', undefined, undefined, 'src'],
    ['.', undefined, undefined, '.'],
    ['/p/src/a.ts', '/p', undefined, 'src/a.ts'],
    ['/p/', '/p', undefined, '.'],
    ['/p2/a.ts', '/p', undefined, '/p2/a.ts'],
    ['../o/a.ts', '/p/x', undefined, '/p/o/a.ts'],
    ['/p/o/a.ts', '/p/x', undefined, '/p/o/a.ts'],
    ['..foo/a.ts', '/p', undefined, '..foo/a.ts'],
    ['../a.ts', undefined, undefined, '../a.ts'],
    ['/../a.ts', undefined, undefined, '/a.ts'],
    ['Src/A.ts', '/p', 'linux', 'Src/A.ts'],
    ['Src/A.ts', '/p', 'darwin', 'src/a.ts'],
    ['Src\\A.ts', '/p', 'linux', 'Src\\A.ts'],
    ['Src\\A.ts', 'C:\\p', 'win32', 'src/a.ts'],
    ['C:\\p\\src\\a.ts', 'c:/p', undefined, 'src/a.ts'],
    ['D:\\q\\a.ts', 'c:/p', undefined, 'd:/q/a.ts'],
    ['C:\\x\\a.ts', '/p', 'linux', 'c:/x/a.ts'],
    ['\\\\server\\share\\p\\a.ts', '\\\\server\\share\\p', undefined, 'a.ts'],
    ['\\\\s\\h\\a', '\\\\s\\h', 'win32', 'a'],
    ['//s/h/a', '\\\\s\\h', 'win32', 'a'],
    ['a', '\\\\s\\h', 'win32', 'a'],
    ['', '/p', undefined, ''],
    ['   ', '/p', undefined, ''],
    ['a\0b', '/p', undefined, ''],
  ])('%s in %s on %s is %s', (path, root, platform, key) => expect(pathKey(path, root, platform)).toBe(key))
})
