import { type ChildProcess, spawn } from 'node:child_process'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../../model/server-access.ts'
import { type ConnectedPipes, openCommandPipes } from './command-pipes.ts'
import { endProcesses, type GroupProcess, type ProcessGroup, processesOf, processGroup } from './process-group.ts'

export type StreamName = 'stdout' | 'stderr'

export interface CommandOptions {
  /** The shell's program and the arguments before the command. */
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

/** How a command ended. */
export interface CommandEnd {
  /** `limit`: it took too long; `size`: it wrote too much. */
  readonly kind: 'exited' | 'cancelled' | 'limit' | 'size'
  /** Null when a signal ended it. */
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** The names of processes that still ran when the shell had ended, and were ended. */
  readonly left: readonly string[]
  /** The names of processes that could not be ended. */
  readonly stuck: readonly string[]
}

/**
 * Runs a command in a session of its own, without input, and returns when its shell has ended and nothing of it runs any more:
 * what it leaves running is ended, and so is all of it when the time is up, the signal fires, or it writes too much. Rejects if the
 * shell cannot be started.
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { signal, milliseconds, maxBytes } = options
  const pipes = await openCommandPipes()
  let child: ChildProcess
  try {
    signal.throwIfAborted()
    const [program, ...words] = options.shell
    child = spawn(program, [...words, options.command], {
      cwd: options.folder,
      env: { ...options.environment },
      detached: true,
      stdio: ['ignore', ...pipes.stdio],
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
  const connected = pipes.connect(child)
  const group = processGroup(child.pid, connected.names)
  const stop = new AbortController()
  const reading = readBoth(connected, options.onOutput, (bytes) => bytes > maxBytes && stop.abort('size'))
  const timer = setTimeout(() => stop.abort('limit'), milliseconds)
  const cancel = () => stop.abort('cancelled')
  signal.addEventListener('abort', cancel, { once: true })
  if (signal.aborted) cancel()
  try {
    const ended = await Promise.race([exited, abortOf(stop.signal)])
    if (ended === null) await endProcesses(group)
    // A process that cannot be ended, as one of another user, is not waited for.
    const exit = ended ?? (await Promise.race([exited, sleep(maxWait, unknownExit, { ref: false })]))
    const rest = await endLeftBehind(group, reading)
    await (rest.stuck.length === 0 && connected.names.length > 0
      ? reading.done
      : Promise.race([reading.done, sleep(maxWait, undefined, { ref: false })]))
    const kind = stop.signal.aborted ? (stop.signal.reason as 'limit' | 'size' | 'cancelled') : 'exited'
    return { kind, ...exit, ...rest }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', cancel)
    await reading.end()
  }
}

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

/** Ends what still runs some time after the shell has ended. */
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
    /** Both streams came to their end. */
    closed,
    isOpen: () => isOpen,
    /** They did, and all of it was passed on. */
    done: closed.then(() => chain),
    async end(): Promise<void> {
      for (const stream of streams) stream.destroy()
      await closed
      await chain
    },
  }
}
