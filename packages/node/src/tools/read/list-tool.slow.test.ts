import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { lookingContext } from '../testing/looking-context.ts'
import { temporaryWorkspace } from '../testing/temporary-workspace.ts'
import { listTool } from './list-tool.ts'

const list = async (root: string, input: unknown = {}) => {
  const { content, isError } = await listTool.run(input, lookingContext(root))
  return { lines: content.type === 'text' ? content.text.split('\n') : [], isError: isError === true }
}

it('R004-9 shows the entries of a folder with counts and sizes, hidden ones too, and lists what is omitted', async () => {
  const root = await temporaryWorkspace({
    '.gitignore': '*.log\n',
    '.git/config': '',
    'a.log': '',
    'b.ts': 'x'.repeat(1500),
    'c.tmp': '',
    'src/d.ts': '',
  })
  symlinkSync('/etc', join(root, 'link'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  expect(await list(root, { ignore: ['*.tmp'] })).toEqual({
    lines: [
      'Contents of .: 1 folder, 4 files',
      '.gitignore  6 B',
      'b.ts  1.5 KB',
      'link -> /etc',
      'pipe  (neither a file nor a folder)',
      'src/',
      'Note: not shown: 1 that .gitignore leaves out, 1 that match "ignore"',
    ],
    isError: false,
  })
  expect((await list(root, { path: 'src' })).lines).toEqual(['Contents of src: 0 folders, 1 file', 'd.ts  0 B'])
})

it('shows the first 500 entries of a large folder', async () => {
  const files = Array.from({ length: 512 }, (_, index) => [`f${String(index).padStart(3, '0')}`, ''] as const)
  const { lines } = await list(await temporaryWorkspace(Object.fromEntries(files)))
  expect([lines.length, lines[0], lines[500], lines[501]]).toEqual([
    502,
    'Contents of .: 0 folders, 512 files',
    'f499  0 B',
    '(truncated: and 12 more; narrow it with Glob)',
  ])
})

it.each([
  [{ path: 'gone' }, 'Error: gone does not exist'],
  [{ path: 'a' }, 'Error: a is a file, not a folder; use Read'],
  [
    { path: '/etc' },
    'Error: /etc leads out of the workspace; only paths inside the workspace can be used, relative to its folder',
  ],
  [
    { ignore: ['*'.concat('a*'.repeat(20))] },
    'Error: the pattern "*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*" has too many "*"; at most 3 in a name and 4 "**" in all are allowed',
  ],
])('%j fails', async (input, text) => {
  expect(await list(await temporaryWorkspace({ a: '' }), input)).toEqual({ lines: [text], isError: true })
})
