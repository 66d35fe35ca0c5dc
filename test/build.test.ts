import { mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuilt, recordBuild } from '../scripts/build.ts'
import type { Lockfile } from '../scripts/shipped-packages.ts'
import { adapters } from './pack-packages.ts'
import { root } from './source-files.ts'

describe('a build', () => {
  let folder = ''
  const write = (path: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), '')
  }
  const changeAt = (path: string, time: number) => utimesSync(join(folder, path), time, time)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'plimsoll-build-'))
    for (const path of [...built, ...sources]) write(path)
    for (const path of [...sources, ...folders]) changeAt(path, 1000)
    recordBuild(folder, new Date(2_000_000))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('is not repeated if nothing has changed, so that `npm start` after `npm ci` does not build again', () =>
    expect(isBuilt(folder)).toBe(true))

  it.each(sources)('is repeated after a change of %s', (path) => {
    changeAt(path, 3000)
    expect(isBuilt(folder)).toBe(false)
  })

  it('is repeated if a source is removed or added', () => {
    rmSync(join(folder, 'packages/node/src/cli/main.ts'))
    expect(isBuilt(folder)).toBe(false)
  })

  it.each(built)('is repeated if %s is missing', (path) => {
    rmSync(join(folder, path))
    expect(isBuilt(folder)).toBe(false)
  })

  it('is repeated if there was none since `npm ci`', () => {
    rmSync(join(folder, 'node_modules'), { recursive: true })
    expect(isBuilt(folder)).toBe(false)
  })

  it('is repeated if a source changed while it ran', () => {
    changeAt('packages/core/src/index.ts', 2500)
    recordBuild(folder, new Date(2_400_000))
    expect(isBuilt(folder)).toBe(false)
  })

  it('is not repeated after a change of a test', () => {
    write('packages/core/src/index.test.ts')
    changeAt('packages/core/src', 1000)
    expect(isBuilt(folder)).toBe(true)
  })
})

describe('what only tests run', () => {
  it('is not installed by `npm ci`, which `npm start` needs', () => {
    const read = (path: string) => JSON.parse(readFileSync(`${root}/${path}`, 'utf8'))
    const { dependencies, optionalDependencies } = read('test/tools/package.json')
    const names = Object.keys({ ...dependencies, ...optionalDependencies })
    expect(names).toContain('bun')
    const installed = Object.keys((read('package-lock.json') as Lockfile).packages)
    expect(names.filter((name) => installed.includes(`node_modules/${name}`))).toEqual([])
  })
})

const built = [
  'packages/core/dist/index.js',
  'packages/node/dist/bundled/main.js',
  ...adapters.map((name) => `packages/${name}/dist/index.js`),
  'packages/node/dist/bundled/third-party-licences.txt',
  'packages/node/dist/bundled/hook.cjs',
  'plugin/bin/hook.cjs',
  'packages/node/dist/web/index.html',
  'packages/node/dist/web-inspect/inspect.js',
]

const sources = [
  'package-lock.json',
  'tsconfig.base.json',
  'packages/core/package.json',
  'packages/core/src/index.ts',
  'packages/node/src/cli/main.ts',
  ...adapters.map((name) => `packages/${name}/src/index.ts`),
  'packages/web/index.html',
  'packages/web/public/plimsoll.svg',
  'packages/web/src/main.tsx',
  'packages/web/vite.config.ts',
  'scripts/bundle-program.ts',
  'scripts/bundle-plugin.ts',
]

const folders = [
  ...adapters.map((name) => `packages/${name}/src`),
  'packages/core/src',
  'packages/node/src',
  'packages/node/src/cli',
  'packages/web/src',
  'packages/web/public',
]
