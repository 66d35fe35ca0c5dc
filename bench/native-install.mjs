import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Git ignores it. Removing it installs everything again. */
const folder = fileURLToPath(new URL('./.native/', import.meta.url))
const python = join(folder, 'python/bin/python')

/** How each peer is installed, in which version, and what is run afterwards. */
const recipes = {
  headroom: {
    version: '0.42.0',
    program: python,
    commands: (version) => [...virtualEnvironment(), [python, '-m', 'pip', 'install', `headroom-ai==${version}`]],
  },
  litellm: {
    version: '1.103.7',
    program: python,
    commands: (version) => [...virtualEnvironment(), [python, '-m', 'pip', 'install', `litellm==${version}`]],
  },
  'context-guru': {
    version: 'da73fed55a4c',
    program: join(folder, 'bin/context-guru-proxy'),
    commands: (version) => [['go', 'install', `github.com/rossoctl/context-guru/cmd/context-guru-proxy@${version}`]],
  },
  rtk: {
    version: '0.16.0',
    program: join(folder, 'bin/rtk'),
    // The package of this name at crates.io is another program.
    commands: (version) => [
      ['cargo', 'install', '--git', 'https://github.com/rtk-ai/rtk', '--tag', `v${version}`, '--locked', '--root', folder],
    ],
  },
}

const maxMinutes = 10

/** The program and version of a peer that `--native` has installed; null otherwise. */
export function installedPeer(name) {
  const { version, program } = recipes[name]
  return existsSync(join(folder, `${name}-${version}.installed`)) && existsSync(program) ? { program, version } : null
}

/** Whether `--native` has tried to install a peer, and could not. */
export function couldNotInstall(name) {
  return existsSync(failedFile(name))
}

function failedFile(name) {
  return join(folder, `${name}-${recipes[name].version}.failed`)
}

/** Installs a peer once. Returns its program and version, or in one line why it cannot be installed here. */
export async function installPeer(name) {
  const { version, program, commands } = recipes[name]
  const known = installedPeer(name)
  if (known !== null) return known
  mkdirSync(folder, { recursive: true })
  process.stderr.write(`installing ${name} ${version} …\n`)
  for (const command of commands(version)) {
    const problem = await problemOf(command)
    if (problem !== null) {
      writeFileSync(failedFile(name), problem)
      return { problem: `not installed here: ${problem}` }
    }
  }
  rmSync(failedFile(name), { force: true })
  writeFileSync(join(folder, `${name}-${version}.installed`), '')
  return { program, version }
}

function virtualEnvironment() {
  return existsSync(python) ? [] : [['python3', '-m', 'venv', join(folder, 'python')]]
}

/** Null if the command succeeds; otherwise the last line that it printed about a problem. */
async function problemOf([program, ...args]) {
  const child = spawn(program, args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: maxMinutes * 60_000,
    env: {
      ...process.env,
      GOBIN: join(folder, 'bin'),
      CGO_ENABLED: '0',
      CARGO_PROFILE_RELEASE_LTO: 'off',
      GIT_TERMINAL_PROMPT: '0',
    },
  })
  let errors = ''
  child.stderr.setEncoding('utf8').on('data', (text) => {
    errors = (errors + text).slice(-4000)
  })
  const [code, signal] = await new Promise((resolve) => {
    child.on('error', ({ message }) => resolve([message]))
    child.on('close', (...both) => resolve(both))
  })
  if (code === 0) return null
  if (typeof code === 'string') return code
  if (signal !== null) return `${program} took longer than ${maxMinutes} minutes`
  const lines = errors.split('\n').filter((line) => line.trim() !== '')
  return (lines.findLast((line) => /error|not |fail|forbidden/i.test(line)) ?? lines.at(-1) ?? `exit code ${code}`)
    .trim()
    .slice(0, 100)
}
