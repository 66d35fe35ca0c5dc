import { describe, expect, it } from 'vitest'
import type { PermissionRequest } from '../../shared/event.ts'
import { stringsFor } from '../../strings/strings-for.ts'
import { displayWidth } from '../terminal/text.ts'
import { dialogLines } from './frame.ts'

const request: PermissionRequest = { callId: '1', tool: 'Bash', access: 'run', about: 'npm test', preview: null, scope: 'call' }
const drawn = (columns: number, locale = 'en', given: Partial<PermissionRequest> = {}) =>
  dialogLines(
    { kind: 'permission', request: { ...request, ...given } },
    {
      strings: stringsFor(locale).chat,
      paint: (_tint, text) => text,
      columns,
      max: 20,
      selected: 0,
      isTyping: false,
    },
  )

describe('the preview in a permission question', () => {
  const command = (lines: number) => Array.from({ length: lines }, (_, line) => `step ${line + 1}`).join('\n')

  it.each<[lines: number, shown: readonly string[]]>([
    [6, ['step 1', 'step 2', 'step 3', 'step 4', 'step 5', 'step 6']],
    [7, ['step 1', 'step 2', 'step 3', 'step 4', stringsFor('en').chat.moreLines('2'), 'step 7']],
    [1200, ['step 1', 'step 2', 'step 3', 'step 4', stringsFor('en').chat.moreLines('1,195'), 'step 1200']],
  ])('of %i lines shows its start and end and counts the lines between', (lines, shown) =>
    expect(
      drawn(80, 'en', { about: command(lines) })
        .slice(1, 7)
        .map((line) => line.trim()),
    ).toEqual(shown),
  )

  it.each([
    ['a short preview', 'a\nb\n\n', null],
    ['a preview of many lines', '+\n'.repeat(100), 85],
    ['a preview longer than the part that is scanned', `${'+'.repeat(99)}\n`.repeat(5000), 4985],
    ['a preview of empty lines', '\n'.repeat(200_000), null],
  ])('counts the hidden lines of %s', (_name, preview, more) => {
    const said = drawn(80, 'en', { preview }).flatMap((line) => /… ([\d,]+) more/.exec(line)?.[1] ?? [])
    expect(said).toEqual(more === null ? [] : [more.toLocaleString('en-US')])
  })
})

describe('the answers to a question', () => {
  it('wrap between two answers', () =>
    expect(drawn(80).slice(2).join('  ')).toBe(stringsFor('en').chat.permissionKeys.call('Bash')))

  it.each([20, 40, 80, 200])('fit %i columns in both languages', (columns) => {
    for (const line of [...drawn(columns), ...drawn(columns, 'zh')]) expect(displayWidth(line)).toBeLessThanOrEqual(columns)
  })
})

describe('a permission question in Chinese', () => {
  it.each<[name: string, given: Partial<PermissionRequest>]>([
    ['about a command', { about: 'ls', scope: 'call' }],
    ['about a tool', { about: 'ls', scope: 'tool' }],
    ['about a file', { tool: 'Write', access: 'write', about: 'a.ts', scope: 'tool', preview: '+\n'.repeat(100) }],
    ['about a long command', { about: 'ls\n'.repeat(20) }],
  ])('%s has no English sentence', (_name, given) => {
    const text = drawn(80, 'zh', given).join('\n')
    expect(text).toMatch(/允许/)
    expect(text).not.toMatch(englishWords)
  })

  it('says in Chinese that a change would fail, and quotes what the model would get', () => {
    const given = { tool: 'Edit', access: 'write', about: 'a.ts', preview: 'Error: a.ts is a folder' } as const
    expect(drawn(80, 'zh', given).slice(1, 4)).toEqual(['  a.ts', '此修改会失败。模型会收到：', '  Error: a.ts is a folder'])
    expect(drawn(80, 'en', given)[2]).toBe('This change would fail. The model would get:')
    expect(drawn(80, 'en', { about: 'Error: x', preview: 'Error: x' }).join()).not.toContain('would fail')
  })
})

const englishWords = /[A-Za-z]{2,} [a-z]{2,}/
