import type { Client, Tool as McpTool, Transport } from '@modelcontextprotocol/client'
import { thrownText } from '../../files/trouble.ts'
import { createBoundedFetch } from '../../model/bounded-fetch.ts'
import { within } from '../work-limits.ts'
import { createMcpProcess, type McpProcess } from './mcp-process.ts'
import type { McpAccess } from './mcp-settings.ts'

/** A server that answers. */
export interface McpConnection {
  readonly client: Client
  readonly tools: readonly McpTool[]
  /** Whether the server went away by itself, or was given up. */
  readonly isOver: () => boolean
  /** Does not use it any more: the next call needs another connection. */
  readonly giveUp: () => void
  /** Ends it, processes included. Never rejects. */
  readonly close: () => Promise<void>
}

/** What a connection is made with. */
export interface McpConnectionOptions {
  readonly root: string
  readonly signal: AbortSignal
  /** Milliseconds until the server must have said what it offers. */
  readonly timeLimit: number
  /** Told once when the server goes away by itself, with how it ended. */
  readonly onEnd: (how: string) => void
}

/** Starts or calls a server and asks for its tools. Rejects with words about what went wrong; nothing is left running then. */
export async function openMcpConnection(access: McpAccess, options: McpConnectionOptions): Promise<McpConnection> {
  if (access.kind === 'process') return overProcess(access, options)
  const { StreamableHTTPClientTransport, SSEClientTransport, SdkHttpError } = await import('@modelcontextprotocol/client')
  const url = new URL(access.url)
  const limit = createByteLimit(mostStartBytes, atStart)
  const watch = () => ({ onRequest: nothing, onResponse: nothing, onPiece: (piece: Uint8Array) => limit.add(piece.byteLength) })
  const settings = {
    requestInit: { headers: { ...access.headers } },
    fetch: createBoundedFetch({ mostBytes: mostAnswerBytes, watch }),
  }
  try {
    const transport = new StreamableHTTPClientTransport(url, { ...settings, reconnectionOptions: reconnecting })
    return await connected(transport, limit, options, async () => {
      await transport.terminateSession()
    })
  } catch (error) {
    // Servers of the older kind refuse the newer way of asking, and nothing else tells them apart.
    if (!(error instanceof SdkHttpError) || ![400, 404, 405].includes(error.status)) throw error
    return connected(new SSEClientTransport(url, settings), limit, options)
  }
}

const mostAnswerBytes = 64 * 2 ** 20
/** Of all that a server sends until it has said what it offers: a list in many pieces is held as a whole. */
const mostStartBytes = 4 * 2 ** 20
const mostPages = 200
const atStart = 'before it had said what it offers'
const nothing = () => undefined
const reconnecting = {
  maxRetries: 2,
  initialReconnectionDelay: 500,
  maxReconnectionDelay: 5000,
  reconnectionDelayGrowFactor: 2,
}

async function overProcess(access: McpAccess & { readonly kind: 'process' }, options: McpConnectionOptions) {
  const wire = await import('@modelcontextprotocol/client')
  const limit = createByteLimit(mostStartBytes, atStart)
  const program = createMcpProcess(access, { root: options.root, wire, onBytes: limit.add })
  const onEnd = (how: string) => options.onEnd(withErrors(how, program))
  try {
    return await connected(program, limit, { ...options, onEnd }, undefined, () => program.end())
  } catch (error) {
    options.signal.throwIfAborted()
    throw new Error(withErrors(reasonOf(error, program), program), { cause: error })
  }
}

async function connected(
  transport: Transport,
  limit: ByteLimit,
  { signal, timeLimit, onEnd }: McpConnectionOptions,
  leave?: () => Promise<void>,
  how: () => string | null = () => null,
): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'plimsoll', version: '1' }, { capabilities: {}, listMaxPages: mostPages })
  let isClosing = false
  let isOver = false

  async function close(): Promise<void> {
    isClosing = true
    if (leave !== undefined && !isOver) await within(1000, new AbortController().signal, leave).catch(() => undefined)
    await client.close().catch(() => undefined)
    // A client that never got as far does not know its transport.
    await transport.close().catch(() => undefined)
  }

  try {
    const tools = await within(timeLimit, AbortSignal.any([signal, limit.signal]), async (either) => {
      const request = { signal: either, timeout: timeLimit * 2 }
      await client.connect(transport, request)
      // Asked for what it does not have, the library writes to the terminal.
      if (client.getServerCapabilities()?.tools === undefined) return []
      return (await client.listTools(undefined, request)).tools
    })
    limit.lift()
    const ended = () => {
      isOver = true
      if (!isClosing) onEnd(how() ?? 'the connection was closed')
    }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    client.onclose = ended
    // It may have gone away between its answer and here.
    if (how() !== null) ended()
    const giveUp = () => {
      isOver = true
      void close()
    }
    return { client, tools, isOver: () => isOver, giveUp, close }
  } catch (error) {
    await close()
    throw error
  }
}

function reasonOf(error: unknown, program: McpProcess): string {
  const end = program.end()
  const words = thrownText(error)
  return end === null || end === 'it was closed' || end === words ? words : `${end} (${words})`
}

function withErrors(words: string, program: McpProcess): string {
  const errors = program.errors().trim()
  return errors === '' ? words : `${words}; its last words: ${errors}`
}

/** Counts bytes for as long as they are limited. */
interface ByteLimit {
  /** Throws where it is one too many. */
  readonly add: (bytes: number) => void
  /** Fires with the same error: not everybody who reads hears of what was thrown. */
  readonly signal: AbortSignal
  /** From now on any number is fine. */
  readonly lift: () => void
}

/** A limit on all the bytes that somebody sends up to a point, which the error names after their number. */
function createByteLimit(mostBytes: number, upTo: string): ByteLimit {
  const over = new AbortController()
  let bytes = 0
  let isLifted = false
  return {
    add(more) {
      if (isLifted) return
      bytes += more
      if (bytes > mostBytes) over.abort(new Error(`it sent more than ${mostBytes} bytes ${upTo}`))
      over.signal.throwIfAborted()
    },
    signal: over.signal,
    lift() {
      isLifted = true
    },
  }
}
