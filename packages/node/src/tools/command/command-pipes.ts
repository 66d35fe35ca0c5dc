import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { codeOf } from '../../files/trouble.ts'

export interface CommandPipes {
  readonly stdio: readonly [stdout: number | 'pipe', stderr: number | 'pipe']
  /** Returns our ends. Called once the command has its own. */
  readonly connect: (child: ChildProcess) => ConnectedPipes
  /** Called instead of `connect` when there is no command. */
  readonly discard: () => void
}

export interface ConnectedPipes {
  readonly stdout: Readable
  readonly stderr: Readable
  /** The names of the pipes in the system's list of a process's open files; empty if it has no such list. */
  readonly names: readonly string[]
}

/**
 * Makes the pipes for a command: real ones if the system has `mkfifo`. Those that Node makes are sockets, which cannot be opened as
 * `/dev/stderr`, as scripts do. Rejects if too many files are open for either.
 */
export async function openCommandPipes(): Promise<CommandPipes> {
  const opened: number[] = []
  let folder: string | null = null
  const clean = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  const discard = () => {
    for (const descriptor of opened) closeSync(descriptor)
    clean()
  }
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    folder = await mkdtemp(join(tmpdir(), 'plimsoll-pipes-'))
    const [out, err] = [join(folder, 'stdout'), join(folder, 'stderr')]
    await makePipes(out, err)
    // Opening the end that is read never waits like this, and then neither does opening the other.
    const reading = [out, err].map((path) => open(path, constants.O_RDONLY | constants.O_NONBLOCK)) as [number, number]
    const writing = [out, err].map((path) => open(path, constants.O_WRONLY)) as [number, number]
    return {
      stdio: writing,
      connect() {
        for (const descriptor of writing) closeSync(descriptor)
        clean()
        const [stdout, stderr] = reading.map((fd) => new Socket({ fd, readable: true, writable: false })) as [Socket, Socket]
        return { stdout, stderr, names: [`${out} (deleted)`, `${err} (deleted)`] }
      },
      discard,
    }
  } catch (error) {
    discard()
    // Those that Node makes would be left open when the command cannot be started for the same reason.
    if (['EMFILE', 'ENFILE'].includes(codeOf(error) ?? '')) throw error
    return { stdio: ['pipe', 'pipe'], connect: socketsOf, discard: () => undefined }
  }
}

/** Without any stream to it: Node leaves those open if a program cannot be started for want of them. */
function makePipes(...paths: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('mkfifo', ['-m', '600', ...paths], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('there is no mkfifo that works'))))
  })
}

function socketsOf({ stdout, stderr }: ChildProcess): ConnectedPipes {
  if (stdout === null || stderr === null) throw new Error('a command without pipes')
  return { stdout, stderr, names: [] }
}
