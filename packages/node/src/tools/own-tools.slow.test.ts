import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { buildView, type Message, type Policy, resultText, type ToolResultPart } from '@plimsoll/core'
import { compressOldResults, limitToolOutput } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import type { ToolOutcome } from '../shared/event.ts'
import { lookingTools } from './own-tools.ts'
import { lookingContext } from './testing/looking-context.ts'
import { temporaryWorkspace } from './testing/temporary-workspace.ts'

async function run(root: string, name: string, input: unknown): Promise<ToolOutcome> {
  const tool = lookingTools.find((each) => each.name === name)
  if (tool === undefined) throw new Error(`no tool ${name}`)
  return tool.run(input, lookingContext(root))
}

/** The text of a result in the view of a conversation, where another round has followed. */
function shownLater(tool: string, input: unknown, { content }: Pick<ToolOutcome, 'content'>, policy: Policy): string {
  const messages: readonly Message[] = [
    { id: '0', role: 'user', parts: [{ type: 'text', text: 'look' }] },
    { id: '1', role: 'assistant', parts: [{ type: 'tool-call', callId: 'a', tool, input }] },
    { id: '2', role: 'tool', parts: [{ type: 'tool-result', callId: 'a', tool, content }] },
    { id: '3', role: 'assistant', parts: [{ type: 'text', text: 'seen' }] },
    { id: '4', role: 'user', parts: [{ type: 'text', text: 'go on' }] },
  ]
  const { view } = buildView({ messages, policies: [policy], facts: {}, sent: '3' })
  return resultText(view[2]?.parts[0] as ToolResultPart)
}

it('they have the names that everything else knows, ask for nothing, and only look', () => {
  expect(lookingTools.map(({ name, access, isParallel }) => [name, access, isParallel ?? true])).toEqual(
    ['Read', 'LS', 'Glob', 'Grep', 'get_repo_structure'].map((name) => [name, 'read', true]),
  )
  for (const { inputSchema, description } of lookingTools) {
    expect(inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) })
    expect(description.length).toBeGreaterThan(80)
  }
})

describe('every built-in tool', () => {
  const calls = [
    ['Read', { path: 'x' }],
    ['LS', { path: 'x' }],
    ['Glob', { pattern: '*', path: 'x' }],
    ['Grep', { pattern: 'secret', path: 'x' }],
    ['get_repo_structure', { path: 'x' }],
  ] as const

  it.each(calls)('%s sees nothing outside the workspace', async (name, input) => {
    const root = await temporaryWorkspace({ 'a.ts': '' })
    mkdirSync(join(dirname(root), 'outside'))
    writeFileSync(join(dirname(root), 'outside', 'secret.txt'), 'secret')
    symlinkSync('../outside', join(root, 'link'))
    for (const path of ['..', '../outside', 'link', 'link/secret.txt', '/etc', '~', 'a\0b', join(dirname(root), 'outside')]) {
      const { content, isError } = await run(root, name, { ...input, path })
      expect([path, isError]).toEqual([path, true])
      expect(JSON.stringify(content)).not.toContain('secret.txt"')
    }
  })

  it.each(calls)('%s writes names out that would act on a terminal', async (name, input) => {
    const folder = 'd\u001b]0;x\u0007'
    const root = await temporaryWorkspace({ [`${folder}/a\r\n\u202e.ts`]: 'secret' })
    const { content } = await run(root, name, { ...input, path: folder })
    const text = content.type === 'text' ? content.text : ''
    expect(text).toContain('a\\u000d\\u000a\\u202e.ts')
    expect(text).not.toMatch(/[\u001b\u0007\r\u202e]/)
    const failure = await run(root, name, { ...input, path: 'e\u001b[31m' })
    expect(JSON.stringify(failure.content)).toContain('e\\\\u001b[31m does not exist')
  })

  it.each(calls)('%s ends its work when the turn ends', async (name, input) => {
    const root = await temporaryWorkspace({ 'x/a.ts': 'secret' })
    const context = lookingContext(root, { signal: AbortSignal.abort(new Error('cancelled')) })
    const tool = lookingTools.find((each) => each.name === name)
    await expect(tool?.run(name === 'Read' ? { path: 'x/a.ts' } : input, context)).rejects.toThrow('cancelled')
  })

  it.each(calls)('%s answers the same bytes to the same call', async (name, input) => {
    const root = await temporaryWorkspace({ 'x/a.ts': 'secret', 'x/b/c.ts': 'secret' })
    expect(await run(root, name, input)).toEqual(await run(root, name, input))
  })

  it.each(calls)('%s reports that the workspace is gone', async (name, input) => {
    const outcome = await run('/nowhere/at/all', name, input)
    expect(outcome).toMatchObject({ isError: true, content: { text: expect.stringContaining('folder is gone') } })
  })
})

