import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Import, importsOf, isProductCode, readSources, root } from './source-files.ts'

const sources = readSources('packages', (path) => /^packages\/\w+\/src\//.test(path) && isProductCode(path))
const imports = sources.flatMap(importsOf)

/** Folders of the node package from low to high: each imports only those before it. */
const nodeFolders = [
  'extensions',
  'shared',
  'strings',
  'config',
  'layers',
  'files',
  'session',
  'store',
  'model',
  'tools',
  'agent',
  'logs',
  'repair',
  'replay',
  'inspect',
  'gateway',
  'mcp',
  'server',
  'cli',
]

/**
 * Folders of the web package from low to high: each imports only those before it. The empty name is the root, where only the entry points
 * are. A folder within another one comes before what is directly in it.
 */
const webFolders = [
  'strings',
  'server',
  'parts',
  'sessions',
  'composer',
  'chat',
  'inspector/source',
  'inspector/window',
  'inspector/messages',
  'inspector/compare',
  'inspector/ledger',
  'inspector/timeline',
  'inspector/what-if',
  'inspector',
  'shell',
  '',
]

/**
 * Folders of core from low to high. `words` are the files at the root with the basic types, and the empty name is the rest of the
 * root: the entry points.
 */
const coreFolders = [
  'text',
  'strings',
  'words',
  'tokens',
  'results',
  'cut',
  'binary',
  'failure',
  'models',
  'bill',
  'recall',
  'compaction',
  'timing',
  'fit',
  'policies',
  'wire',
  'session',
  'engine',
  '',
]
const coreWords = ['message', 'edit', 'facts', 'policy', 'report', 'config', 'derive'].map(
  (name) => `packages/core/src/${name}.ts`,
)

const folderOrders: Readonly<Record<string, readonly string[]>> = { core: coreFolders, node: nodeFolders, web: webFolders }

describe('imports between packages', () => {
  it('exist', () => expect(imports.length).toBeGreaterThan(50))

  it('do not include the command name import in a list of names', () =>
    expect(importsOf({ path: 'packages/node/src/cli/run.ts', text: "const names = ['import', 'show']" })).toEqual([]))

  it('go from web and node to core, and from web to the shared part of node', () =>
    expect(imports.flatMap(wrongPackage)).toEqual([]))

  it('go from node only to packages in its manifest', () => {
    const manifest = JSON.parse(readFileSync(`${root}/packages/node/package.json`, 'utf8')) as {
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
    }
    // A build bundles what it needs of the latter.
    expect(imports.flatMap(undeclared(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })))).toEqual([])
  })
})

describe('imports between the folders of a package', () => {
  it('go only to the same folder and to those before it', () => expect(imports.flatMap(wrongFolder)).toEqual([]))

  it('start in a listed folder: no file is outside', () => expect(sources.flatMap(({ path }) => misplaced(path))).toEqual([]))
})

describe('imports inside core', () => {
  it('have no cycle at run time', () => expect(cycles(imports)).toEqual([]))
})

describe('the checks themselves', () => {
  it.each([
    ['packages/core/src/conversation.ts', '../../node/src/config/load-config.ts'],
    ['packages/core/src/engine/build-view.ts', 'plimsoll'],
    ['packages/node/src/cli/main.ts', '../../../core/src/view.ts'],
    ['packages/web/src/app.ts', 'plimsoll'],
    ['packages/web/src/app.ts', '../../node/src/cli/main.ts'],
    ['packages/web/src/app.ts', '../../node/src/strings/english.ts'],
    ['packages/node/src/shared/thing.ts', '../../../web/src/app.ts'],
  ])('refuse %s importing %s', (from, to) => expect(example(from, to).flatMap(wrongPackage)).toHaveLength(1))

  it.each([
    ['packages/node/src/cli/main.ts', '@plimsoll/core'],
    ['packages/node/src/cli/main.ts', '@plimsoll/core/spec'],
    ['packages/web/src/app.ts', '@plimsoll/core'],
    ['packages/web/src/app.ts', 'react'],
    ['packages/web/src/app.ts', '../../node/src/shared/strings/english.ts'],
    ['packages/core/src/engine/build-view.ts', './edit.ts'],
  ])('allow %s importing %s', (from, to) => expect(example(from, to).flatMap(wrongPackage)).toEqual([]))

  it('refuse a package that is not in the manifest, and allow a subpath of one that is', () => {
    const from = 'packages/node/src/cli/main.ts'
    const all = ['left-pad', 'zod/v4', '@scope/name/part', 'node:fs', '@plimsoll/core'].flatMap((to) => example(from, to))
    expect(all.flatMap(undeclared(['zod', '@scope/name', '@plimsoll/core']))).toEqual([`${from} -> left-pad`])
  })

  it.each([
    ['packages/node/src/config/load-config.ts', '../cli/main.ts'],
    ['packages/node/src/files/log.ts', '../model/tokens.ts'],
    ['packages/node/src/cli/main.ts', '../elsewhere/thing.ts'],
    ['packages/web/src/parts/use-loaded.tsx', '../shell/app.tsx'],
    ['packages/web/src/inspector/window/load-line.tsx', '../messages/messages.tsx'],
    ['packages/web/src/inspector/timeline/timeline.tsx', '../inspector.tsx'],
    ['packages/web/src/shell/app.tsx', '../main.tsx'],
  ])('refuse %s importing %s', (from, to) => expect(example(from, to).flatMap(wrongFolder)).toHaveLength(1))

  it('allow the same folder and one before it', () => {
    const allowed = ['../config/load-config.ts', './view.ts', './parts/grid.ts'].flatMap((to) =>
      example('packages/node/src/cli/main.ts', to),
    )
    expect(allowed.flatMap(wrongFolder)).toEqual([])
  })

  it('allow files directly in a folder to import its subfolders', () => {
    expect(example('packages/web/src/inspector/inspector.tsx', './window/load-line.tsx').flatMap(wrongFolder)).toEqual([])
  })

  it.each(['packages/node/src/main.ts', 'packages/node/src/utils/text.ts', 'packages/web/src/utils/text.ts'])(
    'refuse a file at %s',
    (path) => expect(misplaced(path)).toEqual([path]),
  )

  it.each([
    ['wire/codecs.ts', '../engine/build-view.ts'],
    ['cut/cut.ts', '../policies/limit-tool-output.ts'],
    ['binary/filter.ts', '../wire/codecs.ts'],
    ['facts.ts', './tokens/usage.ts'],
    ['text/hash.ts', '../message.ts'],
  ])('refuse core %s importing %s', (from, to) =>
    expect(example(`packages/core/src/${from}`, to).flatMap(wrongFolder)).toHaveLength(1),
  )

  it.each([
    ['tokens/usage.ts', '../facts.ts'],
    ['facts.ts', './message.ts'],
    ['conversation.ts', './engine/prepare.ts'],
  ])('allow core %s importing %s', (from, to) =>
    expect(example(`packages/core/src/${from}`, to).flatMap(wrongFolder)).toEqual([]),
  )

  it('find a cycle through three files', () => {
    const arrows = [...arrow('a', 'b'), ...arrow('b', 'c'), ...arrow('c', 'a'), ...arrow('c', 'd'), ...arrow('e', 'a')]
    expect(cycles(arrows)).toEqual(['a.ts -> b.ts -> c.ts -> a.ts'])
  })

  it('allow two files to import each other’s types', () => {
    const back = importsOf({
      path: 'packages/core/src/b.ts',
      text: "import type { A } from './a.ts'\nexport type { C } from './a.ts'",
    })
    expect(cycles([...arrow('a', 'b'), ...back])).toEqual([])
  })
})

