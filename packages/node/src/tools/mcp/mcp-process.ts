import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { thrownText } from '../../files/trouble.ts'
import { endProcesses, type ProcessGroup, processGroup } from '../command/process-group.ts'
import { createLineSplitter } from '../read/read-lines.ts'
import type { McpAccess } from './mcp-settings.ts'

/** A program that speaks the protocol over its input and output. */
export interface McpProcess extends Transport {
  /** The last that it wrote to stderr. */
  readonly errors: () => string
  /** How it ended; null while it runs. */
  readonly end: () => string | null
}

export interface McpProcessOptions {
  readonly root: string
  /** The part of the protocol's library that is needed here; it is loaded with the first server. */
  readonly wire: Pick<typeof import('@modelcontextprotocol/client'), 'deserializeMessage' | 'serializeMessage'>
  /** Called with the number of bytes that came; throws if they are too many. */
  readonly onBytes: (bytes: number) => void
}

/** The most bytes of one message, and of all that comes between two messages of ours. */
const maxMessageBytes = 32 * 2 ** 20
const maxUnasked = 64 * 2 ** 20
const maxErrors = 4096
/** Milliseconds that a program has to end on its own when its input ends. */
const politeMilliseconds = 500

/**
 * A program as a transport. It leads its own process group, which ends with it. A program that floods us is ended. Nothing it writes
 * to stderr reaches the terminal.
 */
export function createMcpProcess(
  access: McpAccess & { readonly kind: 'process' },
  { root, wire, onBytes }: McpProcessOptions,
): McpProcess {
  const splitter = createLineSplitter(maxMessageBytes)
  let child: ReturnType<typeof spawn> | null = null
  let group: ProcessGroup | null = null
  let errors = Buffer.alloc(0)
  let unasked = 0
  let isFlooding = false
  let end: string | null = null
  let closing: Promise<void> | null = null

  function take(piece: Buffer): void {
    // It may continue while it is being ended.
    if (isFlooding) return
    unasked += piece.byteLength
    try {
      onBytes(piece.byteLength)
      if (unasked > maxUnasked) throw new Error(`it wrote more than ${maxUnasked} bytes that nobody asked for`)
      for (const line of splitter.add(piece)) receive(line)
    } catch (error) {
      isFlooding = true
      end ??= thrownText(error)
      void close()
    }
  }

  function receive(line: string): void {
    try {
      transport.onmessage?.(wire.deserializeMessage(line))
    } catch (error) {
      // One line may be a stray print; the next can be a message again.
      transport.onerror?.(new Error(thrownText(error)))
    }
  }

  async function start(): Promise<void> {
    const started = spawn(access.command, [...access.args], {
      cwd: root,
      env: { ...access.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Leads a group, so that its children can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child = started
    if (started.pid !== undefined) group = processGroup(started.pid, [])
    started.stdout?.on('data', take)
    started.stderr?.on('data', (piece: Buffer) => {
      errors = Buffer.from(Buffer.concat([errors, piece]).subarray(-maxErrors))
    })
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.on('error', () => undefined)
    started.on('exit', (code, signal) => {
      end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
      // Its children may hold the pipes open forever.
      void close()
    })
    await new Promise<void>((resolve, reject) => {
      started.once('spawn', resolve)
      started.once('error', (error) => {
        end ??= 'it could not be started'
        reject(error)
      })
    })
  }

  function close(): Promise<void> {
    closing ??= ended()
    return closing
  }

  async function ended(): Promise<void> {
    end ??= 'it was closed'
    if (child !== null && group !== null) {
      child.stdin?.end()
      await gone(child)
      await endProcesses(group, { patience: 1000 })
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy()
    }
    transport.onclose?.()
  }

  const transport: McpProcess = {
    start,
    close,
    errors: () => errors.toString('utf8'),
    end: () => end,
    send(message: JSONRPCMessage) {
      unasked = 0
      return new Promise<void>((resolve, reject) => {
        const input = child?.stdin
        if (end !== null || !input?.writable) return reject(new Error(end ?? 'it does not run'))
        input.write(wire.serializeMessage(message), (error) => (error ? reject(error) : resolve()))
      })
    },
  }
  return transport
}

function gone(child: ReturnType<typeof spawn>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, politeMilliseconds)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
