import type { Message } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import { inlinedMessage, shownMessage } from '../session/shown-message.ts'
import type { EmbeddedInspection, EmbeddedView, WhatIf } from '../shared/inspection/embedded-inspection.ts'
import type {
  EditTexts,
  InspectedMessage,
  InspectedRequest,
  Inspection,
  SentRequest,
  SessionFinding,
} from '../shared/inspection/inspection.ts'
import type { Strings } from '../strings/strings-for.ts'
import { createTextCleaner, type TextCleaner } from './clean-texts.ts'
import { createImageKeeper } from './embed-images.ts'
import { maxInMemoryBytes } from './inspect-session.ts'
import type { InspectedTexts } from './inspected-texts.ts'

export interface EmbedOptions {
  readonly locale: string | null
  readonly isRedacted: boolean
  /** The user's home folder, which is shown as `~`. */
  readonly home: string | null
  readonly strings: Strings['page']
  readonly whatIf: WhatIf | null
  readonly limits?: Partial<EmbedLimits>
  readonly progress?: (done: number, all: number) => void
  readonly signal?: AbortSignal | undefined
}

const usual = {
  /** Characters of one text. */
  text: 64_000,
  /** Characters of all messages; if there are more, the longest are cut further. */
  texts: 48_000_000,
  /** Characters of edits, and the same for messages that were sent in another form than stored. */
  changes: 12_000_000,
  /** Bytes of one image, and of all. */
  image: 1_000_000,
  images: 20_000_000,
  /** Messages of all views; if there are more, the page has only the latest views. */
  views: 3_000_000,
  /** Tokens to read again for views if a log is too large to be kept in memory. */
  readAgain: 60_000_000,
}

type EmbedLimits = Readonly<typeof usual>

/** Collects everything that the inspector shows of one session, for a page. */
export async function embedInspection(source: InspectedTexts, options: EmbedOptions): Promise<EmbeddedInspection> {
  const { locale, isRedacted, whatIf, progress, signal } = options
  const limits = { ...usual, ...options.limits }
  const cleaner = createTextCleaner(options)
  const images = createImageKeeper({ each: limits.image, all: limits.images }, source.blob)
  const inspection = await source.inspection(locale)
  const requests = latestRequests(inspection, limits)
  const all = inspection.messages.ids.length + requests.length + inspection.edits.length
  let done = 0
  const advance = (steps: number) => {
    done += steps
    progress?.(done, all)
    signal?.throwIfAborted()
  }

  const textLimit = levelFor(inspection.messages.tokens, limits.texts, limits.text)
  // Only Plimsoll's own sessions store images as blobs.
  const shown = inspection.session.isOwn ? shownMessage : inlinedMessage
  const clean = (message: Message, limit: number) => images.message(cleaner.message(shown(message), limit))
  const stored: Message[] = []
  const messages: InspectedMessage[] = []
  for (let from = 0; from < inspection.messages.ids.length; from += chunk) {
    const found = await source.messages(from, from + chunk)
    for (const one of found) {
      stored.push(one.message)
      messages.push({ ...one, message: await clean(one.message, textLimit) })
    }
    advance(Math.min(chunk, inspection.messages.ids.length - from))
  }

  let room = limits.changes
  const pool = createViewPool(stored, async (message) => {
    const cleaned = await clean(message, Math.max(minText, Math.min(limits.text, Math.floor(room / 100))))
    room -= JSON.stringify(cleaned).length
    return cleaned
  })
  for (const { id } of requests) {
    await pool.add(await source.request(id))
    advance(1)
  }

  const editSizes = inspection.edits.flatMap(({ tokensBefore, tokensAfter }) => [tokensBefore, tokensAfter])
  const editLimit = levelFor(editSizes, limits.changes, limits.text)
  const edits: Record<string, EditTexts> = {}
  for (const { id } of inspection.edits) {
    if (!Object.hasOwn(edits, id)) edits[id] = cleanEdit(await source.edit(id, locale), cleaner, editLimit)
    advance(1)
  }

  return {
    version: 1,
    locale,
    isRedacted,
    inspection: cleanInspection(inspection, cleaner),
    messages,
    views: pool.views,
    pool: pool.pool,
    edits,
    whatIf,
    blobs: images.blobs(),
    left: { ...cleaner.counts(), pictures: images.left(), requests: inspection.requests.length - requests.length },
  }
}

/** Messages read at a time. */
const chunk = 500
/** The characters of a text that are always shown. */
const minText = 200

/** Estimates characters from tokens, which is enough to bound the size of the page. */
function levelFor(tokens: readonly number[], budget: number, max: number): number {
  const sizes = tokens.map((count) => count * 4)
  return waterLevel(sizes, budget, { max, min: minText })
}

