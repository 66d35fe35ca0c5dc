import { existsSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from './source-files.ts'

const entry = `${root}/packages/core/dist/index.js`

/** Size limits for bundles of one export, minified and compressed, and the parts of core that they must not contain. */
const cases = [
  { name: 'estimateTokens', kilobytes: 5, without: /strings|wire|policies|compaction|recall|bill/ },
  { name: 'codecs', kilobytes: 16, without: /strings|policies|compaction|recall/ },
  { name: 'trimOutdatedCommands', from: '/policies', kilobytes: 13, without: /wire|compaction|economy|ladder|truncate/ },
  // 27, 61 and 112: edits continue where the last request stopped. 28, 64, 56 and 116: thoughts are omitted that their provider would refuse.
  // 29: results that the user hides. 30: edits before the first change are taken over as they are.
  // 31, 61 and 127: times that servers report. 71: records in brief and tables in blocks.
  // 13, 32, 75, 63 and 132: lists are compared by their common runs, and levels of results decided again only where something has changed.
  { name: 'buildView', kilobytes: 32, without: /wire|policies|economy|ladder|truncate/ },
  // 60 and 106: cuts find records, odd lines and diagnostics. 111: forms that lose nothing. 63 and 115: names of files beside a cut, figures about files by folder, lists inside records.
  // 66, 58 and 120: objects of records, broken JSON and segments of long lines. 68 and 122: several lists in one JSON, logs of names and values, cuts to few characters.
  // 74, 62 and 130: lists in XML and YAML, and numbers far from the others. 133: headings of kept lines.
  { name: 'trimMessages', kilobytes: 75, without: /economy|ladder|anthropic|gemini|ai-sdk|responses/ },
  { name: 'createConversation', kilobytes: 63, without: /economy-policies|spec-policies|ladder/ },
  { name: 'createConversation, codecs, economyPolicies', kilobytes: 133, without: /session\.js|spec-policies/ },
]

describe.runIf(existsSync(entry))('a bundle of one export of core', () => {
  it.each(cases)(
    '$name is smaller than $kilobytes kB and contains no unrelated parts',
    async ({ name, from = '', kilobytes, without }) => {
      const { code, modules } = await bundle(`export { ${name} } from '@plimsoll/core${from}'`)
      expect(code).toContain(`as ${name.split(',')[0]}`)
      expect(modules.filter((path) => without.test(path))).toEqual([])
      expect(gzipSync(code).length / 1000).toBeLessThan(kilobytes)
    },
  )

  it('is empty if core is imported but not used', async () => {
    const { code } = await bundle(
      "import '@plimsoll/core'\nimport '@plimsoll/core/spec'\nimport '@plimsoll/core/hosts'\nimport '@plimsoll/core/text'\nimport '@plimsoll/core/session'",
    )
    expect(code.trim()).toBe('')
  })

  it('contains nothing that only Node has', async () => {
    const { code, modules } = await bundle("export * from '@plimsoll/core'")
    expect(modules.length).toBeGreaterThan(100)
    expect(code.match(/\b(?:require\(|process\.|Buffer\.|from ?["']node:)/g)).toBeNull()
  })
})

interface Rolldown {
  readonly rolldown: (options: object) => Promise<{
    readonly generate: (options: object) => Promise<{ readonly output: readonly [Chunk] }>
    readonly close: () => Promise<void>
  }>
}

interface Chunk {
  readonly code: string
  readonly modules: Readonly<Record<string, { readonly renderedLength: number }>>
}

/** Bundles a module of the repository, and lists the files of core in the bundle. */
async function bundle(source: string): Promise<{ readonly code: string; readonly modules: readonly string[] }> {
  const { rolldown } = (await import(`${root}/node_modules/rolldown/dist/index.mjs`)) as Rolldown
  const input = `${root}/bundled.js`
  const plugin = {
    name: 'source',
    load: (id: string) => (id === input ? source : null),
    resolveId: (id: string) => (id === input ? id : null),
  }
  const built = await rolldown({ input, plugins: [plugin], logLevel: 'silent' })
  try {
    const { code, modules } = (await built.generate({ minify: true })).output[0]
    const used = Object.entries(modules).filter(([path, { renderedLength }]) => renderedLength > 0 && path !== input)
    return { code, modules: used.map(([path]) => path.replace(/^.*\/core\/dist\//, '')) }
  } finally {
    await built.close()
  }
}
