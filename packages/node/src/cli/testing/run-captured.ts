import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from '../run.ts'

/** The exit code and output of a command. */
export interface Captured {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Surroundings {
  readonly environment?: Readonly<Record<string, string>>
  /** Columns of a terminal. Default: the output is a pipe. */
  readonly terminal?: number
  readonly stdin?: string
  /** The folder the command is called in. Default: one without a configuration. */
  readonly folder?: string
  /** Aborts like Ctrl-C. Default: never. */
  readonly interrupted?: AbortSignal
}

/** Runs a command line in this process, without the machine's own configuration, and captures its output. */
export async function runCaptured(args: readonly string[], surroundings: Surroundings = {}): Promise<Captured> {
  const { interrupted } = surroundings
  const written = { stdout: '', stderr: '' }
  const output = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text
    },
    isTerminal: surroundings.terminal !== undefined,
    columns: surroundings.terminal ?? null,
    // Omits durations, which depend on the machine.
    patience: 1_000_000_000,
  })
  const nowhere = '/nonexistent'
  const code = await run(args, {
    stdout: output('stdout'),
    stderr: output('stderr'),
    stdin: bytesOf(surroundings.stdin ?? ''),
    environment: { HOME: nowhere, XDG_CONFIG_HOME: nowhere, ...surroundings.environment },
    folder: surroundings.folder ?? nowhere,
    platform: 'linux',
    now: () => Date.parse('2026-01-31T10:00:00Z'),
    ...(interrupted === undefined ? {} : { interrupted: () => interrupted }),
  })
  return { code, ...written }
}

/** A folder that is removed after the test. */
export function createFolder(): {
  readonly path: string
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly remove: () => void
} {
  const path = mkdtempSync(join(tmpdir(), 'plimsoll-'))
  return {
    path,
    write(name, content) {
      const file = join(path, name)
      writeFileSync(file, content)
      return file
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  }
}

/** In chunks that end anywhere, even inside a character, as from a pipe. */
async function* bytesOf(text: string): AsyncIterable<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let start = 0; start < Math.min(bytes.length, maxInPieces); start += pieceLength)
    yield bytes.subarray(start, Math.min(start + pieceLength, maxInPieces))
  if (bytes.length > maxInPieces) yield bytes.subarray(maxInPieces)
}

const pieceLength = 7
const maxInPieces = 700