describe('limits of tool answers', () => {
  const lines = Array.from({ length: 1200 }, (_, index) => `const value${index} = ${index}`)
  const files = Object.fromEntries(
    Array.from({ length: 60 }, (_, index) => [`src/f${String(index).padStart(2, '0')}.ts`, 'hit\n'.repeat(5)]),
  )

  it.each([
    ['R004-9 a listing: folder, counts, first entries', 'LS', { path: 'src' }, { path: 'src', total: 60, folders: 0, files: 60 }],
    ['R004-10 a glob: pattern, hits, first ones', 'Glob', { pattern: '**/*.ts' }, { pattern: '**/*.ts', hits: 61 }],
    [
      'R004-11 a search: pattern, counts, five matches with file and line',
      'Grep',
      { pattern: 'hit' },
      { pattern: 'hit', matches: 100, files: 20 },
    ],
    [
      'R004-12 a read: the range, at most 500 lines',
      'Read',
      { path: 'long.ts', offset: 11 },
      { path: 'long.ts', lines: '11-509', lines_read: 1190 },
    ],
    [
      'R004-12 counts the lines of a part of a file, not the heading and the note around them',
      'Read',
      { path: 'long.ts', offset: 11, limit: 700 },
      { path: 'long.ts', lines: '11-509', lines_read: 700 },
    ],
    [
      'R004-12 counts the lines of several files, without the empty one after a final newline',
      'Read',
      { paths: ['long.ts', 'ended.txt'] },
      { lines_read: 1203 },
    ],
  ])('%s', async (_name, tool, input, data) => {
    const root = await temporaryWorkspace({ ...files, 'long.ts': lines.join('\n'), 'ended.txt': 'a\nb\nc\n' })
    const digest: unknown = JSON.parse(shownLater(tool, input, await run(root, tool, input), compressOldResults))
    expect(digest).toMatchObject({ status: 'success', data })
    if (tool === 'Grep') {
      const first = Array.from({ length: 5 }, (_, index) => `src/f00.ts:${index + 1}:hit`)
      expect(digest).toMatchObject({ data: { first } })
    }
  })

  it('R003-12 R003-20 Q-43 answers of read_file are cut to 5,000 characters, answers of Read are not', async () => {
    const root = await temporaryWorkspace({ 'long.ts': lines.join('\n') })
    const input = { path: 'long.ts', limit: 190 }
    const outcome = await run(root, 'Read', input)
    const whole = outcome.content.type === 'text' ? outcome.content.text : ''
    expect(whole.length).toBeGreaterThan(5000)
    expect(shownLater('Read', input, outcome, limitToolOutput)).toBe(whole)
    const cut = shownLater('read_file', input, outcome, limitToolOutput)
    expect(cut.length).toBeLessThanOrEqual(5000)
    expect(cut).toMatch(/\.\.\. \[截断 \d+ 字符\] \.\.\./)
  })

  it('R003-19 a listing without its own limits keeps to the default of 8,000 characters', async () => {
    const many = Array.from({ length: 400 }, (_, index) => [`a-rather-long-name-for-a-file-${index}.ts`, ''] as const)
    const outcome = await run(await temporaryWorkspace(Object.fromEntries(many)), 'LS', {})
    expect(outcome.content.type === 'text' && outcome.content.text.length).toBeGreaterThan(8000)
    expect(shownLater('LS', {}, outcome, limitToolOutput).length).toBeLessThanOrEqual(8000)
  })

  it.each([
    ['max_lines 500', 's', 497],
    ['max_chars 8000', 'a-file-with-a-rather-long-name', 209],
  ])('R003-14 R003-15 a tree over %s is cut once, by its tool: no second marker in its middle', async (limit, name, count) => {
    const many = Array.from({ length: 498 }, (_, index) => [`a/${name}${String(index).padStart(3, '0')}`, ''] as const)
    const root = await temporaryWorkspace({ ...Object.fromEntries(many), 'z.ts': '' })
    const outcome = await run(root, 'get_repo_structure', {})
    const text = outcome.content.type === 'text' ? outcome.content.text : ''
    const more = 500 - count
    expect(text.split('\n').slice(-3)).toEqual([
      `    … ${more} more`,
      '  z.ts',
      `(truncated at max_depth 3 and ${limit}: ${more} entries not shown)`,
    ])
    expect(shownLater('get_repo_structure', {}, outcome, limitToolOutput)).toBe(text)
  })

  it('R003-13 Q-23 a search that was cut is known as such: the count of all its matches stays', async () => {
    const root = await temporaryWorkspace({ 'a.txt': 'hit\n'.repeat(300) })
    const outcome = await run(root, 'Grep', { pattern: 'hit', head_limit: 200 })
    expect(shownLater('grep_search', {}, outcome, limitToolOutput)).toMatch(
      /a\.txt:100:hit\n\.\.\. \[显示前100个结果，共300个\] \.\.\.\n\[recall [0-9a-f]{12}\]$/,
    )
  })
})