function wrongPackage({ from, to, relative }: Import): readonly string[] {
  const own = packageOf(from)
  const allowed = relative
    ? packageOf(to) === own || (own === 'web' && to.startsWith('packages/node/src/shared/'))
    : own !== 'core' && to !== 'plimsoll' && !to.startsWith('plimsoll/') && !to.startsWith('@plimsoll/web')
  return allowed ? [] : [`${from} -> ${to}`]
}

function undeclared(dependencies: readonly string[]): (one: Import) => readonly string[] {
  return ({ from, to, relative }) => {
    if (relative || packageOf(from) !== 'node' || to.startsWith('node:')) return []
    return dependencies.some((name) => to === name || to.startsWith(`${name}/`)) ? [] : [`${from} -> ${to}`]
  }
}

function wrongFolder({ from, to, relative }: Import): readonly string[] {
  const folders = folderOrders[packageOf(from)]
  if (!relative || folders === undefined || packageOf(to) !== packageOf(from)) return []
  const target = placeOf(to, folders)
  return target >= 0 && target <= placeOf(from, folders) ? [] : [`${from} -> ${to}`]
}

function misplaced(path: string): readonly string[] {
  const folders = folderOrders[packageOf(path)]
  return folders !== undefined && placeOf(path, folders) < 0 ? [path] : []
}

/** The index of a file's innermost listed folder, or -1. */
function placeOf(path: string, folders: readonly string[]): number {
  const within = coreWords.includes(path) ? 'words' : path.split('/').slice(3, -1).join('/')
  const holding = folders.filter((folder) => within === folder || (folder !== '' && within.startsWith(`${folder}/`)))
  return folders.indexOf(holding.toSorted((one, other) => other.length - one.length)[0] ?? '-')
}

/** Each cycle of core once, written from its first file in alphabetical order. */
function cycles(all: readonly Import[]): readonly string[] {
  const targets = new Map<string, string[]>()
  for (const { from, to, relative, typesOnly } of all) {
    if (relative && !typesOnly && packageOf(from) === 'core') targets.set(from, [...(targets.get(from) ?? []), to])
  }
  const found = new Set<string>()
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]): void => {
    const start = trail.indexOf(file)
    if (start >= 0) found.add(describeCycle(trail.slice(start)))
    if (start >= 0 || done.has(file)) return
    for (const target of targets.get(file) ?? []) visit(target, [...trail, file])
    done.add(file)
  }
  for (const file of targets.keys()) visit(file, [])
  return [...found]
}

function describeCycle(files: readonly string[]): string {
  const first = files.indexOf(files.toSorted()[0] as string)
  const turned = [...files.slice(first), ...files.slice(0, first)]
  return [...turned, turned[0] as string].map((path) => path.replace('packages/core/src/', '')).join(' -> ')
}

function packageOf(path: string): string {
  return path.split('/')[1] ?? ''
}

function example(from: string, specifier: string): readonly Import[] {
  return importsOf({ path: from, text: `import { name } from '${specifier}'` })
}

function arrow(from: string, to: string): readonly Import[] {
  return example(`packages/core/src/${from}.ts`, `./${to}.ts`)
}
