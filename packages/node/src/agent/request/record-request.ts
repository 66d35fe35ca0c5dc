import { applyEdits, type Edit, handleOf, type Message } from '@plimsoll/core'
import { normaliseUsage } from '@plimsoll/core/bill'
import { isSameDecision } from '@plimsoll/core/policies'
import type { Entry, NewEntry, SessionState } from '@plimsoll/core/session'
import { isRecord } from '@plimsoll/core/text'
import { assembleLayers } from '../../layers/assemble-layers.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { NextRequest } from './next-request.ts'

export interface RequestDetails {
  readonly model: string
  readonly parameters?: Readonly<Record<string, unknown>>
  readonly tools?: string
  /** The MCP servers among the tools. Default: none. */
  readonly servers?: readonly OfferedServer[]
}

/** The tools of an MCP server by name, and the tokens of their definitions in each request. */
export interface OfferedServer {
  readonly server: string
  readonly tools: readonly string[]
  readonly tokens: number
  /** The tokens of each tool. Default: unknown. */
  readonly each?: readonly number[]
}

/** Stores a request before it is sent: changed edits, the layers, and how to prove it. Returns its id. */
export async function recordRequest(session: OpenSession, request: NextRequest, details: RequestDetails): Promise<string> {
  const state = session.state()
  const layers = Object.entries(request.layers).map(([name, text]) => ({ name, text, handle: handleOf(text) }))
  const known = knownLayers(session)
  const { tools, servers = [] } = details
  const entries: NewEntry[] = [
    // The text of a layer is stored once; requests refer to it by its handle.
    ...layers.flatMap(({ name, text, handle }): readonly NewEntry[] =>
      known.has(handle) ? [] : [{ type: 'note', code: layerNote, text, data: { name, handle } }],
    ),
    // So are the servers of a list of tools.
    ...(tools === undefined || servers.length === 0 || knownNotes(session).servers.has(tools)
      ? []
      : [{ type: 'note', code: serversNote, data: { tools, servers } } as const]),
    ...changedEdits(state, request),
    {
      type: 'request',
      model: details.model,
      ...(details.parameters === undefined ? {} : { parameters: details.parameters }),
      ...(tools === undefined ? {} : { tools }),
      policies: request.policies,
      layers: Object.fromEntries(layers.map(({ name, handle }) => [name, handle])),
      last: request.last,
      view: viewHandle(request.messages),
      estimate: request.report.load.estimate,
      ledger: request.ledger,
    },
  ]
  const written = await session.append(entries)
  return written.at(-1)?.id ?? ''
}

/** Stores that the provider accepted a request, with its usage; zeros if it reported none. */
export async function recordUsage(session: OpenSession, request: string, reported: unknown): Promise<void> {
  const usage = normaliseUsage(reported) ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  await session.append([{ type: 'usage', request, usage }])
}

/** Proves that a rebuilt view is the same: the handle of the handles of its messages, each as JSON. */
export function viewHandle(messages: readonly Message[]): string {
  const all = messages.map((message) => {
    const handle = handles.get(message) ?? handleOf(JSON.stringify(message))
    handles.set(message, handle)
    return handle
  })
  return handleOf(all.join('\n'))
}

// Messages never change, and most were in the last request too.
const handles = new WeakMap<Message, string>()

const layerNote = 'layer'

/** The tools of MCP servers, by the handle of the list of tools that a request names. */
const serversNote = 'mcp-servers'

/** The texts of all layers of a session by handle, as stored, that is redacted. */
export function knownLayers(session: StoredSession): ReadonlyMap<string, string> {
  return knownNotes(session).texts
}

function knownNotes(session: StoredSession): KnownNotes {
  const heads = session.heads()
  const known = remembered.get(session) ?? { entries: 0, texts: new Map<string, string>(), servers: new Map() }
  for (const head of heads.slice(known.entries)) {
    const entry = head.type === 'note' ? session.entry(head.id) : null
    if (entry?.type !== 'note') continue
    const layer = layerIn(entry)
    if (layer !== null) known.texts.set(layer.handle, layer.text)
    const offered = serversIn(entry)
    if (offered !== null) known.servers.set(offered.tools, offered.servers)
  }
  const { texts, servers } = known
  remembered.set(session, { entries: heads.length, texts, servers })
  return known
}

