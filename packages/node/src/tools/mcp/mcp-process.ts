import { spawn } from 'node:child_process'
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { thrownText } from '../../files/trouble.ts'
import { endProcesses, type ProcessGroup, processGroup } from '../command/process-group.ts'
import type { McpAccess } from './mcp-settings.ts'

/** A program that speaks the protocol over its input and output. */
export interface McpProcess extends Transport {
  /** The last that it wrote to stderr. */
  readonly errors: () => string
  /** How it ended, in words; null while it runs. */
  readonly end: () => string | null
}

/** What of the protocol's library is needed here; it is loaded when the first server is. */
export type Wire = Pick<typeof import('@modelcontextprotocol/client'), 'deserializeMessage' | 'serializeMessage'>

/** What a program is started with. */
export interface McpProcessOptions {
  /** The folder it is started in. */
  readonly root: string
  readonly wire: Wire
  /** Told how many bytes came; throws where they are too many. */
  readonly onBytes: (bytes: number) => void
}

/** The most bytes of one message, and of all that comes between two messages of ours. */
const mostMessageBytes = 32 * 2 ** 20
const mostUnasked = 64 * 2 ** 20
const mostErrors = 4096

/**
 * A program as a transport. It leads a process group of its own, which ends with it. A program that floods us is ended. Nothing it
 * writes to stderr reaches the terminal.
 */
export function createMcpProcess(
  access: McpAccess & { readonly kind: 'process' },
  { root, wire, onBytes }: McpProcessOptions,
): McpProcess {
  const splitter = createLineSplitter(mostMessageBytes)
  let child: ReturnType<typeof spawn> | null = null
  let group: ProcessGroup | null = null
  let errors = Buffer.alloc(0)
  let unasked = 0
  let isFlooding = false
  let end: string | null = null
  let closing: Promise<void> | null = null

  function take(piece: Buffer): void {
    // It may go on while it is being ended.
    if (isFlooding) return
    unasked += piece.byteLength
    try {
      onBytes(piece.byteLength)
      if (unasked > mostUnasked) throw new Error(`it wrote more than ${mostUnasked} bytes that nobody asked for`)
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
      // One line that is no message of the protocol, as from a stray print; the next may be one.
      transport.onerror?.(new Error(thrownText(error)))
    }
  }

  async function start(): Promise<void> {
    const started = spawn(access.command, [...access.args], {
      cwd: root,
      env: { ...access.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      // Leads a group, so that what it starts can be ended with it.
      detached: process.platform !== 'win32',
      windowsHide: true,
    })
    child = started
    if (started.pid !== undefined) group = processGroup(started.pid, [])
    started.stdout?.on('data', take)
    started.stderr?.on('data', (piece: Buffer) => {
      errors = Buffer.from(Buffer.concat([errors, piece]).subarray(-mostErrors))
    })
    for (const stream of [started.stdin, started.stdout, started.stderr]) stream?.on('error', () => undefined)
    started.on('exit', (code, signal) => {
      end ??= signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`
      // What it left behind may hold the pipes open for ever.
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
      await gone(child, politeMilliseconds)
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

/** A program whose input ends has this long to end by itself. */
const politeMilliseconds = 500

function gone(child: ReturnType<typeof spawn>, milliseconds: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds)
    child.once('exit', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Takes bytes in pieces and gives the lines in them. */
interface LineSplitter {
  /** The lines that this piece ends, without their ends. Throws where a line has more bytes than may be. */
  readonly add: (piece: Buffer) => readonly string[]
}

/** A splitter that keeps no more than one line, and looks at every byte once, whatever the pieces. */
export function createLineSplitter(mostBytes: number): LineSplitter {
  let held: Buffer[] = []
  let bytes = 0

  function hold(piece: Buffer): void {
    bytes += piece.byteLength
    if (bytes > mostBytes) {
      held = []
      bytes = 0
      throw new Error(`it wrote a line of more than ${mostBytes} bytes`)
    }
    held.push(piece)
  }

  return {
    add(piece) {
      const lines: string[] = []
      let start = 0
      for (let end = piece.indexOf(newline); end >= 0; end = piece.indexOf(newline, start)) {
        hold(piece.subarray(start, end))
        lines.push(Buffer.concat(held).toString('utf8'))
        held = []
        bytes = 0
        start = end + 1
      }
      if (start < piece.byteLength) hold(piece.subarray(start))
      return lines
    },
  }
}

const newline = 0x0a
