import { type ChildProcess, execFile } from 'node:child_process'
import { closeSync, constants, openSync, rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

/** The pipes that a command writes to. */
export interface CommandPipes {
  /** What the command gets as its stdout and stderr. */
  readonly stdio: readonly [stdout: number | 'pipe', stderr: number | 'pipe']
  /** To be called once the command has its ends: gives ours. */
  readonly connect: (child: ChildProcess) => ConnectedPipes
  /** To be called in place of `connect` when there is no command. */
  readonly discard: () => void
}

/** The ends that are read. */
export interface ConnectedPipes {
  readonly stdout: Readable
  readonly stderr: Readable
  /** What the system calls the pipes where it lists the open files of a process; empty where it does not. */
  readonly names: readonly string[]
}

/**
 * Makes the pipes for a command. They are real ones where the system has `mkfifo`: those that Node makes are sockets, which cannot
 * be opened as `/dev/stderr`, as scripts do.
 */
export async function openCommandPipes(): Promise<CommandPipes> {
  const opened: number[] = []
  let folder: string | null = null
  const clean = () => {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
  const open = (path: string, flags: number): number => {
    const descriptor = openSync(path, flags)
    opened.push(descriptor)
    return descriptor
  }
  try {
    folder = await mkdtemp(join(tmpdir(), 'plimsoll-pipes-'))
    const [out, err] = [join(folder, 'stdout'), join(folder, 'stderr')]
    await promisify(execFile)('mkfifo', ['-m', '600', out, err])
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
      discard() {
        for (const descriptor of opened) closeSync(descriptor)
        clean()
      },
    }
  } catch {
    for (const descriptor of opened) closeSync(descriptor)
    clean()
    return { stdio: ['pipe', 'pipe'], connect: socketsOf, discard: () => undefined }
  }
}

function socketsOf({ stdout, stderr }: ChildProcess): ConnectedPipes {
  if (stdout === null || stderr === null) throw new Error('a command without pipes')
  return { stdout, stderr, names: [] }
}
