import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { adapters } from './pack-packages.ts'
import { importsOf, isProductCode, readSources, root, type SourceFile } from './source-files.ts'

/** The exports of `@plimsoll/core`, types last: at most fifty, so that a new one has to be worth it. */
const rootNames = `
  ContextLengthExceededError applyEdits buildView callInput checkView classifyFailure codecs createConversation createEconomyPolicies
  createTrimmer detectCodec economyPolicies estimateTokens handleOf isError modelFacts perItem perList policiesNamed protect recall
  recallTool resultText specPolicies toolResults trimMessages withReportedLimit withShownText

  BuiltView Codec Conversation ConversationOptions ConversationState Edit Facts Message Part PartialConfig Policy Prepared PreparedRequest
  ReplaceEdit Report RequestConversation RequestFacts Timing Tokenizer ToolCallPart ToolResultPart ToolRules
`
  .trim()
  .split(/\s+/)

/** The other entry points of core. */
const subpaths = ['policies', 'wire', 'compaction', 'session', 'bill', 'text', 'spec', 'hosts']

/** The source documents' own names, in `@plimsoll/core/spec`. */
const specNames = [
  'formatToolResultForModel',
  'sanitizeToolResultForHistory',
  'sanitizeToolResultsJson',
  'simplifyHistoricalFileReads',
  'simplifyOutdatedTerminalResults',
  'summarizeToolResult',
  'toolResultsMessage',
  'truncateToolResult',
]

const entries = ['index', ...subpaths].map((name) => `packages/core/dist/${name}.js`)

describe('the built core', () => {
  it('exists: `npm run build` creates it', () => expect(entries.filter((path) => !existsSync(`${root}/${path}`))).toEqual([]))

  it('exports exactly the names listed here, and no more than fifty', () => {
    expect(exportedNames('index').toSorted()).toEqual(rootNames.toSorted())
    expect(rootNames.length).toBeLessThanOrEqual(50)
  })

  it('exports the names of the source documents from its subpath spec', () =>
    expect(namesInNode('@plimsoll/core/spec')).toEqual(specNames))

  it.each(subpaths)('can be imported from its subpath %s by a plain Node program', (name) => {
    expect(namesInNode(`@plimsoll/core/${name}`)).toEqual(expect.arrayContaining([expect.any(String)]))
  })

  it.each(subpaths.filter((name) => name !== 'spec'))(
    'exports from %s only what the documentation or another package uses',
    (name) => {
      const names = exportedNames(name)
      expect(names.length).toBeGreaterThan(0)
      expect(names.filter((one) => !usedNames.has(one))).toEqual([])
    },
  )

  it('imports nothing from outside', () => {
    const imports = reachable(entries).flatMap(importsOf)
    expect(imports.length).toBeGreaterThan(20)
    expect(imports.filter(({ to, relative }) => !relative || !to.startsWith('packages/core/dist/'))).toEqual([])
  })

  it('contains no tests', () => expect(reachable(entries).filter(({ path }) => /\.test\.|\/testing\//.test(path))).toEqual([]))

  it('stays below 335 kB compressed', () => {
    const bytes = gzipSync(
      reachable(entries)
        .map((file) => file.text)
        .join('\n'),
    ).length
    expect(bytes).toBeGreaterThan(10_000)
    expect(bytes).toBeLessThan(335_000)
  })

  it.each(['core', 'node', ...adapters].map((name) => `packages/${name}`))('has its licence in %s', (folder) => {
    expect(readFileSync(`${root}/${folder}/LICENSE`, 'utf8')).toBe(readFileSync(`${root}/LICENSE`, 'utf8'))
  })
})

/** The names, types included, that an entry point of core lists. */
function exportedNames(entry: string): readonly string[] {
  const text = readFileSync(`${root}/packages/core/src/${entry}.ts`, 'utf8')
  return [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => namesIn(list as string))
}

function namesIn(list: string): readonly string[] {
  return list.split(',').flatMap(
    (one) =>
      one
        .trim()
        .replace(/^type /, '')
        .match(/^\w+/) ?? [],
  )
}

/** Every name that the documentation, the examples or product code of another package imports from core. */
const usedNames = new Set(
  ['docs', 'examples', 'packages/node/src', 'packages/web/src', ...adapters.map((name) => `packages/${name}/src`)]
    .flatMap((folder) => readSources(folder, (path) => path.endsWith('.md') || path.endsWith('.tsx') || isProductCode(path)))
    .flatMap(({ text }) => [...text.matchAll(/import (?:type )?\{([^}]*)\} from '@plimsoll\/core(?:\/\w+)?'/g)])
    .flatMap(([, list]) => namesIn(list as string)),
)

/** The exports of a package in a plain Node program, outside this test runner. */
function namesInNode(name: string): unknown {
  const program = `import * as all from ${JSON.stringify(name)}\nconsole.log(JSON.stringify(Object.keys(all)))`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { cwd: root, encoding: 'utf8' })
  return run.status === 0 ? JSON.parse(run.stdout) : run.stderr
}

/** The files that these files load, so that leftovers of an older build do not count. */
function reachable(paths: readonly string[]): readonly SourceFile[] {
  const found = new Map<string, SourceFile>()
  const queue = [...paths]
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (found.has(path)) continue
    const file = { path, text: readFileSync(`${root}/${path}`, 'utf8') }
    found.set(path, file)
    queue.push(...importsOf(file).flatMap(({ to, relative }) => (relative ? [posix.normalize(to)] : [])))
  }
  return [...found.values()]
}
