import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PartialConfig } from '@plimsoll/core'

/** `plimsoll gateway` as a separate process. */
export interface GatewayProcess {
  readonly url: string
  /** The end of its log so far. */
  readonly log: () => string
  /** Kills it like a crash. */
  readonly kill: () => Promise<void>
  /** Stops it and resolves when it has ended. */
  readonly stop: () => Promise<void>
}

const binary = fileURLToPath(new URL('../../packages/node/bin/plimsoll.js', import.meta.url))

/** Starts the installed command on a free port, for a user with the home folder `home` and only these settings. */
export async function startGatewayProcess(home: string, config: PartialConfig): Promise<GatewayProcess> {
  const folder = join(home, 'config', 'plimsoll')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.yaml'), JSON.stringify(config))
  const child = spawn(process.execPath, [binary, 'gateway', '--json', '--port', '0'], {
    cwd: home,
    env: environmentIn(home),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  let [stdout, stderr] = ['', '']
  child.stderr.on('data', (piece) => {
    stderr = `${stderr}${String(piece)}`.slice(-5000)
  })
  const line = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (piece) => {
      stdout += String(piece)
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')))
    })
    void ended.then(() => reject(new Error(`the gateway exited at once: ${stdout}${stderr}`)))
  })
  const end = async (signal: 'SIGKILL' | 'SIGTERM') => {
    child.kill(signal)
    await ended
  }
  return {
    url: (JSON.parse(line) as { readonly address: string }).address,
    log: () => stderr,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  }
}

/** Runs another command of the same user to its end, with these additional variables. */
export async function runBeside(
  home: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly stdout: string }> {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: home,
    env: { ...environmentIn(home), ...variables },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    stdout += piece
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, stdout }
}

function environmentIn(home: string): Readonly<Record<string, string>> {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
    LANG: 'en_US.UTF-8',
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
  }
}
