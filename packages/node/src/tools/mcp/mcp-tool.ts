import type { Tool as McpTool } from '@modelcontextprotocol/client'
import { handleOf, isRecord } from '@plimsoll/core'
import { thrownText } from '../../files/thrown-text.ts'
import { failed, type Tool, type ToolContext } from '../tool.ts'
import { TimeLimitError, within } from '../within.ts'
import type { McpConnection } from './mcp-connection.ts'
import { mcpOutcome } from './mcp-result.ts'

/** Whose tool it is, and how it is called. */
export interface McpToolOptions {
  readonly server: string
  /** Tools that run without asking, by the server's own names for them. */
  readonly allow: readonly string[]
  readonly timeoutSeconds: number
  /** The server, started again where it went away. Rejects with words where it cannot be had. */
  readonly connection: () => Promise<McpConnection>
  /** Names that are taken; that of the new tool is added. */
  readonly taken: Set<string>
  /** Takes the secrets that the server was given out of what it says. */
  readonly clean: (text: string) => string
}

/** A server's tool as one of ours, or why it cannot be one. */
export function mcpToolOf(offered: McpTool, options: McpToolOptions): Tool | { readonly reason: string } {
  const { server, allow, taken } = options
  const fault = schemaFault(offered.inputSchema)
  if (fault !== null) return { reason: `the tool ${offered.name.slice(0, 100)} is left out: ${fault}` }
  const name = freeName(server, offered.name, taken)
  if (name === null) return { reason: `the tool ${offered.name.slice(0, 100)} is left out: there is one of that name` }
  taken.add(name)
  return {
    name,
    description: (offered.description ?? offered.title ?? offered.name).slice(0, longestDescription).toWellFormed(),
    inputSchema: { ...offered.inputSchema },
    access: allow.includes(offered.name) ? 'read' : 'run',
    about: (input) => oneLine(input),
    run: (input, context) => call(offered, input, options, context),
  }
}

const longestDescription = 8000
/** All that a person could read before they allow a call: a yes to the beginning is none to the rest. */
const longestAbout = 20_000
const longestName = 64
const mostSchemaBytes = 65_536
const deepestSchema = 50

async function call(offered: McpTool, input: unknown, options: McpToolOptions, context: ToolContext) {
  const { server, timeoutSeconds, connection, clean } = options
  const { name, inputSchema } = offered
  const milliseconds = timeoutSeconds * 1000
  if (!isRecord(input)) return failed(`the arguments of ${name} are no JSON object.`)
  let used: McpConnection | null = null
  try {
    const result = await within(milliseconds, context.signal, async (signal) => {
      used = await connection()
      signal.throwIfAborted()
      return used.client.callTool(
        { name, arguments: { ...input } },
        {
          signal,
          timeout: milliseconds * 2,
          onprogress: progressOf(context),
          // Without the schema of its answers, which a hostile server could make us work on for ever.
          toolDefinition: { name, inputSchema },
        },
      )
    })
    return await mcpOutcome(result, context.blobs, clean)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof TimeLimitError) return failed(`${name} of ${server} gave no answer within ${timeoutSeconds} seconds.`)
    if (isLost(error)) (used as McpConnection | null)?.giveUp()
    return failed(`${name} of ${server}: ${clean(thrownText(error)).slice(0, 2000)}`)
  }
}

/** Whether a server at an address cannot be reached as before: it is down, or it was started again and knows nothing of us. */
function isLost(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && 'status' in error)
}

/** Tells at most ten times a second how far a server says it is. */
function progressOf({ progress, now }: ToolContext) {
  let last = Number.NEGATIVE_INFINITY
  return (told: { readonly progress: number; readonly total?: number | undefined; readonly message?: string | undefined }) => {
    if (progress === undefined || now() - last < 100) return
    last = now()
    const share = told.total !== undefined && told.total > 0 ? Math.round((told.progress / told.total) * 100) : null
    const isShare = share !== null && share >= 0 && share <= 100
    progress({ stage: 'running', message: (told.message ?? '').slice(0, 500), progress: isShare ? share : null })
  }
}

/** A name that every provider takes. One that is cut or taken gets a short hash of the whole. */
function freeName(server: string, tool: string, taken: ReadonlySet<string>): string | null {
  const plain = `mcp__${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  const ending = `_${handleOf(`${server}\n${tool}`).slice(0, 8)}`
  const names = [...(plain.length > longestName ? [] : [plain]), `${plain.slice(0, longestName - ending.length)}${ending}`]
  return names.find((name) => !taken.has(name)) ?? null
}

function schemaFault(schema: unknown): string | null {
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) return 'its arguments are no object'
  if (!isShallow(schema)) return `the schema of its arguments is nested deeper than ${deepestSchema} levels, or endless`
  if (Buffer.byteLength(JSON.stringify(schema)) > mostSchemaBytes)
    return `the schema of its arguments has more than ${mostSchemaBytes} bytes`
  return null
}

/** Looked at level by level, so that no depth can exhaust the stack. */
function isShallow(schema: object): boolean {
  let level: readonly unknown[] = [schema]
  for (let depth = 0; depth < deepestSchema; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return true
    if (level.length > mostSchemaBytes) return false
  }
  return false
}

function oneLine(input: unknown): string {
  try {
    const line = JSON.stringify(input)
    return line.length > longestAbout ? `${line.slice(0, longestAbout)}…` : line
  } catch {
    return ''
  }
}
