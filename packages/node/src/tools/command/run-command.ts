import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, constants, existsSync, openSync, rmSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { isAbsolute, join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { temporaryFolder } from '../../files/make-folder.ts'
import { codeOf } from '../../files/problem.ts'
import { programOnPath } from '../../files/program-on-path.ts'
import type { Environment } from '../../model/server-access.ts'
import { endWithAgent } from './end-with-agent.ts'
import { endProcesses, type GroupProcess, type ProcessGroup, processesOf, processGroup } from './process-group.ts'

export type StreamName = 'stdout' | 'stderr'

export interface CommandOptions {
  /** The program and the arguments before the command. */
  readonly shell: readonly [program: string, ...words: string[]]
  readonly command: string
  readonly folder: string
  readonly environment: Environment
  readonly milliseconds: number
  readonly maxBytes: number
  readonly signal: AbortSignal
  /** Takes what it writes, in the order in which it arrives. No more is read than this can take. Must not reject. */
  readonly onOutput: (stream: StreamName, bytes: Buffer) => Promise<void> | void
}

export interface CommandEnd {
  /** `limit`: it took too long; `size`: it wrote too much. */
  readonly kind: 'exited' | 'cancelled' | 'limit' | 'size'
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Names of processes that still ran after the shell, and were ended. */
  readonly left: readonly string[]
  readonly stuck: readonly string[]
}

/**
 * Runs a command in its own session, without input, and returns when its shell has ended and nothing of it runs any more. Ends it
 * when the time is up, the signal fires, or it writes too much. Rejects if the shell cannot be started.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { signal, milliseconds, maxBytes } = options
  const pipes = await openCommandPipes(options.folder)
  let child: ChildProcess
  try {
    signal.throwIfAborted()
    // A shell that is not there fails on its own.
    const gate = isAbsolute(options.shell[0]) && existsSync(options.shell[0]) ? pipes.gate : null
    const [program, ...words] = gate === null ? options.shell : ([...gated, ...options.shell] as const)
    child = spawn(program, [...words, options.command], {
      cwd: options.folder,
      env: { ...options.environment },
      detached: true,
      stdio: ['ignore', ...pipes.stdio, ...(gate === null ? [] : [gate])],
    })
  } catch (error) {
    pipes.discard()
    throw error
  }
  const exited = exitOf(child)
  if (child.pid === undefined) {
    // If too many files are open, not even its streams are there.
    pipes.discard()
    return { kind: 'exited', ...(await exited), ...nothingLeft }
  }
  // It starts once it is known to those who end it, if this process should not be able to.
  const release = endWithAgent(child.pid)
  const connected = pipes.connect(child)
  const group = processGroup(child.pid, connected.names)
  const stop = new AbortController()
  const reading = readBoth(connected, options.onOutput, (bytes) => bytes > maxBytes && stop.abort('size'))
  const timer = setTimeout(() => stop.abort('limit'), milliseconds)
  const cancel = () => stop.abort('cancelled')
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const first = await Promise.race([exited, abortOf(stop.signal)])
    if (first === null) await endProcesses(group)
    // A process that cannot be ended, as one of another user, is not waited for.
    const exit = first ?? (await Promise.race([exited, sleep(maxWait, unknownExit, { ref: false })]))
    const rest = await endLeftBehind(group, reading)
    await (rest.stuck.length === 0 && connected.names.length > 0
      ? reading.done
      : Promise.race([reading.done, sleep(maxWait, undefined, { ref: false })]))
    const kind = stop.signal.aborted ? (stop.signal.reason as 'limit' | 'size' | 'cancelled') : 'exited'
    return { kind, ...exit, ...rest }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    release()
    await reading.end()
  }
}

/** Waits for a line from the agent before it becomes the shell. Without the agent none comes, and nothing runs. */
const gated = ['/bin/sh', '-c', 'read -r go <&3 || exit 1; exec 3<&-; exec "$@"', 'sh'] as const

/** Milliseconds that processes have to end on their own after their shell. */
const graceAfter = 500
/** Milliseconds to wait for an end that may never come. */
const maxWait = 2000

type Exit = Pick<CommandEnd, 'exitCode' | 'signal'>
const unknownExit: Exit = { exitCode: null, signal: null }
const nothingLeft = { left: [], stuck: [] } as const

function exitOf(child: ChildProcess): Promise<Exit> {
  const exited = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (exitCode, signal) => resolve({ exitCode, signal }))
  })
  // It may reject before anything waits for it.
  exited.catch(() => undefined)
  return exited
}

function abortOf(signal: AbortSignal): Promise<null> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(null)
    else signal.addEventListener('abort', () => resolve(null), { once: true })
  })
}

