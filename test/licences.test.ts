import { existsSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { builtInLicences, installedLicences, isAllowed, licencesPage, readLicences } from '../scripts/licences.ts'
import { billOfMaterials } from '../scripts/sbom.ts'
import { type Lockfile, shippedPackages, withBundled } from '../scripts/shipped-packages.ts'
import { root } from './source-files.ts'

const lock = JSON.parse(readFileSync(`${root}/package-lock.json`, 'utf8')) as Lockfile
const shipped = shippedPackages(lock)
const notices = `${root}/packages/node/dist/web/third-party-licences.txt`
const bundledNotices = `${root}/packages/node/dist/bundled/third-party-licences.txt`

describe('a dependency of plimsoll', () => {
  it('is found', () => {
    const names = new Set(shipped.map(({ name }) => name))
    expect(['undici', 'react', '@vscode/ripgrep-linux-x64'].filter((name) => !names.has(name))).toEqual([])
    expect(['vitest', 'typescript', 'vite', '@types/react', 'ink', 'ai'].filter((name) => names.has(name))).toEqual([])
  })

  it('has a licence that requires no more than a notice', () => {
    expect(installedLicences(lock).filter(({ licence }) => !isAllowed(licence))).toEqual([])
  })

  it('has no install script, whether it is installed or built in', () => {
    const all = shippedPackages(withBundled(lock))
    expect(all.length).toBeGreaterThan(shipped.length)
    expect(all.filter(({ hasInstallScript }) => hasInstallScript === true).map(({ name }) => name)).toEqual([])
  })

  it('is not deprecated, nor is anything that builds or tests it', () => {
    const all = Object.entries(lock.packages)
    expect(all.filter(([, { deprecated }]) => deprecated !== undefined).map(([folder]) => folder)).toEqual([])
  })

  it('is pinned by an integrity hash', () => {
    const loose = shippedPackages(withBundled(lock)).filter(
      ({ name, integrity }) => !name.startsWith('@plimsoll/') && integrity?.startsWith('sha512-') !== true,
    )
    expect(loose.map(({ name }) => name)).toEqual([])
  })
})

describe('the bill of materials', () => {
  const page = readFileSync(`${root}/docs/licences.md`, 'utf8')
  const bill = billOfMaterials(lock, page, '1.2.3')

  it('has every package that ships, with its licence and the hash of its content', () => {
    const named = new Map(bill.components.map((component) => [`${component.name} ${component.version}`, component]))
    for (const { name, version, integrity } of shippedPackages(lock)) {
      const component = named.get(`${name} ${version}`)
      expect(component, name).toBeDefined()
      if (name.startsWith('@plimsoll/')) continue
      expect(component?.licenses, name).toHaveLength(1)
      const hash = Buffer.from(component?.hashes?.[0]?.content ?? '', 'hex').toString('base64')
      expect(`sha512-${hash}`, name).toBe(integrity)
    }
  })

  it('has what is built into the web app and the command', () => {
    const named = new Set(bill.components.map(({ name, version }) => `${name} ${version}`))
    const rows = [...page.matchAll(/^\| (\S+) \| (\d\S*) \|/gm)].map(([, name = '', version]) => `${name} ${version}`)
    expect(rows.length).toBeGreaterThan(20)
    // Builds of one program for several systems are one row.
    expect(rows.filter((row) => !row.includes('-* ') && !named.has(row))).toEqual([])
    expect(bill.components.some(({ description }) => description === 'built into plimsoll')).toBe(true)
  })

  it('says the same each time, and names no registry', () => {
    expect(JSON.stringify(bill)).toBe(JSON.stringify(billOfMaterials(lock, page, '1.2.3')))
    expect(JSON.stringify(bill)).not.toMatch(/https?:/)
    expect(new Set(bill.components.map((component) => component['bom-ref'])).size).toBe(bill.components.length)
  })
})

describe.runIf(existsSync(notices) && existsSync(bundledNotices))('a package built into the web app or the command', () => {
  const { installed, builtIn, bundled } = readLicences(root)

  it('is listed in docs/licences.md: `npm run docs:licences` updates it', () => {
    expect(readFileSync(`${root}/docs/licences.md`, 'utf8')).toBe(licencesPage({ installed, builtIn, bundled }))
  })

  it('has a licence that requires no more than a notice', () => {
    expect(builtIn.map(({ name }) => name)).toEqual(expect.arrayContaining(['marked', 'react', 'react-dom']))
    expect(bundled.map(({ name }) => name)).toEqual(expect.arrayContaining(['ai', 'ink', 'gpt-tokenizer', 'web-tree-sitter']))
    expect([...builtIn, ...bundled].filter(({ licence }) => !isAllowed(licence))).toEqual([])
  })

  it('ships with the text of its licence, as a file and inside the script of exported pages', () => {
    const file = readFileSync(notices, 'utf8')
    const script = readFileSync(`${root}/packages/node/dist/web-inspect/inspect.js`, 'utf8')
    const inScript = script.slice(0, script.indexOf('*/'))
    expect(script.startsWith('/*!\n')).toBe(true)
    for (const text of [file, inScript, readFileSync(bundledNotices, 'utf8')]) {
      const parts = text.split(/^={78}\n/m).slice(1)
      expect(parts.length).toBeGreaterThan(5)
      expect(parts.filter((part) => !/copyright|public domain/i.test(part))).toEqual([])
    }
    expect(builtInLicences(inScript).filter((one) => !file.includes(`${one.name} ${one.version} (${one.licence})`))).toEqual([])
  })
})

describe('the rules of the list', () => {
  it.each([
    ['MIT', true],
    ['(AFL-2.1 OR BSD-3-Clause)', true],
    ['MIT AND ISC', true],
    ['MIT AND GPL-3.0', false],
    ['GPL-3.0 OR AGPL-3.0', false],
    ['(MIT OR (GPL-3.0 AND ISC))', false],
    ['unknown', false],
    ['', false],
  ])('allows %s: %s', (licence, allowed) => expect(isAllowed(licence)).toBe(allowed))

  it('finds packages as Node does, nested ones first, with one row for all builds of a program', () => {
    const packages = {
      'packages/node': { dependencies: { one: '1', '@plimsoll/core': '1' }, optionalDependencies: { 'tool-linux-x64': '1' } },
      'packages/node/node_modules/one': {
        version: '2.0.0',
        license: 'ISC',
        dependencies: { '@scope/two': '1' },
        peerDependencies: { three: '*' },
      },
      'node_modules/one': { version: '1.0.0', license: 'GPL-3.0' },
      'node_modules/@scope/two': {
        version: '1.0.0',
        peerDependencies: { absent: '*' },
        peerDependenciesMeta: { absent: { optional: true } },
      },
      'node_modules/three': { version: '3.0.0', license: 'MIT' },
      'node_modules/tool-linux-x64': { version: '1.0.0', license: 'MIT', os: ['linux'] },
      'node_modules/@plimsoll/core': { link: true, resolved: 'packages/core' },
      'packages/core': { version: '0.1.0' },
    }
    expect(installedLicences({ packages })).toEqual([
      { name: '@scope/two', version: '1.0.0', licence: 'unknown' },
      { name: 'one', version: '2.0.0', licence: 'ISC' },
      { name: 'three', version: '3.0.0', licence: 'MIT' },
      { name: 'tool-*', version: '1.0.0', licence: 'MIT' },
    ])
  })

  it('throws on a missing package', () => {
    expect(() => shippedPackages({ packages: { 'packages/node': { dependencies: { gone: '1' } } } })).toThrow(
      'package-lock.json has nothing in packages/node/node_modules/gone',
    )
  })
})
