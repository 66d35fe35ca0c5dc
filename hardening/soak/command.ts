import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartialConfig } from '@plimsoll/core'

/** Somebody on a machine: a home with settings, and a project to work in. */
export interface User {
  readonly home: string
  readonly project: string
  readonly sessions: string
  /** Where programs put temporary files. */
  readonly temporary: string
  readonly environment: Readonly<Record<string, string>>
}

/** How a process can be asked, or made, to end. */
export type Signal = 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGABRT'

/** How a command is started. */
export interface CommandOptions {
  /** Modules that are loaded before it. */
  readonly preload?: readonly string[]
  /** Descriptors it may have. */
  readonly descriptors?: number
  /** How long its files may become, in blocks of the shell's `ulimit -f`. */
  readonly fileBlocks?: number
  readonly environment?: Readonly<Record<string, string>>
}

/** A command at work. */
export interface RunningCommand {
  readonly pid: number
  readonly isRunning: () => boolean
  readonly stdout: () => string
  readonly stderr: () => string
  /** The first line it prints. Rejects where it ends before. */
  readonly firstLine: Promise<string>
  readonly signal: (name: Signal) => void
  readonly ended: Promise<EndedCommand>
}

/** What a command left. */
export interface EndedCommand {
  readonly code: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** Makes a user whose folders lie in `home`, with these settings; what programs keep lies in `state`. */
export function createUser(home: string, config: PartialConfig, state = join(home, 'state')): User {
  const project = join(home, 'project')
  const temporary = join(home, 'temporary')
  const settings = join(home, 'config', 'plimsoll')
  for (const folder of [project, temporary, settings, state]) mkdirSync(folder, { recursive: true })
  writeFileSync(join(settings, 'config.yaml'), JSON.stringify(config))
  const environment = {
    PATH: process.env['PATH'] ?? '',
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

/** More output than this is not kept. */
const mostKept = 16_000_000

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
  // Nobody need wait for it.
  line.promise.catch(() => undefined)
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    if (stdout.length < mostKept) stdout += piece
    const end = stdout.indexOf('\n')
    if (end >= 0) line.resolve(stdout.slice(0, end))
  })
  child.stderr?.setEncoding('utf8').on('data', (piece: string) => {
    if (stderr.length < mostKept) stderr += piece
  })
  child.on('exit', () => {
    isRunning = false
  })
  const ended = new Promise<EndedCommand>((resolve) => {
    child.on('error', () => resolve({ code: null, signal: null, stdout, stderr }))
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr }))
  })
  void ended.then(({ code, signal }) => line.reject(new Error(`it ended (${code ?? signal}) before it said anything: ${stderr}`)))
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
