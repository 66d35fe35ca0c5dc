import { execFile } from 'node:child_process'
import { lstatSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const run = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))

/** What a user installs, as npm packs and installs it, and what a second build costs that has nothing to do. */
export async function installBench() {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-install-'))
  try {
    const built = await unchangedBuild()
    const { problem } = await install(folder)
    if (problem !== undefined) return { rows: [built], note: `The package could not be installed here: ${problem}` }
    const installed = join(folder, 'node_modules')
    return [
      {
        name: 'plimsoll with its dependencies, packed and installed, on disk',
        value: sizeOf(installed) / 2 ** 20,
        unit: 'MB',
        bound: '< 110 MB',
      },
      { name: 'packages in it', value: packagesIn(installed), unit: '' },
      built,
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function install(folder) {
  try {
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: join(root, 'packages/node') })
    writeFileSync(join(folder, 'package.json'), '{}')
    const options = ['--omit=dev', '--no-audit', '--no-fund', '--prefer-offline']
    await run('npm', ['install', ...options, `./${stdout.trim().split('\n').at(-1)}`], { cwd: folder })
    return {}
  } catch (error) {
    const lines = String(error.stderr || error.message).split('\n')
    return { problem: lines.find((line) => /npm error/.test(line)) ?? lines[0] }
  }
}

/** `npm start` builds first, as `npm ci` has just done. */
async function unchangedBuild() {
  const start = performance.now()
  await run('npm', ['run', '--silent', 'build'], { cwd: root })
  return { name: 'npm run build, when nothing has changed', value: performance.now() - start, unit: 'ms', bound: '< 2000 ms' }
}

/** Bytes of the blocks of a folder, as `du` counts them. */
function sizeOf(path) {
  const entry = lstatSync(path)
  const own = entry.blocks * 512
  return entry.isDirectory() ? readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), own) : own
}

function packagesIn(folder) {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .reduce((count, name) => count + (name.startsWith('@') ? readdirSync(join(folder, name)).length : 1), 0)
}
