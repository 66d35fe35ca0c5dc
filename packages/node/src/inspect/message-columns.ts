import type { Message } from '@plimsoll/core'
import { mainPiece, type PartCounter, type SizedMessage, sizeMessage, type WindowCategory } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import type { RequestEntry } from '@plimsoll/core/session'
import { getOrMake } from '../shared/get-or-make.ts'
import type { InspectedEdit, MessageTable } from '../shared/inspection/inspection.ts'
import type { ShownView, ViewChange } from './shown-view.ts'

export function createMessageColumns() {
  const ids: string[] = []
  const roles: SizedMessage['role'][] = []
  const tokens: number[] = []
  const categories: WindowCategory[] = []
  const tools: number[] = []
  const times: number[] = []
  const places = new Map<string, number>()
  return {
    add(message: SizedMessage): void {
      const { category, tool } = mainPiece(message)
      ids.push(message.id)
      roles.push(message.role)
      tokens.push(message.tokens)
      categories.push(category)
      tools.push(tool === null ? -1 : getOrMake(places, tool, () => places.size))
      times.push(message.at)
    },
    count: () => ids.length,
    /** `shown` has the tokens that are shown of each message. */
    table: (shown: readonly number[]): MessageTable => ({
      ids,
      roles,
      tokens,
      shown,
      categories,
      tools,
      toolNames: [...places.keys()],
      times,
    }),
  }
}

/** Measures the texts around the conversation of a request, each of them once. `layer` gives a text by its handle. */
export function createLayerSizes(layer: (handle: string) => string | undefined, count: PartCounter) {
  const known = new Map<string, SizedMessage>()

  const sizeOf = (name: string, handle: string) =>
    getOrMake(known, `${name} ${handle}`, () => {
      const text = layer(handle) ?? ''
      const message: Message = { id: `layer:${name}`, role: 'system', parts: text === '' ? [] : [{ type: 'text', text }] }
      return sizeMessage(message, () => undefined, count)
    })

  return (layers: RequestEntry['layers'] = {}) => {
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

export function createEditRows(view: Pick<ShownView, 'shown' | 'isActive'>) {
  const rows = new Map<string, Row>()
  let waiting: Row[] = []
  return {
    /** Adds a change with its time and report. Returns the row of its edit. */
    take(change: ViewChange, at: number, reported: ReportedEdit | undefined): InspectedEdit {
      const { edit, isWithdrawn } = change
      const known = rows.get(edit.id)
      if (isWithdrawn && known !== undefined) return known
      const row: Row = { ...measured(change, at, reported, view), state: 'in-force', request: null }
      rows.delete(edit.id)
      rows.set(edit.id, row)
      waiting.push(row)
      return row
    },
    /** Assigns all edits since the last request to the one at this place. */
    sent(request: number): void {
      for (const row of waiting) row.request = request
      waiting = []
    },
    /** In the order they took effect; one that did so again comes where it did last. */
    list: (): readonly InspectedEdit[] =>
      [...rows.values()].map((row) => ({ ...row, state: view.isActive(row.id) ? 'in-force' : 'withdrawn' })),
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
    // Edits without a report do not count as saving anything.
    tokensAfter: before,
    why: edit.why,
    cache: 'rewrite',
    ...place,
  }
}