async function endLeftBehind(given: ProcessGroup, reading: Reading): Promise<Pick<CommandEnd, 'left' | 'stuck'>> {
  await Promise.race([reading.closed, sleep(50, undefined, { ref: false })])
  // No process holds a pipe that was read to its end, and asking every process is slow.
  const group = () => (reading.isOpen() ? given : { ...given, pipes: [] })
  const patience = performance.now() + graceAfter
  while (processesOf(group()).length > 0 && performance.now() < patience) await sleep(25)
  const left = processesOf(group())
  if (left.length === 0) return nothingLeft
  const stuck = await endProcesses(group())
  return { left: namesOf(left), stuck: namesOf(stuck) }
}

function namesOf(processes: readonly GroupProcess[]): readonly string[] {
  return [...new Set(processes.map(({ name }) => name))].sort()
}

type Reading = ReturnType<typeof readBoth>

/** Bytes that are read ahead of `onOutput`. */
const maxWaiting = 262_144

function readBoth({ stdout, stderr }: ConnectedPipes, onOutput: CommandOptions['onOutput'], onBytes: (total: number) => void) {
  const streams = [stdout, stderr]
  let chain: Promise<void> = Promise.resolve()
  let [waiting, total, isOpen] = [0, 0, true]
  const hand = async (name: StreamName, bytes: Buffer) => {
    await onOutput(name, bytes)
    waiting -= bytes.length
    if (waiting < maxWaiting) for (const stream of streams) stream.resume()
  }
  const follow = (name: StreamName, stream: Readable) =>
    new Promise<void>((resolve) => {
      stream.on('data', (bytes: Buffer) => {
        waiting += bytes.length
        total += bytes.length
        onBytes(total)
        if (waiting >= maxWaiting) for (const each of streams) each.pause()
        chain = chain.then(() => hand(name, bytes))
      })
      stream.once('error', () => resolve())
      stream.once('close', () => resolve())
    })
  const closed = Promise.all([follow('stdout', stdout), follow('stderr', stderr)]).then(() => {
    isOpen = false
  })
  return {
    closed,
    isOpen: () => isOpen,
    /** Both are closed, and all of it was passed on. */
    done: closed.then(() => chain),
    async end(): Promise<void> {
      for (const stream of streams) stream.destroy()
      await closed
      await chain
    },
  }
}

interface CommandPipes {
  readonly stdio: readonly [stdout: number | 'pipe', stderr: number | 'pipe']
  /** What the command waits for before it starts; null if it does not. */
  readonly gate: number | null
  /** Returns our ends. Call once the command has its own. */
  readonly connect: (child: ChildProcess) => ConnectedPipes
  readonly discard: () => void
}

interface ConnectedPipes {
  readonly stdout: Readable
  readonly stderr: Readable
  /** The names of the pipes in the system's list of a process's open files; empty if it has no such list. */
  readonly names: readonly string[]
}

/** Real pipes if possible: those of Node are sockets, which scripts cannot open as `/dev/stderr`. */
async function openCommandPipes(workspace: string): Promise<CommandPipes> {
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
    folder = await temporaryFolder('pipes')
    const [out, err, start] = [join(folder, 'stdout'), join(folder, 'stderr'), join(folder, 'start')]
    await makePipes(workspace, out, err, start)
    // Opening the end that is read never waits like this, and then neither does opening the other.
    const reading = [out, err].map((path) => open(path, constants.O_RDONLY | constants.O_NONBLOCK)) as [number, number]
    const writing = [out, err].map((path) => open(path, constants.O_WRONLY)) as [number, number]
    // Reading has to wait here, so it is opened again once there is a writer.
    const waiting = open(start, constants.O_RDONLY | constants.O_NONBLOCK)
    const opening = open(start, constants.O_WRONLY)
    const gate = open(start, constants.O_RDONLY)
    return {
      stdio: writing,
      gate,
      connect() {
        for (const descriptor of [...writing, gate, waiting]) closeSync(descriptor)
        clean()
        try {
          writeSync(opening, '\n')
        } catch {
          // It has ended already.
        }
        closeSync(opening)
        const [stdout, stderr] = reading.map((fd) => new Socket({ fd, readable: true, writable: false })) as [Socket, Socket]
        return { stdout, stderr, names: [`${out} (deleted)`, `${err} (deleted)`] }
      },
      discard,
    }
  } catch (error) {
    discard()
    // Those that Node makes would be left open when the command cannot be started for the same reason.
    if (['EMFILE', 'ENFILE'].includes(codeOf(error) ?? '')) throw error
    return { stdio: ['pipe', 'pipe'], gate: null, connect: socketsOf, discard: () => undefined }
  }
}

/** Without any stream to it: Node leaves those open if a program cannot be started for want of them. */
async function makePipes(workspace: string, ...paths: readonly string[]): Promise<void> {
  const program = await programOnPath('mkfifo', process.env, workspace)
  return new Promise((resolve, reject) => {
    if (program === null) return reject(new Error('there is no mkfifo'))
    const child = spawn(program, ['-m', '600', ...paths], { stdio: 'ignore' })
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error('there is no mkfifo that works'))))
  })
}

function socketsOf({ stdout, stderr }: ChildProcess): ConnectedPipes {
  if (stdout === null || stderr === null) throw new Error('a command without pipes')
  return { stdout, stderr, names: [] }
}
