import type { Message } from '@plimsoll/core'
import {
  type CategoryTokens,
  mainPiece,
  type PartCounter,
  type SizedMessage,
  sizeMessage,
  type WindowCategory,
} from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { RequestEntry } from '@plimsoll/core/session'
import type { InspectedEdit, MessageTable } from '../shared/inspection/inspection.ts'
import type { ShownView, ViewChange } from './shown-view.ts'

/** The columns of a table of messages while they are filled. */
export interface MessageColumns {
  readonly add: (message: SizedMessage) => void
  readonly count: () => number
  /** The table, with what is shown of each message. */
  readonly table: (shown: readonly number[]) => MessageTable
}

/** A table without messages. */
export function createMessageColumns(): MessageColumns {
  const ids: string[] = []
  const roles: SizedMessage['role'][] = []
  const tokens: number[] = []
  const categories: WindowCategory[] = []
  const tools: number[] = []
  const times: number[] = []
  const places = new Map<string, number>()
  const placeOf = (tool: string | null): number => {
    if (tool === null) return -1
    const known = places.get(tool)
    if (known !== undefined) return known
    places.set(tool, places.size)
    return places.size - 1
  }
  return {
    add(message) {
      const { category, tool } = mainPiece(message)
      ids.push(message.id)
      roles.push(message.role)
      tokens.push(message.tokens)
      categories.push(category)
      tools.push(placeOf(tool))
      times.push(message.at)
    },
    count: () => ids.length,
    table: (shown) => ({ ids, roles, tokens, shown, categories, tools, toolNames: [...places.keys()], times }),
  }
}

/** What stands around a conversation takes up. */
interface LayerSizes {
  readonly tokens: number
  readonly categories: CategoryTokens
}

/** Measures what stands around the conversation of a request, each text once. `layer` gives a text by its handle. */
export function createLayerSizes(
  layer: (handle: string) => string | undefined,
  count: PartCounter,
): (layers: RequestEntry['layers']) => LayerSizes {
  const known = new Map<string, SizedMessage>()

  const sizeOf = (name: string, handle: string): SizedMessage => {
    const key = `${name} ${handle}`
    let sized = known.get(key)
    if (sized === undefined) {
      const text = layer(handle) ?? ''
      const message: Message = { id: `layer:${name}`, role: 'system', parts: text === '' ? [] : [{ type: 'text', text }] }
      sized = sizeMessage(message, () => undefined, count)
      known.set(key, sized)
    }
    return sized
  }

  return (layers = {}) => {
    let tokens = 0
    const categories: { system?: number; rules?: number } = {}
    for (const [name, handle] of Object.entries(layers)) {
      const sized = sizeOf(name, handle)
      const category = sized.category === 'rules' ? 'rules' : 'system'
      categories[category] = (categories[category] ?? 0) + sized.tokens
      tokens += sized.tokens
    }
    return { tokens, categories }
  }
}

/** The edits that ever took effect, while they are gathered. */
interface EditRows {
  /** Takes in what was changed, when, and what was reported on it; gives the row of its edit. */
  readonly take: (change: ViewChange, at: number, reported: ReportedEdit | undefined) => InspectedEdit
  /** A request was sent, at this place among them: what took effect since the last one did so with it. */
  readonly sent: (request: number) => void
  /** In the order they took effect; one that did so again stands where it did last. */
  readonly list: () => readonly InspectedEdit[]
}

/** No edits. */
export function createEditRows(view: Pick<ShownView, 'shown' | 'isInForce'>): EditRows {
  const rows = new Map<string, Row>()
  let waiting: Row[] = []
  return {
    take(change, at, reported) {
      const { edit, isWithdrawn } = change
      const known = rows.get(edit.id)
      if (isWithdrawn && known !== undefined) return known
      const row: Row = { ...measured(change, at, reported, view), state: 'in-force', request: null }
      rows.delete(edit.id)
      rows.set(edit.id, row)
      waiting.push(row)
      return row
    },
    sent(request) {
      for (const row of waiting) row.request = request
      waiting = []
    },
    list: () => [...rows.values()].map((row) => ({ ...row, state: view.isInForce(row.id) ? 'in-force' : 'withdrawn' })),
  }
}

type Row = Omit<InspectedEdit, 'request'> & { request: number | null }

function measured(
  { edit, numbers }: ViewChange,
  at: number,
  reported: ReportedEdit | undefined,
  view: Pick<ShownView, 'shown'>,
): Omit<InspectedEdit, 'state' | 'request'> {
  const place = { number: numbers.first, lastNumber: numbers.last, at }
  if (reported !== undefined) return { ...reported, why: edit.why, ...place }
  const message = edit.kind === 'replace' ? edit.message : edit.kind === 'fold' ? edit.first : (edit.after ?? edit.message.id)
  const part = edit.kind === 'replace' ? edit.part : 0
  const before = edit.kind === 'replace' ? (view.shown(message)?.parts[part]?.tokens ?? 0) : 0
  return {
    id: edit.id,
    policy: edit.policy,
    kind: edit.kind,
    message,
    part,
    tool: null,
    tokensBefore: before,
    // What nobody reported on is not counted as anything saved.
    tokensAfter: before,
    why: edit.why,
    cache: 'rewrite',
    ...place,
  }
}
