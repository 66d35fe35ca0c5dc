/**
 * Builds the packages and the web app, unless nothing has changed since the last build. Run by `npm run build`, and so after `npm ci` and
 * before `npm start` and `npm test`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Its time is that of the last complete build. `npm ci` removes it. */
const mark = 'node_modules/.cache/built'

/** Whether all built files exist and are newer than what they are built from. */
export function isBuilt(root: string): boolean {
  if (![mark, ...outputs].every((path) => existsSync(join(root, path)))) return false
  const built = statSync(join(root, mark)).mtimeMs
  return sources(root).every((path) => statSync(join(root, path)).mtimeMs <= built)
}

/** Records that the sources as of this time are built. Whatever changes during a build is newer. */
export function recordBuild(root: string, began: Date): void {
  mkdirSync(dirname(join(root, mark)), { recursive: true })
  writeFileSync(join(root, mark), '')
  utimesSync(join(root, mark), began, began)
}

/** The packages for frameworks. */
const adapters = ['ai-sdk', 'langchain', 'mastra', 'openai-agents']

const outputs = [
  'packages/core/dist/index.js',
  'packages/node/dist/bundled/main.js',
  ...adapters.map((name) => `packages/${name}/dist/index.js`),
  'packages/node/dist/bundled/third-party-licences.txt',
  'packages/node/dist/bundled/hook.cjs',
  'plugin/bin/hook.cjs',
  'packages/node/dist/web/index.html',
  'packages/node/dist/web-inspect/inspect.js',
]

/** Folders count as well: theirs is the only time that changes when a file is removed. */
function sources(root: string): readonly string[] {
  const packages = ['core', 'node', 'web', ...adapters].map((name) => `packages/${name}`)
  const folders = [...packages.map((folder) => `${folder}/src`), 'packages/web/public']
  const below = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
  )
  const beside = ['.', ...packages].flatMap((folder) =>
    readdirSync(join(root, folder), { withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:json|ts|html)$/.test(entry.name))
      .map(({ name }) => join(folder, name)),
  )
  return [
    ...folders,
    ...below.filter((path) => !/\.test(?:-d)?\.tsx?$/.test(path)),
    ...beside,
    'scripts/bundle-program.ts',
    'scripts/bundle-plugin.ts',
  ]
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url))
  if (!isBuilt(root)) {
    const began = new Date()
    const { status } = spawnSync('npm', ['run', '--silent', 'build:all'], { cwd: root, stdio: 'inherit' })
    if (status === 0) recordBuild(root, began)
    process.exitCode = status ?? 1
  }
}
