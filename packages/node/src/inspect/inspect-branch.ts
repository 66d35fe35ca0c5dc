import type { Tokenizer } from '@plimsoll/core'
import {
  costOfTurn,
  type Price,
  plainCounts,
  promptTotal,
  type SizedMessage,
  scaleFill,
  type ToolOfCall,
  type Usage,
  usageTotal,
  type WindowFill,
  type WindowLimits,
} from '@plimsoll/core/bill'
import type { EditsEntry, Entry, MessageEntry, RequestEntry, UsageEntry } from '@plimsoll/core/session'
import { type CacheBreak, cacheBreak, type InspectedRequest, type Inspection } from '../shared/inspection/inspection.ts'
import { createEditRows, createLayerSizes, createMessageColumns } from './message-columns.ts'
import { createShownView } from './shown-view.ts'

interface InspectBranchFacts {
  /** The text of a layer by its handle, if the log has it. */
  readonly layer: (handle: string) => string | undefined
  /** The tool of a call by the call's id, for results that edits inserted. */
  readonly toolOf: ToolOfCall
  readonly tokens: Tokenizer
  readonly limitsOf: (model: string | null) => WindowLimits
  readonly priceOf: (model: string, at: number | null) => Price | null
}

export type InspectedBranch = Pick<Inspection, 'messages' | 'requests' | 'edits' | 'fill'> &
  Pick<Inspection['session'], 'pins' | 'hides' | 'model'>

/**
 * Takes the entries of a branch in order and returns the content of each request, the active edits and what broke the cache.
 * Content that a request shares with the one before it is not read again, and only the sizes of messages are kept in memory.
 */
export function inspectBranch(facts: InspectBranchFacts) {
  const count = plainCounts(facts.tokens)
  const columns = createMessageColumns()
  const view = createShownView(facts.toolOf, count)
  const rows = createEditRows(view)
  const requests: Draft[] = []
  const byId = new Map<string, Draft>()
  const pins = new Set<string>()
  const hides = new Set<string>()
  const layerSizes = createLayerSizes(facts.layer, count)
  const toolSizes = new Map<string, number>()
  let since = nothingSince()

  return {
    message(message: SizedMessage): void {
      if (since.isRewound) {
        since.isRewound = false
        noteFirst(since, { number: columns.count(), policy: null, reason: 'rewind' })
      }
      view.append(message)
      columns.add(message)
    },
    /** Takes any other entry; callers may skip those that change nothing. */
    entry(entry: Exclude<Entry, MessageEntry>): void {
      switch (entry.type) {
        case 'edits':
          return takeEdits(entry)
        case 'request':
          return takeRequest(entry)
        case 'usage':
          return takeUsage(entry)
        case 'rewind':
          // A rewind to the last request removes nothing from it.
          since.isRewound = requests.length > 0
          return
        case 'header':
        case 'failure':
        case 'note':
          return
      }
    },
    finish(): InspectedBranch {
      if (requests.length === 0) view.settle([])
      const done = requests.map((draft, index) => finished(draft, requests[index - 1], facts))
      const model = requests.at(-1)?.model ?? null
      const messages = columns.table(view.column())
      const ids = new Set(messages.ids)
      // A log may name anything, which no cleaner of texts looks at.
      const hidden = [...hides].filter((id) => ids.has(id))
      return {
        messages,
        requests: done,
        edits: rows.list(),
        fill: done.at(-1)?.fill ?? view.sum.toFill(facts.limitsOf(model)),
        pins: [...pins].filter((id) => ids.has(id)),
        ...(hidden.length === 0 ? {} : { hides: hidden }),
        model,
      }
    },
  }

  function takeEdits(entry: EditsEntry): void {
    const changes = view.take(entry)
    const previous = requests.at(-1)?.last ?? -1
    const reported = new Map(entry.report?.map((row) => [row.id, row]))
    for (const change of changes) {
      const row = rows.take(change, entry.at, reported.get(change.edit.id))
      if (!change.isWithdrawn) {
        since.edits += 1
        since.saved += row.tokensBefore - row.tokensAfter
        if (change.isFold) since.isCompacted = true
      }
      const isFree = !change.isWithdrawn && row.cache === 'free' && !change.isFold
      if (change.number === null || change.number > previous || isFree) continue
      noteFirst(since, { number: change.number, policy: change.edit.policy, reason: change.isFold ? 'fold' : 'edit' })
    }
    for (const id of entry.unpin ?? []) pins.delete(id)
    for (const id of entry.pin ?? []) pins.add(id)
    for (const id of entry.unhide ?? []) hides.delete(id)
    for (const id of entry.hide ?? []) hides.add(id)
  }

  function takeRequest(entry: RequestEntry): void {
    const layers = layerSizes(entry.layers)
    const key = entry.tools ?? ''
    const known = key === '' ? 0 : toolSizes.get(key)
    view.settle(entry.policies ?? [], known === undefined ? undefined : (sum) => sum + layers.tokens + known === entry.estimate)
    const rest = Math.max(0, Math.round(entry.estimate) - view.sum.total() - layers.tokens)
    if (key !== '' && known === undefined) toolSizes.set(key, rest)
    const tools = key === '' ? rest : (known ?? rest)
    const limits = facts.limitsOf(entry.model)
    const fill = view.sum.toFill(limits, { ...layers.categories, tools })
    const draft: Draft = {
      id: entry.id,
      at: entry.at,
      model: entry.model,
      lifetimeSeconds: entry.ledger?.cacheLifetimeSeconds ?? null,
      prefix: `${key} ${entry.layers?.['system'] ?? ''} ${entry.layers?.['rules'] ?? ''}`,
      fill,
      estimate: fill.tokens,
      last: lastNumber(entry.last),
      usage: null,
      readUpTo: null,
      since,
      waiting: waitingTokens(entry),
      overhead: layers.tokens + tools,
      from: null,
    }
    draft.from = placesNow(draft, requests.at(-1))
    requests.push(draft)
    byId.set(entry.id, draft)
    rows.sent(requests.length - 1)
    since = nothingSince()
  }

  function takeUsage({ request, usage }: UsageEntry): void {
    const draft = byId.get(request)
    byId.delete(request)
    // A provider that reported nothing is recorded with zeros.
    if (draft === undefined || usageTotal(usage) === 0) return
    draft.usage = usage
    draft.fill = countedFill(draft.fill, usage, facts.limitsOf(draft.model))
    if (draft !== requests.at(-1)) return
    // Until the next request, the view is that of this request.
    const factor = draft.fill.tokens / Math.max(1, draft.estimate)
    const read = usage.cacheRead / factor - draft.overhead
    draft.readUpTo = read < 0 ? null : Math.min(Math.max(0, draft.last), view.places.findMore(read))
  }

  /** The cost of a break must be calculated while the view is still that of this request. */
  function placesNow({ last, overhead, since: { first } }: Draft, before: Draft | undefined): Draft['from'] {
    if (before === undefined) return null
    const common = Math.min(last, before.last)
    const all = view.places.between(0, common) + overhead
    const changed = first === null || first.reason === 'rewind' ? all : view.places.between(first.number, common)
    return { all, changed }
  }

  function waitingTokens({ ledger }: RequestEntry): number {
    let sum = 0
    for (const key of Object.keys(ledger?.debts ?? {})) {
      const dot = key.lastIndexOf('.')
      sum += view.shown(key.slice(0, dot))?.parts[Number(key.slice(dot + 1))]?.tokens ?? 0
    }
    return sum
  }

  function lastNumber(id: string | null): number {
    return id === null ? -1 : (view.numbersOf(id)?.last ?? columns.count() - 1)
  }
}