function latestRequests({ requests, session }: Inspection, { views, readAgain }: EmbedLimits): readonly InspectedRequest[] {
  const isHeld = !session.isOwn || (session.bytes ?? 0) <= maxInMemoryBytes
  const maxTokens = isHeld ? Number.POSITIVE_INFINITY : readAgain
  let messages = 0
  let tokens = 0
  const first = requests.findLastIndex(({ last, fill }) => {
    messages += last + 1
    tokens += fill.tokens
    return messages > views || tokens > maxTokens
  })
  return requests.slice(first + 1)
}

function cleanEdit({ before, after, trouble }: EditTexts, { text }: TextCleaner, limit: number): EditTexts {
  return { before: text(before, limit), after: text(after, limit), trouble: trouble === null ? null : text(trouble, limit) }
}

const maxName = 2000

function cleanInspection(inspection: Inspection, cleaner: TextCleaner): Inspection {
  const { session, messages, requests, edits, fill, troubles, note, recorded, findings } = inspection
  const name = (text: string) => cleaner.text(text, maxName)
  const nameOrNull = (text: string | null) => (text === null ? null : name(text))
  const cleanFill = (given: WindowFill): WindowFill => ({
    ...given,
    results: given.results.map((row) => ({ ...row, tool: name(row.tool) })),
  })
  const cleanFinding = (finding: SessionFinding): SessionFinding => {
    if (finding.kind === 'reads' || finding.kind === 'mcp' || finding.kind === 'tools')
      return { ...finding, about: name(finding.about) }
    return finding.kind === 'result' ? { ...finding, about: name(finding.about), tool: nameOrNull(finding.tool) } : finding
  }
  return {
    session: { ...session, title: nameOrNull(session.title), root: nameOrNull(session.root), model: nameOrNull(session.model) },
    messages: { ...messages, toolNames: messages.toolNames.map(name) },
    requests: requests.map((request) => ({ ...request, model: nameOrNull(request.model), fill: cleanFill(request.fill) })),
    edits: edits.map((edit) => ({ ...edit, why: name(edit.why), tool: nameOrNull(edit.tool) })),
    fill: cleanFill(fill),
    troubles: troubles.map(name),
    ...(note === undefined ? {} : { note: name(note) }),
    ...(recorded === undefined ? {} : { recorded: { ...recorded, fill: cleanFill(recorded.fill) } }),
    ...(findings === undefined ? {} : { findings: findings.map(cleanFinding) }),
  }
}

/** The limit from `min` to `max` for each size that keeps their sum within a budget, if possible. */
export function waterLevel(sizes: readonly number[], budget: number, { min, max }: { min: number; max: number }): number {
  const sorted = sizes.toSorted((one, other) => one - other)
  let rest = budget
  for (const [index, size] of sorted.entries()) {
    const share = rest / (sorted.length - index)
    if (size > share) return Math.max(min, Math.min(max, Math.floor(share)))
    rest -= size
  }
  return max
}

/**
 * Stores each view as its difference from the one before. Messages that differ from the stored ones go into the pool, once each.
 */
function createViewPool(stored: readonly Message[], clean: (message: Message) => Promise<Message>) {
  const places = new Map(stored.map(({ id }, number) => [id, number]))
  const known = new WeakMap<Message, number>()
  const byText = new Map<string, number>()
  const pool: Message[] = []
  const views: EmbeddedView[] = []
  let before: readonly number[] = []

  const numberOf = async (message: Message): Promise<number> => {
    const seen = known.get(message)
    if (seen !== undefined) return seen
    const number = await place(message)
    known.set(message, number)
    return number
  }

  const place = async (message: Message): Promise<number> => {
    const text = JSON.stringify(message)
    const own = places.get(message.id)
    if (own !== undefined && JSON.stringify(stored[own]) === text) return own
    const taken = byText.get(text)
    if (taken !== undefined) return taken
    const number = stored.length + pool.length
    pool.push(await clean(message))
    byText.set(text, number)
    return number
  }

  return {
    views: views as readonly EmbeddedView[],
    pool: pool as readonly Message[],
    async add({ id, model, isProven, messages }: SentRequest): Promise<void> {
      const numbers: number[] = []
      for (const message of messages) numbers.push(await numberOf(message))
      let kept = 0
      while (kept < numbers.length && kept < before.length && numbers[kept] === before[kept]) kept += 1
      views.push({ id, model, isProven, kept, added: numbers.slice(kept) })
      before = numbers
    },
  }
}
