import type { Client, Tool as McpTool, Transport } from '@modelcontextprotocol/client'
import { thrownText } from '../../files/problem.ts'
import { createBoundedFetch } from '../../model/bounded-fetch.ts'
import { within } from '../work-limits.ts'
import { createMcpProcess, type McpAccess, type McpProcess } from './mcp-process.ts'

export interface McpConnection {
  readonly client: Client
  readonly tools: readonly McpTool[]
  readonly isOver: () => boolean
  /** How it ended on its own, if that is known. */
  readonly how: () => string | null
  /** Stops using it: the next call needs another connection. */
  readonly giveUp: () => void
  /** Ends it, processes included. Never rejects. */
  readonly close: () => Promise<void>
}

export interface McpConnectionOptions {
  readonly root: string
  readonly signal: AbortSignal
  readonly timeLimit: number
  /** Called once when the server goes away on its own, with how it ended. */
  readonly onEnd: (how: string) => void
}

/** Starts or calls a server and asks for its tools. If that fails, it rejects with the reason and nothing is left running. */
export async function openMcpConnection(access: McpAccess, options: McpConnectionOptions): Promise<McpConnection> {
  if (access.kind === 'process') return overProcess(access, options)
  const { StreamableHTTPClientTransport, SSEClientTransport, SdkHttpError } = await import('@modelcontextprotocol/client')
  const url = new URL(access.url)
  const limit = createStartLimit()
  const watch = () => ({ onRequest: nothing, onResponse: nothing, onPiece: (piece: Uint8Array) => limit.add(piece.byteLength) })
  const settings = {
    requestInit: { headers: { ...access.headers } },
    fetch: createBoundedFetch({ maxBytes: maxAnswerBytes, watch }),
  }
  try {
    const transport = new StreamableHTTPClientTransport(url, { ...settings, reconnectionOptions: { maxRetries: 2, ...delays } })
    return await connected(transport, limit, options, { leave: () => transport.terminateSession() })
  } catch (error) {
    // Servers of the older kind refuse the newer way of asking, and nothing else tells them apart.
    if (!(error instanceof SdkHttpError) || ![400, 404, 405].includes(error.status)) throw error
    return connected(new SSEClientTransport(url, settings), limit, options)
  }
}

const maxAnswerBytes = 64 * 2 ** 20
/** Of all that a server sends until it has listed its tools: a list in many pieces is held in memory. */
const maxStartBytes = 4 * 2 ** 20
const maxPages = 200
const nothing = () => undefined
const delays = { initialReconnectionDelay: 500, maxReconnectionDelay: 5000, reconnectionDelayGrowFactor: 2 }

async function overProcess(access: McpAccess & { readonly kind: 'process' }, options: McpConnectionOptions) {
  const wire = await import('@modelcontextprotocol/client')
  const limit = createStartLimit()
  const program = createMcpProcess(access, { root: options.root, wire, onBytes: limit.add })
  const onEnd = (how: string) => options.onEnd(withErrors(how, program))
  try {
    return await connected(program, limit, { ...options, onEnd }, { how: () => program.end() })
  } catch (error) {
    options.signal.throwIfAborted()
    const [end, text] = [program.end(), thrownText(error)]
    const isKnown = end === null || end === 'it was closed' || end === text
    throw new Error(withErrors(isKnown ? text : `${end} (${text})`, program), { cause: error })
  }
}

async function connected(
  transport: Transport,
  limit: ReturnType<typeof createStartLimit>,
  { signal, timeLimit, onEnd }: McpConnectionOptions,
  { leave, how = () => null }: { readonly leave?: () => Promise<void>; readonly how?: () => string | null } = {},
): Promise<McpConnection> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'plimsoll', version: '1' }, { capabilities: {}, listMaxPages: maxPages })
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
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is not an event target
    client.onclose = ended
    // It may have gone away between its answer and here.
    if (how() !== null) ended()
    const giveUp = () => {
      isOver = true
      void close()
    }
    return { client, tools, isOver: () => isOver, how: () => (isClosing ? null : how()), giveUp, close }
  } catch (error) {
    await close()
    throw error
  }
}

function withErrors(text: string, program: McpProcess): string {
  const errors = program.errors().trim()
  return errors === '' ? text : `${text}; its last words: ${errors}`
}

function createStartLimit() {
  const over = new AbortController()
  let bytes = 0
  let isLifted = false
  return {
    add: (more: number): void => {
      if (isLifted) return
      bytes += more
      if (bytes > maxStartBytes)
        over.abort(new Error(`it sent more than ${maxStartBytes} bytes before it had said what it offers`))
      over.signal.throwIfAborted()
    },
    /** Fires with the same error: not every reader passes on what was thrown. */
    signal: over.signal,
    lift: (): void => {
      isLifted = true
    },
  }
}
