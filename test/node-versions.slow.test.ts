import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Lockfile, shippedPackages, withBundled } from '../scripts/shipped-packages.ts'
import { root } from './source-files.ts'

const read = (path: string) => readFileSync(`${root}/${path}`, 'utf8')
const binary = 'packages/node/bin/plimsoll.js'
const needed = /^>=(\d+\.\d+)$/.exec(JSON.parse(read('packages/node/package.json')).engines.node)?.[1] ?? 'none'

describe('the oldest supported Node', () => {
  it.each(['README.md', 'README.zh.md', 'packages/node/README.md'])('is the same in %s as in the package', (path) => {
    const said = [...read(path).matchAll(/Node (\d+\.\d+)/g)].map((match) => match[1])
    expect(said).toEqual([needed])
  })

  it('is the one that the command itself checks for', () => {
    expect(read(binary)).toContain(`needed = [${needed.replace('.', ', ')}]`)
  })

  it('is supported by every shipped package, as are all newer ones', () => {
    const shipped = shippedPackages(withBundled(JSON.parse(read('package-lock.json')) as Lockfile))
    const asked = shipped.flatMap(({ name, engines }) =>
      engines?.['node'] === undefined ? [] : [{ name, range: engines['node'] }],
    )
    expect(asked.length).toBeGreaterThan(50)
    const versions = [`${needed}.0`, '22.99.0', '23.0.0', '24.0.0', '25.0.0', '26.0.0']
    expect(asked.filter(({ range }) => !versions.every((version) => satisfies(version, range)))).toEqual([])
  })

  const older = oldNode()

  // If every Node here is new enough, the binary's own tests use a faked version.
  it.runIf(older !== null)('is named in one line by an older Node on this machine', () => {
    const { status, stdout, stderr } = spawnSync(older?.path ?? '', [join(root, binary), '--version'], { encoding: 'utf8' })
    const sentence = `plimsoll needs Node ${needed} or newer, and this is Node ${older?.version}: install a newer one (https://nodejs.org) and try again.\n`
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: sentence })
  })
})

describe('the Node that runs the repository’s own scripts', () => {
  it('is the pinned one', () => {
    expect(readlinkSync(`${root}/node_modules/.bin/node`)).toBe('../node/bin/node')
  })

  it.each(['package-lock.json', 'test/tools/package-lock.json'])('is supported by every package in %s', (path) => {
    const { packages } = JSON.parse(read(path)) as Lockfile
    const asked = Object.entries(packages).flatMap(([name, { engines }]) =>
      engines?.['node'] === undefined ? [] : [{ name, range: engines['node'] }],
    )
    expect(asked.length).toBeGreaterThan(50)
    expect(asked.filter(({ range }) => !satisfies(process.versions.node, range))).toEqual([])
  })
})

describe('the check of ranges', () => {
  it.each([
    ['22.19.0', '>=22.19.0', true],
    ['22.18.9', '>=22.19.0', false],
    ['22.19.0', '>= 20', true],
    ['19.0.0', '^18.19.0 || >=20.6.0', false],
    ['18.20.0', '^18.19.0 || >=20.6.0', true],
    ['19.1.0', '>=18.20 <19 || >=20.10', false],
    ['16.3.0', '^16 || ^18', true],
    ['10.0.0', '>= 10.x', true],
    ['24.0.0', '*', true],
    ['20.3.0', '20 || >=22', true],
    ['21.0.0', '20 || >=22', false],
    ['11.0.0', '10.* || 12', false],
  ])('decides that %s is in %s: %s', (version, range, is) => expect(satisfies(version, range)).toBe(is))

  it('throws on an unknown form', () => expect(() => satisfies('22.0.0', '1.2.3 - 4')).toThrow('range'))
})

/** The first Node on the path that is too old, if any. */
function oldNode(): { readonly path: string; readonly version: string } | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules'))
  for (const path of folders.map((folder) => join(folder, 'node')).filter((file) => existsSync(file))) {
    const version = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
    if (version !== '' && !satisfies(version, `>=${needed}`)) return { path, version }
  }
  return null
}

/** Whether a version is in a range, in the forms that packages use for Node. */
function satisfies(version: string, range: string): boolean {
  return range.split('||').some((all) => conditions(all).every(([sign, bound]) => holds(sign, numbers(version), numbers(bound))))
}

function conditions(text: string): readonly (readonly [string, string])[] {
  const plain = text.trim()
  if (plain === '*') return []
  // A major version alone is that one and no other.
  if (/^\d+(?:\.[*x])*$/.test(plain)) return [['^', plain.replace(/\D.*/, '')]]
  const parts = [...plain.matchAll(/(>=|<|\^)\s*(\d+(?:\.(?:\d+|[*x]))*)(?=\s|$)/g)]
  if (
    parts
      .map((part) => part[0])
      .join(' ')
      .replaceAll(' ', '') !== plain.replaceAll(' ', '')
  )
    throw new Error(`unknown form of a range: ${text}`)
  return parts.map((part) => [part[1] as string, part[2] as string])
}

function holds(sign: string, version: number, bound: number): boolean {
  if (sign === '<') return version < bound
  return version >= bound && (sign !== '^' || Math.floor(version / 1e8) === Math.floor(bound / 1e8))
}

function numbers(version: string): number {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => (/[*x]/.test(part) ? 0 : Number(part)))
  return major * 1e8 + minor * 1e4 + patch
}
