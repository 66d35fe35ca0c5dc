import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { programOnPath } from '../../files/program-on-path.ts'
import { openFile } from './write-out.ts'

it.skipIf(process.platform === 'win32')(
  'no program that a cloned repository brings is started: a search, the browser, pipes',
  async () => {
    const root = mkdtempSync(join(tmpdir(), 'plimsoll-path-'))
    onTestFinished(() => rmSync(root, { recursive: true }))
    const [repository, outside] = [join(root, 'repository'), join(root, 'bin')]
    const bin = join(repository, 'node_modules', '.bin')
    mkdirSync(bin, { recursive: true })
    mkdirSync(outside)
    for (const name of ['rg', 'xdg-open', 'mkfifo']) {
      const path = join(bin, name)
      writeFileSync(path, `#!/bin/sh\ntouch ${root}/ran\n`)
      chmodSync(path, 0o755)
      expect(await programOnPath(name, { PATH: `${bin}:node_modules/.bin:` }, repository)).toBeNull()
    }
    expect(await programOnPath('rg', {}, repository)).toBeNull()
    expect(await openFile('page.html', { platform: 'linux', environment: { PATH: bin }, folder: repository })).toBe(false)
    // A link from elsewhere into the repository is the repository's too, one out of it is not used either.
    symlinkSync(join(bin, 'rg'), join(outside, 'rg'))
    symlinkSync(process.execPath, join(bin, 'node'))
    expect(await programOnPath('rg', { PATH: outside }, repository)).toBeNull()
    expect(await programOnPath('node', { PATH: bin }, repository)).toBeNull()
    expect(await programOnPath('node', { PATH: `${bin}:${dirname(process.execPath)}` }, repository)).toBe(process.execPath)
  },
)
