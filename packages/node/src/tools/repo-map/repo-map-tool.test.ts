import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buildView } from '@plimsoll/core'
import { completeConfig, limitToolOutput } from '@plimsoll/core/policies'
import { estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { textOf } from '../testing/seen-workspace.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { toolContext } from '../testing/tool-context.ts'
import { repoMapTool } from './repo-map-tool.ts'

const small = {
  'src/engine.ts': 'export class Engine {\n  start() {}\n}\n\nfunction helper() {}\n',
  'src/main.ts': "import { Engine } from './engine.ts'\nexport function main() {\n  return new Engine()\n}\n",
  'tool.py': 'class Tool:\n    def run(self):\n        pass\n',
  'notes.txt': 'Engine\n',
}

async function mapOf(root: string, input: object = {}) {
  const { context, told } = toolContext({ root })
  const outcome = await repoMapTool.run(input, context)
  return { outcome, text: textOf(outcome), told }
}

function manyFiles(count: number): Readonly<Record<string, string>> {
  const names = Array.from({ length: count }, (_, index) => [`src/module-${index}.ts`, source(index)] as const)
  return Object.fromEntries(names)
}

function source(index: number): string {
  const lines = Array.from(
    { length: 10 },
    (_, number) => `export function doSomething${index}Of${number}(value: string): string {\n  return value\n}`,
  )
  return `${lines.join('\n')}\n`
}

describe('repo_map', () => {
  it('shows what files define, with lines, the most used first', async () => {
    const { text, outcome } = await mapOf(await temporaryWorkspace(small))
    expect(text).toBe(
      [
        'Map of .: 6 symbols in 3 source files.',
        ...['', 'src/engine.ts', '  1: export class Engine', '    2: start() {}', '  5: function helper() {}'],
        ...['', 'src/main.ts', '  2: export function main()'],
        ...['', 'tool.py', '  1: class Tool', '    2: def run(self)'],
      ].join('\n'),
    )
    expect(outcome.metadata).toEqual({ files: 3, symbols: 6, shown: 6 })
  })

  it('lists a line once that defines several symbols, and a file once', async () => {
    const one = 'export const left = 1, right = 2\nexport class Pair { first() {} second() {} }\n'
    const root = await temporaryWorkspace({ 'a.ts': one, 'b.ts': "import { right } from './a.ts'\nexport const used = right\n" })
    const { text, outcome } = await mapOf(root, { focus: ['right', 'a.ts', './a.ts'] })
    expect(text.split('\n').slice(1)).toEqual([
      ...['', 'a.ts', '  1: export const left = 1, right = 2', '  2: export class Pair { first() {} second() {} }'],
      ...['', 'b.ts', '  2: export const used = right'],
    ])
    expect(outcome.metadata).toEqual({ files: 2, symbols: 6, shown: 6 })
  })

  it('R003-11 keeps its own token limit, 2,000 by default', async () => {
    const root = await temporaryWorkspace(manyFiles(60))
    const usual = await mapOf(root)
    const brief = await mapOf(root, { max_tokens: 300 })
    expect(estimator.count(usual.text)).toBeLessThanOrEqual(2000)
    expect(estimator.count(usual.text)).toBeGreaterThan(1900)
    expect(estimator.count(brief.text)).toBeLessThanOrEqual(300)
    expect(usual.text).toMatch(/\nThe \d+ most used of 600 symbols are shown\.\n/)
  })

  it('R003-11 is cut at 10,000 characters by the engine when the call asks for more', async () => {
    const { outcome, text } = await mapOf(await temporaryWorkspace(manyFiles(60)), { max_tokens: 20_000 })
    expect(text.length).toBeGreaterThan(10_000)
    expect(completeConfig(null).tool_output_limits.tools['repo_map']).toEqual({ max_chars: 10_000, max_lines: 1000 })
    const call = { type: 'tool-call', callId: 'c', tool: 'repo_map', input: { max_tokens: 20_000 } } as const
    const result = { type: 'tool-result', callId: 'c', tool: 'repo_map', content: outcome.content } as const
    const messages = [
      { id: '1', role: 'assistant', parts: [call] },
      { id: '2', role: 'tool', parts: [result] },
    ] as const
    const { view } = buildView({ messages, policies: [limitToolOutput], facts: {} })
    const [part] = view[1]?.parts ?? []
    const shown = part?.type === 'tool-result' ? textOf(part) : ''
    expect(shown.length).toBeLessThanOrEqual(10_000)
    expect(shown.length).toBeGreaterThan(7000)
  })

  it.each([
    ['a name', 'run'],
    ['a path', 'tool.py'],
    ['a list', ['tool.py']],
  ])('puts %s in focus first', async (_story, focus) => {
    const { text } = await mapOf(await temporaryWorkspace(small), { focus })
    expect(text.split('\n')[2]).toBe('tool.py')
  })

  it.each([
    ['a folder', 'src', /^Map of src: 4 symbols in 2 source files\./],
    ['a file', 'tool.py', /^Map of tool\.py: 2 symbols in 1 source file\./],
    ['a file of no known language', 'notes.txt', /^Error: notes\.txt is in no language whose definitions are known; use Read$/],
    ['nothing', 'missing', /^Error: missing does not exist$/],
    ['a way out', '..', /^Error: \.\. leads out of the workspace/],
  ])('maps %s', async (_story, path, words) => {
    expect((await mapOf(await temporaryWorkspace(small), { path })).text).toMatch(words)
  })

  it('says that there is nothing to show', async () => {
    expect((await mapOf(await temporaryWorkspace())).text).toBe(
      'Map of .: 0 symbols in 0 source files.\nNo definitions were found: use Glob or LS.',
    )
  })

  it('skips ignored, generated, minified, huge and linked files', async () => {
    const root = await temporaryWorkspace({
      '.gitignore': 'dist/\n',
      'dist/out.ts': 'export function ignored() {}\n',
      'made.ts': '// @generated by a program\nexport function generated() {}\n',
      'lib.min.js': 'function squeezed() {}\n',
      'wide.js': `function wide() {}${';'.repeat(10_000)}\n`,
      'huge.ts': `export function huge() {}\n${'// filler line\n'.repeat(60_000)}`,
      'good.ts': 'export function good() {}\n',
    })
    await mkdir(join(root, '../outside'))
    await writeFile(join(root, '../outside/secret.ts'), 'export function secret() {}\n')
    await symlink('../outside', join(root, 'link'))
    await symlink('../outside/secret.ts', join(root, 'secret.ts'))
    expect((await mapOf(root)).text).toBe('Map of .: 1 symbol in 1 source file.\n\ngood.ts\n  1: export function good() {}')
  })

  it('is the same every time, and sees what changed', async () => {
    const root = await temporaryWorkspace(small)
    const first = (await mapOf(root)).text
    expect((await mapOf(root)).text).toBe(first)
    await writeFile(join(root, 'tool.py'), 'class Changed:\n    pass\n')
    expect((await mapOf(root)).text).toContain('class Changed')
  })

  it('shows no character of a name or a signature that could act on a terminal', async () => {
    const { text } = await mapOf(await temporaryWorkspace({ 'a\u001b[2J.ts': 'export function f(a = "\u202e") {}\n' }))
    expect(text).toContain('a\\u001b[2J.ts\n  1: export function f(a = "\\u202e") {}')
  })

  it('tells how far it is, and stops when it is cancelled', async () => {
    const root = await temporaryWorkspace(manyFiles(150))
    const cancel = new AbortController()
    const stages: string[] = []
    const { context } = toolContext({
      root,
      signal: cancel.signal,
      progress({ stage, progress }) {
        stages.push(`${stage} ${progress !== null && progress >= 0 && progress <= 100}`)
        cancel.abort(new Error('enough'))
      },
    })
    await expect(repoMapTool.run({}, context)).rejects.toThrow('enough')
    expect(stages).toEqual(['parsing true'])
  })

  it.each([{ max_tokens: 5 }, { max_tokens: 'many' }, { focus: 3 }])('refuses %j', async (input) => {
    expect((await mapOf(await temporaryWorkspace(), input)).text).toMatch(/^Error: wrong arguments for repo_map: /)
  })
})
