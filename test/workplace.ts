import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { whenOver } from './share-in-file.ts'

/** The installed command. */
const binary = fileURLToPath(new URL('../packages/node/bin/plimsoll.js', import.meta.url))

/** Whether the command is built. */
export const isBuilt = existsSync(join(binary, '../../dist/cli/main.js'))

/** A project with a bug and a failing test. */
export const project = {
  'src/price.mjs': 'export function total(price, count) {\n  // The discount comes later.\n  return price + count\n}\n',
  'test.mjs':
    "import { total } from './src/price.mjs'\nconst failed = total(3, 4) !== 12\nconsole.log(failed ? 'FAIL: expected 12, got ' + total(3, 4) : '1 test passed')\nprocess.exitCode = failed ? 1 : 0\n",
}

/** A working folder without settings or keys, in which the command can be run. */
export interface Workplace {
  readonly folder: string
  /** The folder of all sessions. */
  readonly sessions: string
  readonly environment: Readonly<Record<string, string>>
  readonly read: (path: string) => string
  /** Runs the command to its end. */
  readonly run: (...args: readonly string[]) => Promise<Ended>
  /** Runs an unattended task and returns its events. Throws if it fails. */
  readonly task: (text: string, ...args: readonly string[]) => Promise<readonly JsonEvent[]>
  /** Starts the command, and ends it with the test. */
  readonly start: (...args: readonly string[]) => Running
}

/** A Node, and the command that it runs. */
export interface InstalledCommand {
  readonly node: string
  readonly command: string
}

/** The exit code and output of a finished command. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** An event as a line of JSON. */
export interface JsonEvent {
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

/** A running command. */
export interface Running {
  readonly pid: number
  /** Resolves when the output so far matches. */
  readonly printed: (pattern: RegExp) => Promise<void>
  /** The output so far. */
  readonly text: () => string
  /** Kills it like a crash. */
  readonly kill: () => void
  readonly ended: Promise<Ended>
}

/** Creates a workplace with these files, by path. It is removed after the test, or after the file whose tests share it. */
export function createWorkplace(
  files: Readonly<Record<string, string>>,
  { node, command }: InstalledCommand = { node: process.execPath, command: binary },
): Workplace {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'plimsoll-workplace-')))
  whenOver(() => rmSync(home, { recursive: true, force: true }))
  const folder = join(home, 'project')
  mkdirSync(folder)
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const environment = {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    LANG: 'en_US.UTF-8',
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
    // A plan that is late lets the request through unchanged: on a slow machine, nothing would be trimmed.
    PLIMSOLL_GATEWAY__LIMITS__PLAN_MILLISECONDS: '120000',
  }

  function start(...args: readonly string[]): Running {
    const child = spawn(node, [command, ...args], {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr] = ['', '']
    let look: () => void = () => undefined
    child.stdout.on('data', (piece) => {
      stdout += String(piece)
      look()
    })
    child.stderr.on('data', (piece) => {
      stderr += String(piece)
    })
    const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })))
    whenOver(async () => {
      child.kill('SIGKILL')
      await ended
    })
    return {
      pid: child.pid as number,
      printed: (pattern) =>
        new Promise((resolve, reject) => {
          look = () => {
            if (pattern.test(stdout)) resolve()
          }
          look()
          void ended.then(() => reject(new Error(`the command ended without printing ${String(pattern)}: ${stdout}${stderr}`)))
        }),
      text: () => stdout,
      kill: () => child.kill('SIGKILL'),
      ended,
    }
  }

  return {
    folder,
    sessions: join(home, 'state', 'plimsoll', 'sessions'),
    environment,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    run: (...args) => start(...args).ended,
    async task(text, ...args) {
      const { code, stdout, stderr } = await start('-p', text, '--json', ...args).ended
      if (code !== 0) throw new Error(`exit code ${code}: ${stdout}${stderr}`)
      return stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as JsonEvent)
    },
    start,
  }
}

/** Every file under a folder, by its path in it. */
export function filesUnder(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted()
}
