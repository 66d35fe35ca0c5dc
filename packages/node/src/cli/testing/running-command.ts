import { tmpdir } from 'node:os'
import { vi } from 'vitest'
import { run } from '../run.ts'

/** A running command. */
export interface RunningCommand {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Resolves with the output once it has a complete first line. */
  readonly firstLine: () => Promise<string>
  /** Does what Ctrl-C does, and resolves with the exit code. */
  readonly stop: () => Promise<number>
}

/** Starts a command line that runs until it is stopped. */
export function startCommand(args: readonly string[], environment: Readonly<Record<string, string>>): RunningCommand {
  const written = { stdout: '', stderr: '' }
  const stopper = new AbortController()
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: false,
    columns: null,
    patience: 1_000_000_000,
  })
  const ended = run(args, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: (async function* () {})(),
    environment,
    folder: tmpdir(),
    platform: 'linux',
    now: Date.now,
    interrupted: () => stopper.signal,
  })
  return {
    stdout: () => written.stdout,
    stderr: () => written.stderr,
    firstLine: async () => {
      await Promise.race([
        vi.waitUntil(() => written.stdout.includes('\n'), { timeout: 60_000 }),
        ended.then((code) => {
          throw new Error(`ended with ${code}: ${written.stderr}`)
        }),
      ])
      return written.stdout.slice(0, written.stdout.indexOf('\n'))
    },
    stop: () => {
      stopper.abort()
      return ended
    },
  }
}
