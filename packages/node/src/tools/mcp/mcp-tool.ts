import type { Tool as McpTool } from '@modelcontextprotocol/client'
import { handleOf } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { type BlobReference, type MediaPart, type ResultContent, type TextPart } from '@plimsoll/core/wire'
import { thrownText } from '../../files/trouble.ts'
import { type ToolOutcome } from '../../shared/event.ts'
import { pictureOf } from '../image/picture.ts'
import { type BlobSink, failed, type Tool, type ToolContext } from '../tool.ts'
import { TimeLimitError, within } from '../work-limits.ts'
import type { McpConnection } from './mcp-connection.ts'

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

/** Pictures over this many bytes are refused by the providers, and are told about instead. */
const mostShownBytes = 5 * 2 ** 20

/**
 * What a server answered to a call, as an outcome: texts, pictures as the model can see them, links and data in words. Bytes that no
 * model is shown are kept beside the log. Whatever the server sent, nothing is thrown. `clean` goes over every text.
 */
export async function mcpOutcome(
  result: unknown,
  blobs: BlobSink,
  clean: (text: string) => string = (words) => words,
): Promise<ToolOutcome> {
  const answer = isRecord(result) ? result : {}
  const references: BlobReference[] = []
  const items: (TextPart | MediaPart)[] = []
  const blocks: readonly unknown[] = Array.isArray(answer['content']) ? answer['content'] : []
  for (const block of blocks) items.push(await itemOf(block, blobs, references))
  const isWritable = isShallowData(answer['structuredContent'])
  const structured = isWritable ? answer['structuredContent'] : undefined
  if (!isWritable) items.push(text(`[data that is nested deeper than ${deepestData} levels]`))
  if (structured !== undefined && items.length > 0 && !repeats(items, structured)) items.push(text(JSON.stringify(structured)))
  return {
    content: cleaned(contentOf(items, structured), clean),
    ...(answer['isError'] === true ? { isError: true } : {}),
    ...(references.length === 0 ? {} : { metadata: { blobs: references } }),
  }
}

function contentOf(items: readonly (TextPart | MediaPart)[], structured: unknown): ResultContent {
  const [only] = items
  if (only === undefined) return structured === undefined ? text('(no content)') : { type: 'json', value: structured }
  return items.length === 1 && only.type === 'text' ? only : { type: 'list', items }
}

function cleaned(content: ResultContent, clean: (text: string) => string): ResultContent {
  if (content.type === 'text') return { ...content, text: clean(content.text) }
  if (content.type === 'list')
    return { ...content, items: content.items.map((item) => (item.type === 'text' ? { ...item, text: clean(item.text) } : item)) }
  const written = JSON.stringify(content.value)
  const words = clean(written)
  return words === written ? content : { ...content, value: JSON.parse(words) as unknown }
}

const deepestData = 200

/** Level by level, so that no depth can exhaust the stack: data that is nested without end could not be stored or sent. */
function isShallowData(data: unknown): boolean {
  let level: readonly unknown[] = [data]
  for (let depth = 0; depth <= deepestData; depth += 1) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return true
  }
  return false
}

async function itemOf(block: unknown, blobs: BlobSink, references: BlobReference[]): Promise<TextPart | MediaPart> {
  if (!isRecord(block)) return text('[content of an unknown kind]')
  switch (block['type']) {
    case 'text':
      return text(typeof block['text'] === 'string' ? block['text'] : '')
    case 'image':
    case 'audio':
      return mediaOf(block['data'], block['mimeType'], blobs, references)
    case 'resource_link':
      return text(linkText(block))
    case 'resource': {
      const resource = isRecord(block['resource']) ? block['resource'] : {}
      if (typeof resource['text'] === 'string') return text(`${shown(resource['uri'])}:\n${resource['text']}`)
      return mediaOf(resource['blob'], resource['mimeType'], blobs, references)
    }
    default:
      return text(`[content of the kind ${shown(block['type'])}]`)
  }
}

/** A picture that a model can be shown; of anything else only what it is. */
async function mediaOf(
  data: unknown,
  type: unknown,
  blobs: BlobSink,
  references: BlobReference[],
): Promise<TextPart | MediaPart> {
  const mediaType = typeof type === 'string' && /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(type) ? type : 'application/octet-stream'
  const bytes = Buffer.from(typeof data === 'string' ? data : '', 'base64')
  if (bytes.byteLength === 0) return text(`[${mediaType} without content]`)
  // By what it is, not by what it is called: a provider refuses the rest, and would do so with every request from then on.
  const shownType = pictureOf(bytes)?.mediaType ?? ''
  if (/^image\/(?:png|jpeg|gif|webp)$/.test(shownType) && bytes.byteLength <= mostShownBytes) {
    const file = { type: 'file', mediaType: shownType, data: { type: 'data', data: bytes.toString('base64') } }
    return { type: 'media', mediaType: shownType, data: file }
  }
  references.push(await blobs.write(bytes))
  return text(`[${mediaType}, ${bytes.byteLength} bytes, kept in the session]`)
}

function linkText(block: Readonly<Record<string, unknown>>): string {
  const about = [block['title'] ?? block['name'], block['description']].filter((value) => typeof value === 'string').join(': ')
  return `[resource ${shown(block['uri'])}${about === '' ? '' : `: ${about}`}]`
}

/** Most servers send data twice, once as text for those who cannot take it otherwise. */
function repeats(items: readonly (TextPart | MediaPart)[], structured: unknown): boolean {
  const written = JSON.stringify(structured)
  return items.some((item) => {
    if (item.type !== 'text') return false
    try {
      return JSON.stringify(JSON.parse(item.text)) === written
    } catch {
      return false
    }
  })
}

function text(words: string): TextPart {
  return { type: 'text', text: words }
}

function shown(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, 2000) : '?'
}
