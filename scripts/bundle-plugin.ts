/**
 * Writes the programs of the Claude Code plugin, each in one file: a plugin is copied and not built, so they are committed. Also the hook of the built
 * `plimsoll`, which agents wait for after every tool. `bundle-program.ts` runs it.
 */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { build } from 'rolldown'
import { noticesFile, noticesOf } from '../packages/web/third-party-notices.ts'

interface Program {
  readonly from: string
  readonly to: string
  /** The built files that it loads only when they are needed, and where they are from its own place. */
  readonly later?: Readonly<Record<string, string>>
  /** Whether `hook-main.ts` runs it, with functions to load more. */
  readonly isLoaded?: true
}

const settings = '/dist/config/load-config.js'
const database = '/dist/store/postgres/open-postgres-store.js'

/** The plugin has no driver for a database. */
const ofPlugin = { [settings]: './settings.mjs', [database]: './no-database.mjs' }
const ofProgram = { [settings]: './load-config.js', [database]: './open-postgres-store.js' }

/** Everything in the plugin's `bin`. */
const plugin: readonly Program[] = [
  { from: 'cli/hook/hook-main.js', to: 'plugin/bin/hook.cjs' },
  { from: 'cli/hook/run-hook.js', to: 'plugin/bin/run-hook.cjs', later: ofPlugin, isLoaded: true },
  { from: 'cli/hook/plugin-main.js', to: 'plugin/bin/plimsoll.mjs', later: ofPlugin },
  { from: 'config/load-config.js', to: 'plugin/bin/settings.mjs' },
]

/** In the built `plimsoll`: its hook, and extensions of agents, which copy them without their dependencies. */
const ofCommand: readonly Program[] = [
  { from: 'cli/hook/hook-main.js', to: 'packages/node/dist/bundled/hook.cjs' },
  { from: 'cli/hook/run-hook.js', to: 'packages/node/dist/bundled/run-hook.cjs', later: ofProgram, isLoaded: true },
  ...['pi', 'opencode', 'cline'].map((name) => ({
    from: `extensions/${name}.js`,
    to: `packages/node/dist/bundled/${name}-extension.js`,
  })),
  { from: 'cli/hook/agent-sdk.js', to: 'packages/node/dist/bundled/agent-sdk.js', later: ofProgram },
  { from: 'extensions/pi-gateway.js', to: 'packages/node/dist/bundled/pi-gateway.js' },
]

/** The files of the plugin's `bin` by their paths, as the current build gives them. */
export async function pluginPrograms(root: string): Promise<ReadonlyMap<string, string>> {
  const built = await Promise.all(plugin.map(async (program) => ({ ...program, ...(await bundled(root, program)) })))
  const modules = built.flatMap((program) => program.modules)
  return new Map([
    ...built.map(({ to, code }) => [to, code] as const),
    [`plugin/bin/${noticesFile}`, noticesOf('The plugin', modules)],
  ])
}

async function bundled(root: string, { from, to, later, isLoaded }: Program) {
  const { output } = await build({
    cwd: root,
    input: join(root, 'packages/node/dist', from),
    platform: 'node',
    write: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'later',
        async resolveId(id, importer) {
          const found = later === undefined || importer === undefined ? null : await this.resolve(id, importer)
          const [, path] = Object.entries(later ?? {}).find(([file]) => found?.id.endsWith(file) === true) ?? []
          return path === undefined ? null : { id: path, external: true }
        },
      },
    ],
    // Scripts load quicker than modules.
    output: { format: to.endsWith('.cjs') ? 'cjs' : 'esm', codeSplitting: false, minify: true, comments: false },
  })
  const { code, moduleIds } = output[0]
  const written = isLoaded === true ? code.replaceAll('import(`./', 'load(`./') : code
  return { code: `${head}${written}`, modules: moduleIds }
}

const head = '// Built from packages/node by `npm run build`. Do not edit.\n'

/** Writes all of them. */
export async function bundlePlugin(root: string): Promise<void> {
  const own = ofCommand.map(async (program) => [program.to, (await bundled(root, program)).code] as const)
  const programs = [...(await pluginPrograms(root)), ...(await Promise.all(own))]
  for (const [path, code] of programs) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    if (textOf(join(root, path)) !== code) writeFileSync(join(root, path), code)
  }
  // The only part of the command that other programs import.
  const [from, to] = ['dist/cli/hook', 'dist/bundled'].map((folder) => join(root, 'packages/node', folder, 'agent-sdk.d.ts'))
  copyFileSync(from ?? '', to ?? '')
}

function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
