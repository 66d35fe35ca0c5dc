/**
 * Puts the used parts of large packages into the built `plimsoll`, and lets its files import those: the tables of one tokenizer out of
 * four, say. The packages themselves are not installed with it. Run by every build, after the compiler.
 */
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { basename, join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { noticesFile, noticesOf } from '../packages/web/third-party-notices.ts'

/** What built files import, and the file in `dist/bundled` that takes its place. */
const entries: Readonly<Record<string, string>> = {
  '@modelcontextprotocol/client': 'mcp-client',
  '@modelcontextprotocol/server': 'mcp-server',
  '@modelcontextprotocol/server/stdio': 'mcp-server-stdio',
  '@opentelemetry/api': 'opentelemetry-api',
  '@opentelemetry/exporter-trace-otlp-http': 'opentelemetry-exporter',
  '@opentelemetry/resources': 'opentelemetry-resources',
  '@opentelemetry/sdk-trace-base': 'opentelemetry-sdk',
  'gpt-tokenizer/encoding/o200k_base': 'o200k',
  ink: 'ink',
}

/** Loads its program by a path next to its own, so both are copied. */
const parser = { name: 'web-tree-sitter', files: ['web-tree-sitter.js', 'web-tree-sitter.wasm'] }

/** Bundles the packages of this repository unless that was done since they were installed, and changes the imports of built files. */
export async function bundlePackages(root: string): Promise<void> {
  const dist = join(root, 'packages/node/dist')
  const notices = join(dist, 'bundled', noticesFile)
  const isNewer = (path: string) => statSync(path).mtimeMs > statSync(notices).mtimeMs
  if (!existsSync(notices) || [join(root, 'package-lock.json'), import.meta.filename].some(isNewer))
    await writeBundles(root, dist)
  for (const path of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    if (path.endsWith('.js') && !/^(?:bundled|web|web-inspect)\//.test(path)) useBundles(dist, path)
  }
}

async function writeBundles(root: string, dist: string): Promise<void> {
  const folder = join(dist, 'bundled')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const { dependencies } = JSON.parse(readFileSync(join(root, 'packages/node/package.json'), 'utf8')) as Manifest
  const { output } = await build({
    cwd: join(root, 'packages/node'),
    input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [file, name])),
    platform: 'node',
    resolve: { mainFields: ['module', 'main'] },
    external: (id) => isInstalled(id, Object.keys(dependencies)),
    output: { dir: folder, chunkFileNames: 'shared-[name].js', minify: { compress: true, mangle: false, codegen: true } },
  })
  const modules = output.flatMap((one) => (one.type === 'chunk' ? one.moduleIds : []))
  const copied = parser.files.map((file) => join(root, 'node_modules', parser.name, file))
  for (const file of copied) copyFileSync(file, join(folder, basename(file)))
  writeFileSync(join(folder, noticesFile), noticesOf('Plimsoll', [...modules, ...copied]))
}

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

/** Whether a package comes with Node or is installed next to `plimsoll`. Ink's development tools are never loaded. */
function isInstalled(id: string, dependencies: readonly string[]): boolean {
  if (id.startsWith('node:') || builtinModules.includes(id) || id === 'react-devtools-core') return true
  return dependencies.some((name) => id === name || id.startsWith(`${name}/`))
}

function useBundles(dist: string, path: string): void {
  const text = readFileSync(join(dist, path), 'utf8')
  const up = posix.relative(posix.dirname(path), 'bundled')
  const changed = text.replace(/(?<=\b(?:from |import\()')[^'.][^']*(?=')/g, (name) => {
    const file = name === parser.name ? name : entries[name]
    return file === undefined ? name : `${up}/${file}.js`
  })
  if (changed !== text) writeFileSync(join(dist, path), changed)
}

if (import.meta.main) await bundlePackages(fileURLToPath(new URL('..', import.meta.url)))
