import { estimateTokens } from '@plimsoll/core'
import { type McpServer } from '@plimsoll/core/policies'
import { thrownText } from '../../files/trouble.ts'
import type { Environment } from '../../model/server-access.ts'
import type { Tool } from '../tool.ts'
import { type McpConnection, openMcpConnection } from './mcp-connection.ts'
import { type McpAccess, mcpAccessOf, withoutGivenSecrets } from './mcp-settings.ts'
import { type McpToolOptions, mcpToolOf } from './mcp-tool.ts'

/** The servers of tools that answered. */
export interface McpConnections {
  readonly tools: readonly Tool[]
  /** Ends all servers, and whatever they started. Never rejects. */
  readonly close: () => Promise<void>
}

/** What servers are started with. */
export interface McpOptions {
  /** Where variables that the settings name are looked up. */
  readonly environment: Environment
  /** The folder that programs are started in. */
  readonly root: string
  /** Ends the connecting, and the servers. */
  readonly signal: AbortSignal
  /** Told in a sentence what is wrong with a server, at the start and later. */
  readonly onTrouble: (sentence: string) => void
  /** The tokens that a model takes: where the tools need much of them, that is told. Default: nobody knows. */
  readonly contextWindow?: number
  /** How long a server has until it has said what it offers. Default: 10. */
  readonly startSeconds?: number
}

/**
 * Starts all servers at once and collects their tools, in the order of the settings. A server that does not start, or goes away
 * later, is told about and left out; the others go on. Never rejects.
 */
export async function connectMcpServers(
  servers: Readonly<Record<string, McpServer>>,
  options: McpOptions,
): Promise<McpConnections> {
  const started = await Promise.all(Object.entries(servers).map(([name, server]) => startServer(name, server, options)))
  const running = started.filter((server) => server !== null)
  const taken = new Set<string>()
  const tools = running.flatMap((server) => server.toolsWith(taken))
  const heavy = windowTrouble(tools, options.contextWindow)
  if (heavy !== null) options.onTrouble(heavy)
  return {
    tools,
    async close() {
      await Promise.all(running.map((server) => server.close()))
    },
  }
}

interface RunningServer {
  readonly toolsWith: (taken: Set<string>) => readonly Tool[]
  readonly close: () => Promise<void>
}

const mostTools = 200
const mostDefinitionBytes = 256 * 1024

function definitionText({ name, description, inputSchema }: Tool): string {
  return JSON.stringify({ name, description, inputSchema })
}

/** Definitions go along with every request. */
function windowTrouble(tools: readonly Tool[], contextWindow = Number.POSITIVE_INFINITY): string | null {
  const tokens = tools.reduce((sum, tool) => sum + estimateTokens(definitionText(tool)), 0)
  if (tokens <= contextWindow / 4) return null
  return `MCP servers: their ${tools.length} tools take about ${tokens} tokens of every request, more than a quarter of the window of ${contextWindow}`
}

async function startServer(name: string, server: McpServer, options: McpOptions): Promise<RunningServer | null> {
  const { environment, signal, onTrouble } = options
  let clean = (words: string) => words
  const tell = (words: string) => onTrouble(`MCP server ${name}: ${clean(words).slice(0, longestTrouble)}`)
  try {
    const access = mcpAccessOf(server, environment)
    clean = (words) => withoutGivenSecrets(words, access)
    const keeper = keepConnection(access, options, tell)
    const { tools: offered } = await keeper.connection()
    const { connection, close } = keeper
    return { toolsWith: (taken) => toolsOf(name, server, offered, { taken, connection, clean }, tell), close }
  } catch (error) {
    if (!signal.aborted) tell(`it cannot be used: ${thrownText(error)}`)
    return null
  }
}

const longestTrouble = 6000

function toolsOf(
  server: string,
  { allow = [], timeout_seconds: timeoutSeconds = 60 }: McpServer,
  offered: McpConnection['tools'],
  more: Pick<McpToolOptions, 'taken' | 'connection' | 'clean'>,
  tell: (words: string) => void,
): readonly Tool[] {
  if (offered.length > mostTools) tell(`it offers ${offered.length} tools; the first ${mostTools} are used`)
  const used = offered.slice(0, mostTools)
  const unique = used.filter(({ name }, index) => used.findIndex((tool) => tool.name === name) === index)
  const tools: Tool[] = []
  const leftOut: string[] = []
  let bytes = 0
  for (const tool of unique) {
    const made = mcpToolOf(tool, { server, allow, timeoutSeconds, ...more })
    if ('reason' in made) {
      tell(made.reason)
      continue
    }
    const size = Buffer.byteLength(definitionText(made))
    if (bytes + size > mostDefinitionBytes) {
      leftOut.push(tool.name.slice(0, 100))
      continue
    }
    bytes += size
    tools.push(made)
  }
  if (leftOut.length > 0)
    tell(
      `${leftOut.length} of its tools are left out, as all together have more than ${mostDefinitionBytes} bytes: ${leftOut.join(', ')}`,
    )
  return tools
}

/** Keeps one connection, and makes a new one when it is asked for after the server went away. */
function keepConnection(access: McpAccess, options: McpOptions, tell: (words: string) => void) {
  const { root, signal: life, startSeconds = 10 } = options
  let live: McpConnection | null = null
  let opening: Promise<McpConnection> | null = null
  let isClosed = false

  async function open(): Promise<McpConnection> {
    try {
      live = await openMcpConnection(access, {
        root,
        signal: life,
        timeLimit: startSeconds * 1000,
        onEnd: (how) => tell(`it went away: ${how}`),
      })
      return live
    } finally {
      opening = null
    }
  }

  async function connection(): Promise<McpConnection> {
    if (isClosed) throw new Error('the server was ended')
    if (live?.isOver() === false) return live
    // Whoever else asks meanwhile gets the same one.
    opening ??= open()
    return opening
  }

  async function close(): Promise<void> {
    isClosed = true
    await opening?.catch(() => null)
    await live?.close()
  }

  life.addEventListener('abort', () => void close(), { once: true })
  return { connection, close }
}
