import { describe, expect, it } from 'vitest'
import type { Facts, ToolKind, ToolRules } from '../../facts.ts'
import { type PlacedResult, toolResults } from '../../results/tool-results.ts'
import { calls, result } from '../../testing/messages.ts'
import { allLines } from './command-reads.ts'
import type { ResultClass } from './economy-rules.ts'
import { profileOf, type ResultProfile } from './result-profile.ts'

const rowOf = (kind: ToolKind, about: readonly string[]): ToolRules => ({ name: 'Tool', kind, about: () => about })

function placed(kind: ToolKind, about: readonly string[], input: unknown = {}, extra: object = {}): PlacedResult {
  const messages = [calls('c', ['1', 'Tool', input]), result('r', '1', 'said', extra)]
  const [found] = toolResults(messages, { tools: [rowOf(kind, about)] })
  if (found === undefined) throw new Error('expected a result')
  return found
}

const nothing: ResultProfile = { class: 'other', subject: null, reads: [], changes: [], writes: [] }
const facts: Facts = { root: '/project' }

describe('profileOf', () => {
  it.each<[name: string, result: PlacedResult, expected: Partial<ResultProfile>]>([
    ['a search', placed('search', ['needle', 'src']), { class: 'search', subject: 'Tool needle\nsrc' }],
    ['a search without arguments', placed('search', []), { class: 'search' }],
    ['a command', placed('terminal', ['make']), { class: 'terminal', subject: 'Tool make' }],
    [
      'a command that changes files',
      placed('terminal', ['echo x > a.ts; echo y > ./a.ts']),
      { class: 'terminal', subject: 'Tool echo x > a.ts; echo y > ./a.ts', changes: ['a.ts'] },
    ],
    [
      'a command that changes files and fails',
      placed('terminal', ['echo x > a.ts'], {}, { isError: true }),
      { class: 'terminal', subject: 'Tool echo x > a.ts', changes: ['a.ts'] },
    ],
    [
      'a command that prints files',
      placed('terminal', ['cat a.ts']),
      { class: 'read', subject: 'Tool cat a.ts', reads: [{ file: 'a.ts', range: allLines }] },
    ],
    ['a command that searches', placed('terminal', ['rg needle']), { class: 'search', subject: 'Tool rg needle' }],
    [
      'a command that searches and changes a file',
      placed('terminal', ['ls; echo x > a.ts']),
      { class: 'search', subject: 'Tool ls; echo x > a.ts', changes: ['a.ts'] },
    ],
    ['a command without arguments', placed('terminal', []), { class: 'terminal' }],
    [
      'a read of a file',
      placed('file-read', ['a.ts', './a.ts', '']),
      { class: 'read', reads: [{ file: 'a.ts', range: allLines }] },
    ],
    [
      'a read of lines',
      placed('file-read', ['a.ts'], { offset: 3, limit: 2, tags: ['x'] }),
      { class: 'read', reads: [{ file: 'a.ts', range: { first: 3, last: 4 } }] },
    ],
    [
      'a read of several files with separate ranges',
      placed('file-read', ['a.ts'], { offset: 3, files: ['b.ts', { path: 'a.ts' }] }),
      { class: 'read', reads: [{ file: 'a.ts', range: null }] },
    ],
    ['a read with invalid arguments', placed('file-read', ['a.ts'], '{"path":'), { class: 'read' }],
    ['an edit', placed('edit', ['a.ts']), { class: 'edit', subject: 'Tool a.ts', changes: ['a.ts'] }],
    [
      'an edit that failed',
      placed('edit', ['a.ts'], {}, { isError: true }),
      { class: 'edit', subject: 'Tool a.ts', changes: ['a.ts'] },
    ],
    ['a file written', placed('write', ['a.ts']), { class: 'edit', subject: 'Tool a.ts', changes: ['a.ts'], writes: ['a.ts'] }],
    [
      'two files written',
      placed('write', ['a.ts', 'b.ts']),
      { class: 'edit', subject: 'Tool a.ts\nb.ts', changes: ['a.ts', 'b.ts'] },
    ],
  ])('%s', (_name, given, expected) => expect(profileOf(facts.root, facts.platform)(given)).toEqual({ ...nothing, ...expected }))

  it.each<[kind: ToolKind, expected: ResultClass]>([
    ['terminal', 'terminal'],
    ['file-read', 'read'],
    ['search', 'search'],
    ['glob', 'search'],
    ['list', 'search'],
    ['repo-map', 'search'],
    ['edit', 'edit'],
    ['write', 'edit'],
    ['recall', 'recall'],
    ['todo', 'other'],
    ['image', 'other'],
    ['other', 'other'],
  ])('%s: knows only the class of a result without a call', (kind, expected) => {
    expect(profileOf(facts.root, facts.platform)({ ...placed(kind, ['a.ts']), call: null })).toEqual({
      ...nothing,
      class: expected,
    })
  })
})

describe('profileOf, asked again', () => {
  const read = placed('file-read', ['/project/a.ts'])
  const file = (given: PlacedResult, where: Facts) => profileOf(where.root, where.platform)(given).reads[0]?.file

  it('returns another profile for another kind, other rules, another folder or another platform', () => {
    expect(file(read, facts)).toBe('a.ts')
    expect(profileOf(facts.root, facts.platform)({ ...read, kind: 'search' }).class).toBe('search')
    expect(file(read, facts)).toBe('a.ts')
    expect(file({ ...read, rules: rowOf('file-read', ['b.ts']) }, facts)).toBe('b.ts')
    expect(file(read, facts)).toBe('a.ts')
    expect(file(read, { root: '/other' })).toBe('/project/a.ts')
    const upper = placed('file-read', ['A.ts'])
    expect(file(upper, { root: '/project' })).toBe('A.ts')
    expect(file(upper, { root: '/project', platform: 'darwin' })).toBe('a.ts')
  })
})
