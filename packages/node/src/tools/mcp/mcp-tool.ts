import type { Tool as McpTool } from '@modelcontextprotocol/client'
import { handleOf } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import type { BlobReference, MediaPart, ResultContent, TextPart } from '@plimsoll/core/wire'
import { thrownText } from '../../files/problem.ts'
import type { BlobSink } from '../../session/blob-sink.ts'
import type { ToolOutcome } from '../../shared/event.ts'
import { shownType } from '../image/save-image.ts'
import { failed, type Tool, type ToolContext } from '../tool.ts'
import { TimeLimitError, within } from '../work-limits.ts'
import type { McpConnection } from './mcp-connection.ts'

export interface McpToolOptions {
  readonly server: string
  /** Tools that run without asking, by the server's names. */
  readonly allow: readonly string[]
  readonly timeoutSeconds: number
  /** The server, started again if it went away. Rejects with the reason if it cannot be reached. */
  readonly connection: () => Promise<McpConnection>
  readonly taken: Set<string>
  readonly clean: (text: string) => string
}

export function mcpToolOf(offered: McpTool, options: McpToolOptions): Tool | { readonly reason: string } {
  const { server, allow, taken } = options
  const fault = schemaFault(offered.inputSchema)
  if (fault !== null) return { reason: `the tool ${offered.name.slice(0, 100)} is omitted: ${fault}` }
  const name = freeName(server, offered.name, taken)
  if (name === null) return { reason: `the tool ${offered.name.slice(0, 100)} is omitted: another tool has the same name` }
  taken.add(name)
  return {
    name,
    description: (offered.description ?? offered.title ?? offered.name).slice(0, maxDescription).toWellFormed(),
    inputSchema: { ...offered.inputSchema },
    access: allow.includes(offered.name) ? 'read' : 'run',
    about: oneLine,
    run: (input, context) => call(offered, input, options, context),
  }
}

const maxDescription = 8000
/** All that a user could read before allowing a call: permission for the start is none for the rest. */
const maxAbout = 20_000
const maxName = 64
const maxSchemaBytes = 65_536
const maxSchemaDepth = 50
const maxDataDepth = 200
/** Providers refuse larger images. */
const maxShownBytes = 5 * 2 ** 20

async function call(offered: McpTool, input: unknown, options: McpToolOptions, context: ToolContext) {
  const { server, timeoutSeconds, connection, clean } = options
  const { name, inputSchema } = offered
  const milliseconds = timeoutSeconds * 1000
  if (!isRecord(input)) return failed(`the arguments of ${name} are not a JSON object.`)
  let used: McpConnection | null = null
  try {
    const result = await within(milliseconds, context.signal, async (signal) => {
      used = await connection()
      signal.throwIfAborted()
      // Without the schema of its answers, which a hostile server could make us work on forever.
      const toolDefinition = { name, inputSchema }
      const request = { signal, timeout: milliseconds * 2, onprogress: progressOf(context), toolDefinition }
      return used.client.callTool({ name, arguments: { ...input } }, request)
    })
    return await mcpOutcome(result, context.blobs, clean)
  } catch (error) {
    context.signal.throwIfAborted()
    if (error instanceof TimeLimitError) return failed(`${name} of ${server} gave no answer within ${timeoutSeconds} seconds.`)
    // A server at an address is down, or was started again and does not know us any more.
    const isLost = error instanceof TypeError || (error instanceof Error && 'status' in error)
    if (isLost) (used as McpConnection | null)?.giveUp()
    const how = (used as McpConnection | null)?.how() ?? null
    const text = how === null ? thrownText(error) : `${how} (${thrownText(error)})`
    return failed(`${name} of ${server}: ${clean(text).slice(0, 2000)}`)
  }
}

/** At most ten times a second. */
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

