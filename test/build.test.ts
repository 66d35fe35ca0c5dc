import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isBuilt, recordBuild } from '../scripts/build.ts'

describe('a build', () => {
  let root = ''
  const write = (path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), '')
  }
  const changeAt = (path: string, time: number) => utimesSync(join(root, path), time, time)

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'plimsoll-build-'))
    for (const path of [...built, ...sources]) write(path)
    for (const path of [...sources, ...folders]) changeAt(path, 1000)
    recordBuild(root, new Date(2_000_000))
  })
  afterEach(() => rmSync(root, { recursive: true, force: true }))

  it('is not repeated if nothing has changed, so that `npm start` after `npm ci` does not build again', () =>
    expect(isBuilt(root)).toBe(true))

  it.each(sources)('is repeated after a change of %s', (path) => {
    changeAt(path, 3000)
    expect(isBuilt(root)).toBe(false)
  })

  it('is repeated if a source is removed or added', () => {
    rmSync(join(root, 'packages/node/src/cli/main.ts'))
    expect(isBuilt(root)).toBe(false)
  })

  it.each(built)('is repeated if %s is missing', (path) => {
    rmSync(join(root, path))
    expect(isBuilt(root)).toBe(false)
  })

  it('is repeated if there was none since `npm ci`', () => {
    rmSync(join(root, 'node_modules'), { recursive: true })
    expect(isBuilt(root)).toBe(false)
  })

  it('is repeated if a source changed while it ran', () => {
    changeAt('packages/core/src/index.ts', 2500)
    recordBuild(root, new Date(2_400_000))
    expect(isBuilt(root)).toBe(false)
  })

  it('is not repeated after a change of a test', () => {
    write('packages/core/src/index.test.ts')
    changeAt('packages/core/src', 1000)
    expect(isBuilt(root)).toBe(true)
  })
})

const built = [
  'packages/core/dist/index.js',
  'packages/node/dist/cli/main.js',
  'packages/node/dist/bundled/third-party-licences.txt',
  'packages/node/dist/web/index.html',
  'packages/node/dist/web-inspect/inspect.js',
]

const sources = [
  'package-lock.json',
  'tsconfig.base.json',
  'packages/core/package.json',
  'packages/core/src/index.ts',
  'packages/node/src/cli/main.ts',
  'packages/web/index.html',
  'packages/web/public/plimsoll.svg',
  'packages/web/src/main.tsx',
  'packages/web/vite.config.ts',
  'scripts/bundle-packages.ts',
]

const folders = ['packages/core/src', 'packages/node/src', 'packages/node/src/cli', 'packages/web/src', 'packages/web/public']
