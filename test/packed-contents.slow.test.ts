import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { promisify } from 'node:util'
import { parseSync } from 'oxc-parser'
import { publint } from 'publint'
import { describe, expect, it } from 'vitest'
import { builtSources } from '../scripts/remove-stale-builds.ts'
import { adapters, packAdapters, packPackages } from './pack-packages.ts'
import { shareInFile } from './share-in-file.ts'
import { root } from './source-files.ts'
import { toolPath } from './tools/tool-path.ts'

const isBuilt = existsSync(`${root}/packages/node/dist/web/index.html`)

describe.runIf(isBuilt)('the packages as they would be published', () => {
  const packed = shareInFile(packPackages)
  const core = () => packed()[0]
  const node = () => packed()[1]
  const both = [
    ['@plimsoll/core', core],
    ['plimsoll', node],
  ] as const

  it.each(both)('%s passes publint', async (_name, pack) => {
    const { messages } = await publint({ pack: { tarball: bytesOf(pack().tarball) }, strict: true })
    expect(messages).toEqual([])
  })

  it('the adapters pass publint, and contain their build with types, README and licence', async () => {
    for (const { name, tarball, files } of await packAdapters()) {
      const { messages } = await publint({ pack: { tarball: bytesOf(tarball) }, strict: true })
      const expected = ['dist/index.d.ts', 'dist/index.js', ...papers].toSorted()
      expect({ name, messages, files }).toEqual({ name, messages: [], files: expected })
    }
  })

  it('core has types for every ES module resolution', async () => {
    expect(await areTheTypesWrong(core().tarball)).toEqual({
      problems: [],
      entries: [
        '.',
        './bill',
        './compaction',
        './hosts',
        './package.json',
        './policies',
        './session',
        './spec',
        './text',
        './wire',
      ],
    })
  })

  it('the command has types for the hooks of the Agent SDK, which programs import, and for nothing else', async () => {
    const entries = ['./agent-sdk', './package.json', './schema/plimsoll.schema.json']
    expect(await areTheTypesWrong(node().tarball)).toEqual({ problems: [], entries })
    expect(node().files.filter((path) => path.endsWith('.d.ts'))).toEqual(['dist/bundled/agent-sdk.d.ts'])
  })

  it('core contains the build of its sources with types, README and licence', () => {
    const built = builtSources(`${root}/packages/core`).flatMap((path) => [`dist/${path}.js`, `dist/${path}.d.ts`])
    expect(built.length).toBeGreaterThan(300)
    expect(core().files).toEqual([...built, ...papers].toSorted())
  })

  it('the command contains the program, the web app, an example, the schema, README and licence', () => {
    const isNamed = /\/assets\/[\w-]+\.(?:js|css)$|\/bundled\/[\w-]+\.js$/
    expect(node().files.filter((path) => isNamed.test(path)).length).toBeGreaterThan(100)
    expect(node().files.filter((path) => !isNamed.test(path))).toEqual([
      'LICENSE',
      'README.md',
      'bin/plimsoll.js',
      'dist/bundled/agent-sdk.d.ts',
      'dist/bundled/hook.cjs',
      'dist/bundled/run-hook.cjs',
      'dist/bundled/third-party-licences.txt',
      'dist/bundled/web-tree-sitter.wasm',
      'dist/web-inspect/inspect.css',
      'dist/web-inspect/inspect.js',
      'dist/web/index.html',
      'dist/web/plimsoll.svg',
      'dist/web/third-party-licences.txt',
      'example/conversation.json',
      'example/example.json',
      'package.json',
      'schema/plimsoll.schema.json',
    ])
  })

  it('the command imports only packages that are installed with it', () => {
    const { dependencies } = JSON.parse(readFileSync(`${root}/packages/node/package.json`, 'utf8')) as Manifest
    const known = new Set(Object.keys(dependencies))
    const built = node().files.filter((path) => path.startsWith('dist/bundled/') && path.endsWith('.js'))
    const imported = built.flatMap((path) => {
      const text = readFileSync(`${root}/packages/node/${path}`, 'utf8')
      const { module } = parseSync(path, text)
      const named = module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start, end))
      return [
        ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
        ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
        ...named.flatMap((one) => /^["'`](.*)["'`]$/.exec(one)?.[1] ?? []),
      ].filter((to) => !to.startsWith('.'))
    })
    const names = new Set(imported.map((to) => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to))
    expect(names).toContain('undici')
    // Ink asks for its development tools only where they are switched on.
    const others = [...names].filter((name) => !known.has(name) && !isBuiltin(name))
    expect(others).toEqual(['react-devtools-core'])
  })

  it.each(['core', 'node', ...adapters].map((name) => `packages/${name}`))('%s has no links that may not exist', (folder) => {
    const { repository, homepage, bugs, author, scripts } = JSON.parse(readFileSync(`${root}/${folder}/package.json`, 'utf8'))
    expect({ repository, homepage, bugs, author, scripts }).toEqual({})
    // A README on npm cannot link into the repository.
    expect(readFileSync(`${root}/${folder}/README.md`, 'utf8').match(/\]\((?!https:)[^)]*\)/g)).toBeNull()
  })
})

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>
}

const papers = ['LICENSE', 'README.md', 'package.json']

interface Analysis {
  readonly analysis: {
    readonly entrypoints?: Readonly<Record<string, unknown>>
    readonly problems?: readonly { readonly kind: string; readonly entrypoint?: string; readonly resolutionKind?: string }[]
  }
}

/** Findings of Are The Types Wrong for ES modules. Node itself refuses to load this package as CommonJS. */
async function areTheTypesWrong(tarball: string) {
  const program = toolPath('@arethetypeswrong/cli', 'dist/index.js')
  const args = [program, tarball, '--profile', 'esm-only', '--format', 'json']
  const { stdout } = await promisify(execFile)(process.execPath, args, { maxBuffer: 2 ** 27 })
  const { entrypoints = {}, problems = [] } = (JSON.parse(stdout) as Analysis).analysis
  const others = ['node10', 'node16-cjs']
  return {
    problems: problems.filter(({ resolutionKind }) => resolutionKind === undefined || !others.includes(resolutionKind)),
    entries: Object.keys(entrypoints).toSorted(),
  }
}

function bytesOf(path: string): ArrayBuffer {
  const bytes = readFileSync(path)
  return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength)
}