/** A name that every provider takes. One that is cut or taken gets a short hash of the full name. */
function freeName(server: string, tool: string, taken: ReadonlySet<string>): string | null {
  const plain = `mcp__${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  const ending = `_${handleOf(`${server}\n${tool}`).slice(0, 8)}`
  const names = [...(plain.length > maxName ? [] : [plain]), `${plain.slice(0, maxName - ending.length)}${ending}`]
  return names.find((name) => !taken.has(name)) ?? null
}

function schemaFault(schema: unknown): string | null {
  if (!isRecord(schema) || (schema['type'] !== undefined && schema['type'] !== 'object')) return 'its arguments are not an object'
  if (!isShallow(schema, maxSchemaDepth - 1, maxSchemaBytes))
    return `the schema of its arguments is nested deeper than ${maxSchemaDepth} levels, or endless`
  return Buffer.byteLength(JSON.stringify(schema)) > maxSchemaBytes
    ? `the schema of its arguments has more than ${maxSchemaBytes} bytes`
    : null
}

/** Level by level, so that no depth can exhaust the stack: data that is nested endlessly could not be stored or sent. */
function isShallow(data: unknown, maxDepth: number, maxWidth = Number.POSITIVE_INFINITY): boolean {
  let level: readonly unknown[] = [data]
  for (let depth = 0; depth <= maxDepth; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return true
    if (level.length > maxWidth) return false
  }
  return false
}

function oneLine(input: unknown): string {
  try {
    const line = JSON.stringify(input)
    return line.length > maxAbout ? `${line.slice(0, maxAbout)}…` : line
  } catch {
    return ''
  }
}

type Item = TextPart | MediaPart

/** Texts, images for the model, links and data as text; stores other bytes. Never throws, whatever the server sent. */
export async function mcpOutcome(
  result: unknown,
  blobs: BlobSink,
  clean: (text: string) => string = (text) => text,
): Promise<ToolOutcome> {
  const answer = isRecord(result) ? result : {}
  const references: BlobReference[] = []
  const items: Item[] = []
  const blocks: readonly unknown[] = Array.isArray(answer['content']) ? answer['content'] : []
  for (const block of blocks) items.push(await itemOf(block, blobs, references))
  const isWritable = isShallow(answer['structuredContent'], maxDataDepth)
  const structured = isWritable ? answer['structuredContent'] : undefined
  if (!isWritable) items.push(textPart(`[data that is nested deeper than ${maxDataDepth} levels]`))
  // Most servers send data twice, once as text for clients that cannot take it otherwise.
  const written = structured === undefined ? '' : JSON.stringify(structured)
  const isRepeated = items.some((item) => item.type === 'text' && JSON.stringify(parseJson(item.text)) === written)
  if (structured !== undefined && items.length > 0 && !isRepeated) items.push(textPart(written))
  const [only = structured === undefined ? textPart('(no content)') : ({ type: 'json', value: structured } as const)] = items
  const content: ResultContent = items.length > 1 || only.type === 'media' ? { type: 'list', items } : only
  return {
    content: cleaned(content, clean),
    ...(answer['isError'] === true ? { isError: true } : {}),
    ...(references.length === 0 ? {} : { metadata: { blobs: references } }),
  }
}

function cleaned(content: ResultContent, clean: (text: string) => string): ResultContent {
  if (content.type === 'text') return { ...content, text: clean(content.text) }
  if (content.type === 'list')
    return { ...content, items: content.items.map((item) => (item.type === 'text' ? { ...item, text: clean(item.text) } : item)) }
  const written = JSON.stringify(content.value)
  const text = clean(written)
  return text === written ? content : { ...content, value: JSON.parse(text) as unknown }
}

async function itemOf(block: unknown, blobs: BlobSink, references: BlobReference[]): Promise<Item> {
  if (!isRecord(block)) return textPart('[content of an unknown kind]')
  switch (block['type']) {
    case 'text':
      return textPart(typeof block['text'] === 'string' ? block['text'] : '')
    case 'image':
    case 'audio':
      return mediaOf(block['data'], block['mimeType'], blobs, references)
    case 'resource_link': {
      const texts = [block['title'] ?? block['name'], block['description']].filter((value) => typeof value === 'string')
      const about = texts.join(': ')
      return textPart(`[resource ${shown(block['uri'])}${about === '' ? '' : `: ${about}`}]`)
    }
    case 'resource': {
      const resource = isRecord(block['resource']) ? block['resource'] : {}
      if (typeof resource['text'] === 'string') return textPart(`${shown(resource['uri'])}:\n${resource['text']}`)
      return mediaOf(resource['blob'], resource['mimeType'], blobs, references)
    }
    default:
      return textPart(`[content of the kind ${shown(block['type'])}]`)
  }
}

/** An image that a model can be shown; of anything else only what it is. */
async function mediaOf(data: unknown, type: unknown, blobs: BlobSink, references: BlobReference[]): Promise<Item> {
  const given = typeof type === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64')
  if (bytes.byteLength === 0) return textPart(`[${given} without content]`)
  // By its bytes, not its name: a provider refuses other media, and would do so with every request from then on.
  const mediaType = shownType(bytes)
  if (mediaType !== null && bytes.byteLength <= maxShownBytes) {
    const file = { type: 'file', mediaType, data: { type: 'data', data: bytes.toString('base64') } }
    return { type: 'media', mediaType, data: file }
  }
  references.push(await blobs.write(bytes))
  return textPart(`[${given}, ${bytes.byteLength} bytes, kept in the session]`)
}

function textPart(text: string): TextPart {
  return { type: 'text', text }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2000) : '?'
}
