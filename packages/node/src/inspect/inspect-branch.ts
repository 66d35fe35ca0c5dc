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
import {
  type CacheBreak,
  cacheBreak,
  type InspectedEdit,
  type InspectedRequest,
  type MessageTable,
} from '../shared/inspection/inspection.ts'
import { createEditRows, createLayerSizes, createMessageColumns } from './message-columns.ts'
import { createShownView } from './shown-view.ts'

/** What a branch of a session is inspected with. */
export interface InspectBranchFacts {
  /** The text of a layer by its handle, where the log has it. */
  readonly layer: (handle: string) => string | undefined
  /** The tool of a call by the call's id, for results that edits put in. */
  readonly toolOf: ToolOfCall
  readonly tokens: Tokenizer
  readonly limitsOf: (model: string | null) => WindowLimits
  readonly priceOf: (model: string) => Price | null
}

/** What a branch amounts to for who looks at it. */
export interface InspectedBranch {
  readonly messages: MessageTable
  readonly requests: readonly InspectedRequest[]
  readonly edits: readonly InspectedEdit[]
  readonly fill: WindowFill
  readonly pins: readonly string[]
  /** The model of the last request. */
  readonly model: string | null
}

/** Takes the entries of a branch one by one, in order. */
export interface BranchInspection {
  readonly message: (message: SizedMessage) => void
  /** Any other entry; those that change nothing may be left out. */
  readonly entry: (entry: Exclude<Entry, MessageEntry>) => void
  readonly finish: () => InspectedBranch
}

/**
 * Goes along a branch once and works out what each request was filled with, which edits were in force and what broke the provider's
 * cache. What a request has in common with the one before it is not looked at again, and of a message nothing is held but its sizes.
 */
export function inspectBranch(facts: InspectBranchFacts): BranchInspection {
  const count = plainCounts(facts.tokens)
  const columns = createMessageColumns()
  const view = createShownView({ toolOf: facts.toolOf, count })
  const rows = createEditRows(view)
  const requests: Draft[] = []
  const byId = new Map<string, Draft>()
  const pins = new Set<string>()
  const layerSizes = createLayerSizes(facts.layer, count)
  const toolSizes = new Map<string, number>()
  let since = nothingSince()

  return {
    message(message) {
      if (since.isRewound) {
        since.isRewound = false
        noteFirst(since, { number: columns.count(), policy: null, reason: 'rewind' })
      }
      view.append(message)
      columns.add(message)
    },
    entry(entry) {
      switch (entry.type) {
        case 'edits':
          return takeEdits(entry)
        case 'request':
          return takeRequest(entry)
        case 'usage':
          return takeUsage(entry)
        case 'rewind':
          // One to the very place where the last request was made takes nothing of it back.
          since.isRewound = requests.length > 0
          return
        case 'header':
        case 'failure':
        case 'note':
          return
      }
    },
    finish() {
      if (requests.length === 0) view.settle([])
      const done = requests.map((draft, index) => finished(draft, requests[index - 1], facts))
      const model = requests.at(-1)?.model ?? null
      return {
        messages: columns.table(view.column()),
        requests: done,
        edits: rows.list(),
        fill: done.at(-1)?.fill ?? view.sum.toFill(facts.limitsOf(model)),
        pins: [...pins],
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
    // A provider that said nothing is written down with zeros.
    if (draft === undefined || usageTotal(usage) === 0) return
    draft.usage = usage
    draft.fill = countedFill(draft.fill, usage, facts.limitsOf(draft.model))
    if (draft !== requests.at(-1)) return
    // Until the next request, the view is that of this one.
    const factor = draft.fill.tokens / Math.max(1, draft.estimate)
    const read = usage.cacheRead / factor - draft.overhead
    draft.readUpTo = read < 0 ? null : Math.min(Math.max(0, draft.last), view.places.findMore(read))
  }

  /** What a break would cost has to be worked out while the view is this request's. */
  function placesNow({ last, overhead, since: { first } }: Draft, before: Draft | undefined): Draft['from'] {
    if (before === undefined) return null
    const common = Math.min(last, before.last)
    const whole = view.places.between(0, common) + overhead
    const behind = first === null || first.reason === 'rewind' ? whole : view.places.between(first.number, common)
    return { whole, behind }
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

/** What happened since the last request. */
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

/** A request of which it is not known yet what the provider said to it. */
interface Draft {
  readonly id: string
  readonly at: number
  readonly model: string
  readonly lifetimeSeconds: number | null
  readonly prefix: string
  /** As estimated, until the provider has counted it. */
  fill: WindowFill
  /** Tokens of it, as estimated. */
  readonly estimate: number
  readonly last: number
  readonly since: Since
  readonly waiting: number
  /** Tokens that stand around the conversation. */
  readonly overhead: number
  usage: Usage | null
  /** The number of the message at which what the provider had cached was over. */
  readUpTo: number | null
  /** Tokens that the request before it has too: all of them, and those from the first change on. */
  from: { readonly whole: number; readonly behind: number } | null
}

function nothingSince(): Since {
  return { edits: 0, saved: 0, isCompacted: false, isRewound: false, first: null }
}

function noteFirst(since: Since, change: FirstChange): void {
  if (since.first === null || change.number < since.first.number) since.first = change
}

function finished(draft: Draft, before: Draft | undefined, { priceOf }: Pick<InspectBranchFacts, 'priceOf'>): InspectedRequest {
  const { id, at, model, fill, usage, since, last, waiting } = draft
  return {
    id,
    at,
    model,
    fill,
    last,
    usage,
    cost: usage === null ? null : costOfTurn(usage, priceOf(model)),
    edits: since.edits,
    saved: since.saved,
    waiting,
    isCompacted: since.isCompacted,
    broken: before === undefined ? null : brokenAt(draft, before),
  }
}

/** A fill as the provider counted it, where that can be meant: a relay may say anything. */
export function countedFill(fill: WindowFill, usage: Usage | null, { window }: WindowLimits): WindowFill {
  const prompt = usage === null ? 0 : promptTotal(usage)
  const isMeant = prompt >= Math.max(1, fill.tokens * leastShare) && prompt <= fill.tokens * mostFactor + window
  return isMeant ? scaleFill(fill, prompt, 'usage') : fill
}

const leastShare = 0.1
const mostFactor = 4

function brokenAt(draft: Draft, before: Draft): CacheBreak | null {
  const { since, from } = draft
  const factor = draft.fill.tokens / Math.max(1, draft.estimate)
  const scaled = (tokens: number) => Math.round(tokens * factor)
  const first = since.first
  return cacheBreak({
    before,
    now: draft,
    change: first === null ? null : { message: first.number, policy: first.policy, reason: first.reason },
    tokensFrom: (message) => scaled((message === null ? from?.whole : from?.behind) ?? 0),
    readUpTo: draft.readUpTo,
    lifetimeSeconds: draft.lifetimeSeconds,
  })
}
