import { pathKey } from '../../../packages/core/src/text/paths.ts'
import { createGlobFilter, problemInGlob } from '../../../packages/node/src/tools/search/glob-tool.ts'
import { holds, type Target } from '../target.ts'

const platforms = ['linux', 'darwin', 'win32', undefined] as const
const roots = ['/home/sam/shop', 'C:\\work\\shop', '\\\\server\\share', undefined, '', '/', 'relative/folder'] as const

/** Keys of paths, and globs. */
export const pathsTarget: Target = {
  name: 'paths',
  form: 'text',
  choices: 2,
  longest: 300,
  covers: ['packages/core/src/text/paths.ts', 'packages/node/src/tools/search/glob-tool.ts'],
  seeds: () => [
    'src/a.ts',
    './src/../a.ts',
    '/home/sam/shop/src/a.ts',
    'C:/shop/a.ts',
    '\\\\server\\share\\a',
    '**/*.{ts,tsx}',
    '!node_modules/**',
    'a/{b,c{d,e}}/*.js',
    '/../..',
    '[a-z]*.ts',
  ],
  words: ['../', './', '//', '\\', 'C:', 'c:\\', '//server/share/', '**/', '{a,b}', '[!a]', '~/'],
  maxSteps: 2000,
  async check({ text, choices: [system = 0, where = 0] }) {
    const platform = platforms[system % platforms.length]
    const root = roots[where % roots.length]
    const key = pathKey(text, root, platform)
    if (key.trim() !== '') {
      // Drives and shares exist only on Windows, where no name has a colon; elsewhere the key means something else.
      const isPlain = [text, key].every(
        (path) => !/^[\\/]{2}|(?<!^[A-Za-z]):/.test(path) && (platform === 'win32' || !/^[A-Za-z]:/.test(path)),
      )
      if (isPlain) holds(pathKey(key, root, platform) === key, 'a key is its own key')
      if (isPlain && !/^[\\/]{2}|^[A-Za-z]:$/.test(text))
        holds(pathKey(`${text}/`, root, platform) === key, 'a trailing slash changes nothing')
      if (isPlain) holds(!/(?:^|\/)\.\/|\/\.$|(?:^|\/)(?!\.\.\/)[^/]+\/\.\.(?:\/|$)/.test(key), 'a key has no . or .. segments')
    }
    if (problemInGlob(text) !== null) return
    const matches = await createGlobFilter([text])
    for (const path of ['src/a.ts', 'a/b/c/d/e/f/g.tsx', 'x'.repeat(60), `${'a/'.repeat(20)}b`])
      holds(typeof matches(path) === 'boolean', 'a glob returns a boolean')
  },
}
