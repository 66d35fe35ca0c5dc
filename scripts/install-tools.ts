/** Installs the programs that only tests run, unless those of this lockfile are already installed. Run by `npm test`. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../test/tools', import.meta.url))
const lockfile = readFileSync(`${folder}/package-lock.json`, 'utf8')

// Written after a complete installation, in a folder that npm removes before it starts another one.
const installed = `${folder}/node_modules/.installed-lockfile.json`

if (!existsSync(installed) || readFileSync(installed, 'utf8') !== lockfile) {
  const { status } = spawnSync('npm', ['--prefix', folder, 'ci', '--no-audit', '--no-fund'], { stdio: 'inherit' })
  if (status === 0) writeFileSync(installed, lockfile)
  process.exitCode = status ?? 1
}