interface Since {
  edits: number
  saved: number
  isCompacted: boolean
  isRewound: boolean
  first: FirstChange | null
}

interface FirstChange {
  readonly number: number
  readonly policy: string | null
  readonly reason: CacheBreak['reason']
}

/** A request whose answer is not read yet. */
interface Draft extends Pick<InspectedRequest, 'id' | 'last' | 'waiting'> {
  readonly at: number
  readonly model: string
  readonly lifetimeSeconds: number | null
  readonly prefix: string
  /** Estimated, until the provider has counted it. */
  fill: WindowFill
  readonly estimate: number
  readonly since: Since
  readonly overhead: number
  usage: Usage | null
  /** The number of the message at which the provider's cache ended. */
  readUpTo: number | null
  /** Tokens that the request before it has too: all of them, and those from the first change on. */
  from: { readonly all: number; readonly changed: number } | null
}

function nothingSince(): Since {
  return { edits: 0, saved: 0, isCompacted: false, isRewound: false, first: null }
}

function noteFirst(since: Since, change: FirstChange): void {
  if (since.first === null || change.number < since.first.number) since.first = change
}

function finished(draft: Draft, before: Draft | undefined, { priceOf }: Pick<InspectBranchFacts, 'priceOf'>): InspectedRequest {
  const { id, at, model, fill, usage, since, last, waiting } = draft
  const { edits, saved, isCompacted } = since
  const cost = usage === null ? null : costOfTurn(usage, priceOf(model, at))
  const broken = before === undefined ? null : brokenAt(draft, before)
  return { id, at, model, fill, last, usage, cost, edits, saved, waiting, isCompacted, broken }
}

/** Scales a fill to the provider's count if that is plausible; a relay may report anything. */
export function countedFill(fill: WindowFill, usage: Usage | null, { window }: WindowLimits): WindowFill {
  const prompt = usage === null ? 0 : promptTotal(usage)
  const isMeant = prompt >= Math.max(1, fill.tokens * minShare) && prompt <= fill.tokens * maxFactor + window
  return isMeant ? scaleFill(fill, prompt, 'usage') : fill
}

const minShare = 0.1
const maxFactor = 4

function brokenAt(draft: Draft, before: Draft): CacheBreak | null {
  const { from } = draft
  const { first } = draft.since
  const factor = draft.fill.tokens / Math.max(1, draft.estimate)
  return cacheBreak({
    before,
    now: draft,
    change: first === null ? null : { message: first.number, policy: first.policy, reason: first.reason },
    tokensFrom: (message) => Math.round(((message === null ? from?.all : from?.changed) ?? 0) * factor),
    readUpTo: draft.readUpTo,
    lifetimeSeconds: draft.lifetimeSeconds,
  })
}
