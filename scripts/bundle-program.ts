/**
 * Writes the program `plimsoll` as it ships: the compiled files and the used parts of the packages they import, in few files. A start loads a
 * tenth of the files, and the packages need not be installed with it. What is in `dependencies` stays outside. Run by every build, after
 * the compiler.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'rolldown'
import { noticesFile, noticesOf } from '../packages/web/third-party-notices.ts'
import { bundlePlugin } from './bundle-plugin.ts'

/** What is started by itself: the command, its threads and its background work, and what the hook loads when it needs it. */
const programs = [
  'cli/main',
  'cli/setup/refresh-spending',
  'config/load-config',
  'gateway/planner/planner-worker',
  'inspect/inspection-worker',
  'logs/measure/measure-worker',
  'logs/search/search-worker',
  'replay/replay-worker',
  'server/spending-worker',
  'store/postgres/open-postgres-store',
]

/** Loads its program by a path next to its own, so both are copied. */
const parser = { name: 'web-tree-sitter', files: ['web-tree-sitter.js', 'web-tree-sitter.wasm'] }

async function bundleProgram(root: string): Promise<void> {
  const dist = join(root, 'packages/node/dist')
  const folder = join(dist, 'bundled')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/node/package.json'), 'utf8')) as Manifest
  const { output } = await build({
    cwd: join(root, 'packages/node'),
    input: Object.fromEntries(programs.map((path) => [basename(path), join(dist, `${path}.js`)])),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => isInstalled(id, Object.keys(dependencies)),
    plugins: [besideIt(dist)],
    output: {
      dir: folder,
      chunkFileNames: '[name]-[hash].js',
      minify: { compress: true, mangle: false, codegen: true },
      comments: false,
    },
  })
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  const copied = parser.files.map((file) => join(root, 'node_modules', parser.name, file))
  for (const file of copied) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, noticesFile), noticesOf('Plimsoll', [...modules, ...copied]))
  await bundlePlugin(root)
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Whether a package comes with Node or is installed next to `plimsoll`. Ink's development tools are never loaded. */
function isInstalled(id: string, dependencies: readonly string[]): boolean {
  if (id.startsWith('node:') || builtinModules.includes(id) || id === 'react-devtools-core') return true
  return dependencies.some((name) => id === name || id.startsWith(`${name}/`))
}

/** Files find others by their own place. Threads are next to the program; for all else, a file is still where it was compiled to. */
function besideIt(dist: string): Plugin {
  return {
    name: 'beside',
    resolveId(id) {
      return id === parser.name ? { id: `./${parser.name}.js`, external: true } : null
    },
    transform(code, id) {
      if (!id.startsWith(dist) || !code.includes('import.meta.url')) return null
      const place = `new URL('../${relative(dist, id)}', import.meta.url).href`
      return code
        .replaceAll('import.meta.url', place)
        .replaceAll(/workerUrl\('\.\/([\w-]+)', .*?\.href\)/g, "new URL('./$1.js', import.meta.url)")
    },
  }
}

await bundleProgram(fileURLToPath(new URL('..', import.meta.url)))