interface KnownNotes {
  readonly entries: number
  readonly texts: Map<string, string>
  readonly servers: Map<string, readonly OfferedServer[]>
}

// Notes never change, so only new ones are read.
const remembered = new WeakMap<StoredSession, KnownNotes>()

type NoteEntry = Extract<Entry, { readonly type: 'note' }>

/** The text of a layer in a note; null if it is another note. */
export function layerIn({ code, text, data }: NoteEntry): { readonly handle: string; readonly text: string } | null {
  if (code !== layerNote || text === undefined) return null
  const handle = data?.['handle']
  return { handle: typeof handle === 'string' ? handle : handleOf(text), text }
}

/** The servers in a note and the handle of their list of tools; null if it is another note, or damaged. */
export function serversIn({
  code,
  data,
}: NoteEntry): { readonly tools: string; readonly servers: readonly OfferedServer[] } | null {
  const { tools, servers } = data ?? {}
  if (code !== serversNote || typeof tools !== 'string' || !Array.isArray(servers)) return null
  return { tools, servers: servers.filter(isServer) }
}

function isServer(value: unknown): value is OfferedServer {
  if (!isRecord(value)) return false
  const { server, tools, tokens, each } = value
  const isEach = Array.isArray(each) && each.every((count) => typeof count === 'number' && count >= 0)
  return (
    (each === undefined || isEach) &&
    typeof server === 'string' &&
    Array.isArray(tools) &&
    tools.every((tool) => typeof tool === 'string') &&
    typeof tokens === 'number' &&
    tokens >= 0
  )
}

function changedEdits({ edits: before }: SessionState, { edits, report }: NextRequest): readonly NewEntry[] {
  const old = new Map(before.map((edit) => [edit.id, edit]))
  const now = new Set(edits.map(({ id }) => id))
  const apply = edits.filter((edit) => {
    const known = old.get(edit.id)
    return known?.why !== edit.why || !isSameDecision(known, edit)
  })
  const withdraw = before.flatMap(({ id }) => (now.has(id) ? [] : [id]))
  if (apply.length === 0 && withdraw.length === 0) return []
  const applied = new Set(apply.map(({ id }) => id))
  return [{ type: 'edits', apply, withdraw, report: report.edits.filter(({ id }) => applied.has(id)) }]
}

/** Edits in the order of their policies: they become active one by one, over many requests, and are applied policy by policy. */
export function inPolicyOrder(edits: readonly Edit[], policies: readonly string[]): readonly Edit[] {
  const rank = new Map(policies.map((name, index) => [name, index]))
  return edits.toSorted((one, other) => (rank.get(one.policy) ?? 0) - (rank.get(other.policy) ?? 0))
}

/** The same, but edits that change which messages there are come first: so they are applied where others have to wait. */
function listFirst(edits: readonly Edit[], policies: readonly string[]): readonly Edit[] {
  const ordered = inPolicyOrder(edits, policies)
  const isLast = ({ policy }: Edit) => policy === policies.at(-1)
  const early = ordered.filter((edit) => !isLast(edit))
  return [
    ...early.filter(({ kind }) => kind !== 'replace'),
    ...early.filter(({ kind }) => kind === 'replace'),
    ...ordered.filter(isLast),
  ]
}

/** Rebuilds a request from the log alone. Returns null if the log does not have it. */
export function rebuildRequest(session: StoredSession, id: string) {
  const request = session.entry(id)
  if (request?.type !== 'request') return null
  const state = session.state(id)
  const texts = knownLayers(session)
  const layer = (name: string) => texts.get(request.layers?.[name] ?? '') ?? ''
  const rebuilt = [inPolicyOrder, listFirst].map((order) => {
    const messages = assembleLayers({
      system: layer('system'),
      rules: layer('rules'),
      messages: edited(state.messages, order(state.edits, request.policies ?? [])),
      announcement: layer('announcement'),
      recap: layer('recap'),
    })
    // Proven means byte for byte what was sent.
    return { model: request.model, messages, isProven: viewHandle(messages) === request.view }
  })
  return rebuilt.find(({ isProven }) => isProven) ?? rebuilt[0] ?? null
}

/** Edits of a manipulated log may not apply; then the result is not proven. */
function edited(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  try {
    return applyEdits(messages, edits)
  } catch {
    return messages
  }
}
