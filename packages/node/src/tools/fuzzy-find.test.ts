import { describe, expect, it } from 'vitest'
import { fuzzyFind } from './workspace-files.ts'

describe('finding by a few letters', () => {
  const names = ['src/view/view-screen.ts', 'src/view.ts', 'docs/preview.md', 'package.json', 'src/chat/status-line.ts']
  it.each<[query: string, found: readonly string[]]>([
    ['', names],
    ['view', ['src/view.ts', 'src/view/view-screen.ts', 'docs/preview.md']],
    ['stl', ['src/chat/status-line.ts']],
    ['VIEWSCR', ['src/view/view-screen.ts']],
    ['xyz', []],
  ])('%j', (query, found) => expect(fuzzyFind(names, query, 10)).toEqual(found))
})
