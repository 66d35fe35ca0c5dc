import { expect, it } from 'vitest'
import { lookingContext } from '../testing/looking-context.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { repoStructureTool } from './list-tool.ts'

const files = {
  '.gitignore': 'dist/\n',
  'a.ts': '',
  'dist/out.js': '',
  'src/b.ts': '',
  'src/one/c.ts': '',
  'src/one/two/d.ts': '',
  'test/e.ts': '',
}

const show = async (root: string, input: unknown, config = {}) => {
  const { content } = await repoStructureTool.run(input, lookingContext(root, {}, config))
  return content.type === 'text' ? content.text.split('\n') : []
}

it('R003-14 R003-20 shows three levels by default and lists what is omitted', async () => {
  expect(await show(await temporaryWorkspace(files), {})).toEqual([
    './',
    '  .gitignore',
    '  a.ts',
    '  src/',
    '    b.ts',
    '    one/',
    '      c.ts',
    '      two/ …',
    '  test/',
    '    e.ts',
    '(truncated at max_depth 3 and max_files 500: 1 folder marked … not opened)',
    'Note: not shown: 1 that .gitignore leaves out',
  ])
})

const roomy = { tool_output_limits: { default: { max_lines: 1000 } } }

it('R003-14 R003-20 shows upper levels first if there are more than 500 entries, and counts the rest', async () => {
  const many = Array.from({ length: 600 }, (_, index) => [`a/f${String(index).padStart(3, '0')}`, ''] as const)
  const lines = await show(await temporaryWorkspace({ ...Object.fromEntries(many), 'z.ts': '', 'y/x.ts': '' }), {}, roomy)
  expect([lines.length, lines.slice(0, 3), lines.slice(-5)]).toEqual([
    503 - 1 + 2 - 1,
    ['./', '  a/', '    f000'],
    [
      '    f496',
      '    … 103 more',
      '  y/ …',
      '  z.ts',
      '(truncated at max_depth 3 and max_files 500: 103 entries not shown, 1 folder marked … not opened)',
    ],
  ])
})

it('R003-14 a tree that is to be summarised is drawn in full', async () => {
  const many = Array.from({ length: 600 }, (_, index) => [`f${index}`, ''] as const)
  const config = {
    tool_output_limits: { tools: { get_repo_structure: { max_files: 900, truncation_strategy: 'summarize' as const } } },
  }
  expect(await show(await temporaryWorkspace(Object.fromEntries(many)), {}, config)).toHaveLength(601)
})

it('R003-20 the limits are settings, and a call may ask for others', async () => {
  const root = await temporaryWorkspace(files)
  const config = { tool_output_limits: { tools: { get_repo_structure: { max_depth: 1, max_files: 2 } } } }
  expect(await show(root, {}, config)).toEqual([
    './',
    '  .gitignore',
    '  a.ts',
    '  … 2 more',
    '(truncated at max_depth 1 and max_files 2: 2 entries not shown)',
    'Note: not shown: 1 that .gitignore leaves out',
  ])
  expect(await show(root, { path: 'src', max_depth: 9, max_files: 50 }, config)).toEqual([
    'src/',
    '  b.ts',
    '  one/',
    '    c.ts',
    '    two/',
    '      d.ts',
  ])
})

it.each([
  [{ path: 'a.ts' }, 'Error: a.ts is a file; use Read'],
  [{ path: 'gone' }, 'Error: gone does not exist'],
  [{ path: '..' }, 'Error: .. leads out of the workspace; only paths inside the workspace can be used, relative to its folder'],
  [{ max_depth: 0 }, 'Error: wrong arguments for get_repo_structure: max_depth: Too small: expected number to be >=1'],
])('%j fails', async (input, text) => {
  expect(await show(await temporaryWorkspace(files), input)).toEqual([text])
})
