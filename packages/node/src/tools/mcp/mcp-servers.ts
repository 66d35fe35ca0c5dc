import { estimateTokens } from '@plimsoll/core'
import type { McpServer } from '@plimsoll/core/policies'
import { thrownText } from '../../files/problem.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { type McpConnection, openMcpConnection } from './mcp-connection.ts'
import { type McpAccess, mcpAccessOf, withoutGivenSecrets } from './mcp-process.ts'
import { type McpToolOptions, mcpToolOf } from './mcp-tool.ts'
import { type Definitions, withShortDefinitions } from './short-definitions.ts'

export interface McpOptions extends Pick<ToolContext, 'environment' | 'root' | 'signal'> {
  /** Called with a sentence about what is wrong with a server, at the start and later. */
  readonly onProblem: (sentence: string) => void
  /** Warns the user if the tools need much of it. Default: unknown. */
  readonly contextWindow?: number
  /** How long a server has to list its tools. Default: 10. */
  readonly startSeconds?: number
}

export type McpConnections = Awaited<ReturnType<typeof connectMcpServers>>

/** Starts all servers at once and collects their tools in order. Reports and skips those that fail. Never rejects. */
export async function connectMcpServers(servers: Readonly<Record<string, McpServer>>, options: McpOptions) {
  const started = await Promise.all(Object.entries(servers).map(([name, server]) => startServer(name, server, options)))
  const running = started.filter((server) => server !== null)
  const taken = new Set<string>()
  const definitionsOf = new Map<Tool, Definitions>()
  const full = running.flatMap(({ toolsWith, definitions }) => {
    const offered = toolsWith(taken)
    for (const tool of offered) definitionsOf.set(tool, definitions)
    return offered
  })
  const tools = withShortDefinitions(full, (tool) => definitionsOf.get(tool) ?? 'full')
  const { contextWindow = Number.POSITIVE_INFINITY, onProblem } = options
  // Definitions are part of every request.
  const tokens = tools.reduce((sum, tool) => sum + estimateTokens(definitionText(tool)), 0)
  if (tokens > contextWindow / 4)
    onProblem(
      `MCP servers: the definitions of their ${tools.length} tools take about ${tokens} tokens in every request, over a quarter of the context window (${contextWindow} tokens)`,
    )
  return {
    tools,
    close: async () => void (await Promise.all(running.map((server) => server.close()))),
  }
}

const maxTools = 200
const maxDefinitionBytes = 256 * 1024
const maxProblem = 6000

async function startServer(name: string, server: McpServer, options: McpOptions) {
  const { environment, signal, onProblem } = options
  let clean = (text: string) => text
  const tell = (text: string) => onProblem(`MCP server ${name}: ${clean(text).slice(0, maxProblem)}`)
  try {
    const access = mcpAccessOf(server, environment)
    clean = (text) => withoutGivenSecrets(text, access)
    const { connection, close } = keepConnection(access, options, tell)
    const { tools: offered } = await connection()
    const toolsWith = (taken: Set<string>) => toolsOf(name, server, offered, { taken, connection, clean }, tell)
    return { toolsWith, definitions: server.definitions ?? 'auto', close }
  } catch (error) {
    if (!signal.aborted) tell(`cannot be used: ${thrownText(error)}`)
    return null
  }
}

function toolsOf(
  server: string,
  { allow = [], timeout_seconds: timeoutSeconds = 60 }: McpServer,
  offered: McpConnection['tools'],
  more: Pick<McpToolOptions, 'taken' | 'connection' | 'clean'>,
  tell: (text: string) => void,
): readonly Tool[] {
  if (offered.length > maxTools) tell(`offers ${offered.length} tools; only the first ${maxTools} are used`)
  const used = offered.slice(0, maxTools)
  const unique = used.filter(({ name }, index) => used.findIndex((tool) => tool.name === name) === index)
  const tools: Tool[] = []
  const omitted: string[] = []
  let bytes = 0
  for (const tool of unique) {
    const made = mcpToolOf(tool, { server, allow, timeoutSeconds, ...more })
    if ('reason' in made) {
      tell(made.reason)
      continue
    }
    const size = Buffer.byteLength(definitionText(made))
    if (bytes + size > maxDefinitionBytes) omitted.push(tool.name.slice(0, 100))
    else {
      bytes += size
      tools.push(made)
    }
  }
  if (omitted.length > 0)
    tell(`tools omitted because their definitions exceed ${maxDefinitionBytes} bytes together: ${omitted.join(', ')}`)
  return tools
}

function definitionText({ name, description, inputSchema }: Tool): string {
  return JSON.stringify({ name, description, inputSchema })
}

function keepConnection(access: McpAccess, { root, signal, startSeconds = 10 }: McpOptions, tell: (text: string) => void) {
  let live: McpConnection | null = null
  let opening: Promise<McpConnection> | null = null
  let isClosed = false

  async function open(): Promise<McpConnection> {
    const onEnd = (how: string) => tell(`it went away: ${how}`)
    try {
      live = await openMcpConnection(access, { root, signal, timeLimit: startSeconds * 1000, onEnd })
      return live
    } finally {
      opening = null
    }
  }

  async function connection(): Promise<McpConnection> {
    if (isClosed) throw new Error('the server was ended')
    if (live?.isOver() === false) return live
    // All who ask meanwhile get the same one.
    opening ??= open()
    return opening
  }

  async function close(): Promise<void> {
    isClosed = true
    await opening?.catch(() => null)
    await live?.close()
  }

  signal.addEventListener('abort', () => void close(), { once: true })
  return { connection, close }
}
