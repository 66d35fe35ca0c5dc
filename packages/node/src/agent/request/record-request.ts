import { applyEdits, type Edit, handleOf, type Message } from '@plimsoll/core'
import { normaliseUsage } from '@plimsoll/core/bill'
import { isSameDecision, type ReportedEdit } from '@plimsoll/core/hosts'
import type { EditsEntry, NewEntry, SessionState } from '@plimsoll/core/session'
import { assembleLayers } from '../../layers/assemble-layers.ts'
import type { OpenSession, StoredSession } from '../../session/session.ts'
import type { NextRequest } from './next-request.ts'

/** What is known about a request besides its messages. */
export interface RequestDetails {
  readonly model: string
  readonly parameters?: Readonly<Record<string, unknown>>
  /** The handle of the tool definitions. */
  readonly tools?: string
}

/** Writes down a request before it is sent: what it shows differently, the layers around it, and how to prove it. Returns its id. */
export async function recordRequest(session: OpenSession, request: NextRequest, details: RequestDetails): Promise<string> {
  const state = session.state()
  const layers = Object.entries(request.layers).map(([name, text]) => ({ name, text, handle: handleOf(text) }))
  const entries: NewEntry[] = [
    ...newLayers(session, layers),
    ...changedEdits(state, request),
    {
      type: 'request',
      model: details.model,
      ...(details.parameters === undefined ? {} : { parameters: details.parameters }),
      ...(details.tools === undefined ? {} : { tools: details.tools }),
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

/** Writes down that the provider accepted a request, with what it said about usage; zeros where it said nothing that is a count. */
export async function recordUsage(session: OpenSession, request: string, reported: unknown): Promise<void> {
  const usage = normaliseUsage(reported) ?? { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 }
  await session.append([{ type: 'usage', request, usage }])
}

/** The handle of a view, which proves that a rebuilt one is the same: that of the handles of its messages, each as JSON. */
export function viewHandle(messages: readonly Message[]): string {
  return handleOf(messages.map(messageHandle).join('\n'))
}

// Messages never change, and all but the latest stood in the last request too.
const handles = new WeakMap<Message, string>()

function messageHandle(message: Message): string {
  let handle = handles.get(message)
  if (handle === undefined) {
    handle = handleOf(JSON.stringify(message))
    handles.set(message, handle)
  }
  return handle
}

/** The name of the notes that hold the text of a layer. */
const layerNote = 'layer'

interface LayerText {
  readonly name: string
  readonly text: string
  readonly handle: string
}

/** A layer's text is written down once; requests name it by its handle. */
function newLayers(session: StoredSession, layers: readonly LayerText[]): readonly NewEntry[] {
  const known = knownLayers(session)
  return layers.flatMap(({ name, text, handle }): readonly NewEntry[] =>
    known.has(handle) ? [] : [{ type: 'note', code: layerNote, text, data: { name, handle } }],
  )
}

/** The texts of all layers that a session has seen, by handle: as they were written down, so without what was redacted. */
export function knownLayers(session: StoredSession): ReadonlyMap<string, string> {
  const heads = session.heads()
  const known = remembered.get(session) ?? { entries: 0, texts: new Map<string, string>() }
  for (const head of heads.slice(known.entries)) {
    const entry = head.type === 'note' ? session.entry(head.id) : null
    if (entry?.type !== 'note' || entry.code !== layerNote || entry.text === undefined) continue
    const handle = entry.data?.['handle']
    known.texts.set(typeof handle === 'string' ? handle : handleOf(entry.text), entry.text)
  }
  remembered.set(session, { entries: heads.length, texts: known.texts })
  return known.texts
}

// Notes never change, and a long session has many; only those that are new are read.
const remembered = new WeakMap<StoredSession, { readonly entries: number; readonly texts: Map<string, string> }>()

/** What came into force with this request and what fell away. Nothing new, no entry. */
function changedEdits({ edits: before }: SessionState, { edits, report }: NextRequest): readonly NewEntry[] {
  const old = new Map(before.map((edit) => [edit.id, edit]))
  const now = new Set(edits.map(({ id }) => id))
  const apply = edits.filter((edit) => !isSame(old.get(edit.id), edit))
  const withdraw = before.flatMap(({ id }) => (now.has(id) ? [] : [id]))
  if (apply.length === 0 && withdraw.length === 0) return []
  const applied = new Set(apply.map(({ id }) => id))
  const rows = report.edits.filter(({ id }: ReportedEdit) => applied.has(id))
  const entry: Omit<EditsEntry, 'id' | 'parentId' | 'at'> = { type: 'edits', apply, withdraw, report: rows }
  return [entry]
}

function isSame(one: Edit | undefined, other: Edit): boolean {
  return one !== undefined && one.id === other.id && one.why === other.why && isSameDecision(one, other)
}

/** Edits in the order of their policies: they come into force one by one, over many requests, and are applied policy by policy. */
export function inPolicyOrder(edits: readonly Edit[], policies: readonly string[]): readonly Edit[] {
  const rank = new Map(policies.map((name, index) => [name, index]))
  return edits.toSorted((one, other) => (rank.get(one.policy) ?? 0) - (rank.get(other.policy) ?? 0))
}

/** The same, with those first that change which messages there are: so they are applied where others have to wait. */
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

/** A past request, rebuilt from the log. */
interface RebuiltRequest {
  readonly model: string
  readonly messages: readonly Message[]
  /** Whether it is, byte for byte, what was sent. */
  readonly isProven: boolean
}

/** Rebuilds what a request showed the model, from the log alone. Null where the log has no such request. */
export function rebuildRequest(session: StoredSession, id: string): RebuiltRequest | null {
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
    return { model: request.model, messages, isProven: viewHandle(messages) === request.view }
  })
  return rebuilt.find(({ isProven }) => isProven) ?? rebuilt[0] ?? null
}

/** What a log that was tampered with makes of messages is anybody's guess; that it is not proven, is said. */
function edited(messages: readonly Message[], edits: readonly Edit[]): readonly Message[] {
  try {
    return applyEdits(messages, edits)
  } catch {
    return messages
  }
}
