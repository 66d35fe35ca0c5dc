import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartialConfig } from '@plimsoll/core'

/** A user: a home folder with settings, and a project folder. */
export interface User {
  readonly home: string
  readonly project: string
  readonly sessions: string
  /** The folder for temporary files. */
  readonly temporary: string
  readonly environment: Readonly<Record<string, string>>
}

/** The signals that end a process. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGABRT'

/** Options for starting a command. */
export interface CommandOptions {
  /** Modules to load before it. */
  readonly preload?: readonly string[]
  /** Limit on open descriptors. */
  readonly descriptors?: number
  /** Limit on file size, in blocks of the shell's `ulimit -f`. */
  readonly fileBlocks?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** A running command. */
export interface RunningCommand {
  readonly pid: number
  readonly isRunning: () => boolean
  readonly stdout: () => string
  readonly stderr: () => string
  /** The first line it prints. Rejects if it ends before. */
  readonly firstLine: Promise<string>
  readonly signal: (name: Signal) => void
  readonly ended: Promise<EndedCommand>
}

/** The outcome of a command. */
export interface EndedCommand {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Creates a user with folders in `home` and these settings; programs store their state in `state`. */
export function createUser(home: string, config: PartialConfig, state = join(home, 'state')): User {
  const project = join(home, 'project')
  const temporary = join(home, 'temporary')
  const settings = join(home, 'config', 'plimsoll')
  for (const folder of [project, temporary, settings, state]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify(config))
  const environment = {
    PATH: process.env['PATH'] ?? '',
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    HOME: home,
    LANG: 'en_US.UTF-8',
    TMPDIR: temporary,
    XDG_STATE_HOME: state,
    XDG_CONFIG_HOME: join(home, 'config'),
    PLIMSOLL_DEBUG: '1',
  }
  return { home, project, temporary, environment, sessions: join(state, 'plimsoll', 'sessions') }
}

const binary = fileURLToPath(new URL('../../packages/node/bin/plimsoll.js', import.meta.url))

/** Output beyond this is dropped. */
const maxOutput = 16_000_000

/** Starts the installed command. */
export function startCommand(user: User, words: readonly string[], options: CommandOptions = {}): RunningCommand {
  const { preload = [], descriptors, fileBlocks } = options
  const limits = [
    ...(descriptors === undefined ? [] : [`ulimit -n ${descriptors}`]),
    ...(fileBlocks === undefined ? [] : [`ulimit -S -f ${fileBlocks}`]),
  ]
  const program = [process.execPath, ...preload.flatMap((path) => ['--import', path]), binary, ...words]
  const child = spawn('/bin/sh', ['-c', [...limits, 'exec "$@"'].join('; '), 'sh', ...program], {
    cwd: user.project,
    env: { ...user.environment, ...options.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  return follow(child)
}

function follow(child: ChildProcess): RunningCommand {
  let [stdout, stderr] = ['', '']
  let isRunning = true
  const line = Promise.withResolvers<string>()
  // Prevents an unhandled rejection if no one awaits it.
  line.promise.catch(() => undefined)
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    if (stdout.length < maxOutput) stdout += piece
    const end = stdout.indexOf('\n')
    if (end >= 0) line.resolve(stdout.slice(0, end))
  })
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (stderr.length < maxOutput) stderr += piece
  })
  child.on('exit', () => {
    isRunning = false
  })
  const ended = new Promise<EndedCommand>((resolve) => {
    child.on('error', () => resolve({ code: null, signal: null, stdout, stderr }))
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  void ended.then(({ code, signal }) =>
    line.reject(new Error(`the command ended (${code ?? signal}) before it printed anything: ${stderr}`)),
  )
  return {
    pid: child.pid ?? 0,
    isRunning: () => isRunning,
    stdout: () => stdout,
    stderr: () => stderr,
    firstLine: line.promise,
    signal: (name) => void child.kill(name),
    ended,
  }
}
