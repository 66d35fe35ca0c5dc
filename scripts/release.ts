/**
 * Sets the version of all packages and of the plugin, and closes the section "Unreleased" of the changelog. Changes files only; look at them, commit and
 * tag: `npm run release -- 0.2.0`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the order in which they have to be published: an adapter needs the core. */
export const published = ['core', 'node', 'ai-sdk', 'langchain', 'mastra', 'openai-agents'] as const

/** Writes a release into a folder. Throws if the version or the changelog cannot be one, before anything is written. */
export function prepareRelease(root: string, version: string, day: string): void {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const manifests = [...published, 'web'].map((name) => `packages/${name}/package.json`)
  const [current] = manifests.map((path) => (JSON.parse(read(path)) as { readonly version: string }).version)
  if (!isNewer(version, current ?? '')) throw new Error(`expected a version after ${current}, such as 1.2.3, got ${version}`)
  const changelog = read('CHANGELOG.md')
  const [, notes = ''] = /^## Unreleased\n([^]*?)(?=^## |$(?![^]))/m.exec(changelog) ?? []
  if (notes.trim() === '') throw new Error('CHANGELOG.md: expected something under "Unreleased", got nothing')
  const written = [
    ...manifests.map((path) => [path, withVersion(read(path), current ?? '', version)] as const),
    [
      'plugin/.claude-plugin/plugin.json',
      withVersion(read('plugin/.claude-plugin/plugin.json'), current ?? '', version),
    ] as const,
    ['package-lock.json', lockedVersion(read('package-lock.json'), version)] as const,
    ['CHANGELOG.md', changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version}, ${day}\n`)] as const,
  ]
  for (const [path, text] of written) writeFileSync(join(root, path), text)
}

function isNewer(version: string, than: string): boolean {
  const numbers = (text: string) => /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(text)?.slice(1).map(Number)
  const [wanted, current] = [numbers(version), numbers(than)]
  if (wanted === undefined || current === undefined) return false
  const at = wanted.findIndex((number, index) => number !== current[index])
  return at >= 0 && (wanted[at] ?? 0) > (current[at] ?? 0)
}

/** The package's own version, and those of our packages that it needs. */
function withVersion(manifest: string, current: string, version: string): string {
  const old = current.replaceAll('.', '\\.')
  return manifest.replace(new RegExp(`("(?:version|@plimsoll/[\\w-]+)": ")${old}(?=")`, 'g'), `$1${version}`)
}

function lockedVersion(lockfile: string, version: string): string {
  const { packages, ...rest } = JSON.parse(lockfile) as { readonly packages: Record<string, Record<string, unknown>> }
  for (const [path, entry] of Object.entries(packages)) {
    if (!path.startsWith('packages/') || path.includes('node_modules')) continue
    entry['version'] = version
    for (const kind of ['dependencies', 'devDependencies']) {
      const needed = entry[kind] as Record<string, string> | undefined
      for (const name of Object.keys(needed ?? {})) if (name.startsWith('@plimsoll/') && needed) needed[name] = version
    }
  }
  return `${JSON.stringify({ ...rest, packages }, null, 2)}\n`
}

if (import.meta.main) {
  try {
    prepareRelease(fileURLToPath(new URL('..', import.meta.url)), process.argv[2] ?? '', new Date().toISOString().slice(0, 10))
    process.stdout.write('Now run npm run build and npm test, commit, and tag the commit: the workflow "release" publishes it.\n')
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
