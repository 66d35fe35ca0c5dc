import type { Message } from '@plimsoll/core'
import type { WindowFill } from '@plimsoll/core/bill'
import { inlinedMessage, shownMessage } from '../session/shown-message.ts'
import type { EmbeddedInspection, EmbeddedView, WhatIf } from '../shared/inspection/embedded-inspection.ts'
import type { EditTexts, InspectedMessage, InspectedRequest, Inspection, SentRequest } from '../shared/inspection/inspection.ts'
import type { Strings } from '../strings/strings-for.ts'
import { createTextCleaner, type TextCleaner } from './clean-texts.ts'
import { createPictureKeeper } from './embed-pictures.ts'
import { heldWhole } from './inspect-session.ts'
import type { InspectedTexts } from './inspected-texts.ts'

/** How a session goes into a page. */
export interface EmbedOptions {
  readonly locale: string | null
  readonly isRedacted: boolean
  /** The user's own folder, which is shown as `~`. */
  readonly home: string | null
  readonly strings: Strings['page']
  readonly whatIf: WhatIf | null
  readonly limits?: Partial<EmbedLimits>
  /** Told how much of the work is done. */
  readonly progress?: (done: number, all: number) => void
  readonly signal?: AbortSignal | undefined
}

/** What a page has room for. */
export interface EmbedLimits {
  /** Characters of one text. Default: 64,000. */
  readonly text: number
  /** Characters of all messages together; where they are more, the longest are cut further. Default: 48 million. */
  readonly texts: number
  /** Characters of what edits changed, and of messages that were sent otherwise than they are stored. Default: 12 million each. */
  readonly changes: number
  /** Bytes of one picture and of all. Default: 1 MB and 20 MB. */
  readonly picture: number
  readonly pictures: number
  /** Messages of all views together; where they are more, only the latest views are in the page. Default: 3 million. */
  readonly views: number
  /** Where a session's log is too large to be held, at most so many tokens are read again for views. Default: 60 million. */
  readonly readAgain: number
}

const usual: EmbedLimits = {
  text: 64_000,
  texts: 48_000_000,
  changes: 12_000_000,
  picture: 1_000_000,
  pictures: 20_000_000,
  views: 3_000_000,
  readAgain: 60_000_000,
}

/** Everything that the inspector shows of one session, in one value that a page can carry. */
export async function embedInspection(source: InspectedTexts, options: EmbedOptions): Promise<EmbeddedInspection> {
  const { locale, isRedacted, whatIf, progress, signal } = options
  const limits = { ...usual, ...options.limits }
  const cleaner = createTextCleaner(options)
  const pictures = createPictureKeeper({ each: limits.picture, all: limits.pictures }, source.blob)
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
  // Only for sessions of ours are the bytes of pictures kept where they can be asked for.
  const shown = inspection.session.isOwn ? shownMessage : inlinedMessage
  const clean = (message: Message, limit: number) => pictures.message(cleaner.message(shown(message), limit))
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
    const cleaned = await clean(message, Math.max(leastText, Math.min(limits.text, Math.floor(room / 100))))
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

  const cleanedInspection = cleanInspection(inspection, cleaner)
  return {
    version: 1,
    locale,
    isRedacted,
    inspection: cleanedInspection,
    messages,
    views: pool.views(),
    pool: pool.pool(),
    edits,
    whatIf,
    blobs: pictures.blobs(),
    left: { ...cleaner.counts(), pictures: pictures.left(), requests: inspection.requests.length - requests.length },
  }
}

/** So many messages are read at a time. */
const chunk = 500
/** However many texts there are, so many characters of each are shown. */
const leastText = 200

/** Texts are of about so many characters as their tokens say; what is counted is a bound for the page and needs no more. */
function levelFor(tokens: readonly number[], budget: number, most: number): number {
  return waterLevel(
    tokens.map((count) => count * charactersOfToken),
    budget,
    { most, least: leastText },
  )
}

const charactersOfToken = 4

/** The latest requests whose views together are not too much. */
function latestRequests({ requests, session }: Inspection, { views, readAgain }: EmbedLimits): readonly InspectedRequest[] {
  const isHeld = !session.isOwn || (session.bytes ?? 0) <= heldWhole
  const mostTokens = isHeld ? Number.POSITIVE_INFINITY : readAgain
  let messages = 0
  let tokens = 0
  const first = requests.findLastIndex(({ last, fill }) => {
    messages += last + 1
    tokens += fill.tokens
    return messages > views || tokens > mostTokens
  })
  return requests.slice(first + 1)
}

function cleanEdit({ before, after, trouble }: EditTexts, { text }: TextCleaner, limit: number): EditTexts {
  return { before: text(before, limit), after: text(after, limit), trouble: trouble === null ? null : text(trouble, limit) }
}

/** Names and reasons are short; nothing else than ids and numbers is left as it is. */
const longestName = 2000

function cleanInspection(inspection: Inspection, cleaner: TextCleaner): Inspection {
  const { session, messages, requests, edits, fill, troubles } = inspection
  const name = (text: string) => cleaner.text(text, longestName)
  const nameOrNull = (text: string | null) => (text === null ? null : name(text))
  const cleanFill = (given: WindowFill): WindowFill => ({
    ...given,
    results: given.results.map((row) => ({ ...row, tool: name(row.tool) })),
  })
  return {
    session: { ...session, title: nameOrNull(session.title), root: nameOrNull(session.root), model: nameOrNull(session.model) },
    messages: { ...messages, toolNames: messages.toolNames.map(name) },
    requests: requests.map((request) => ({ ...request, model: nameOrNull(request.model), fill: cleanFill(request.fill) })),
    edits: edits.map((edit) => ({ ...edit, why: name(edit.why), tool: nameOrNull(edit.tool) })),
    fill: cleanFill(fill),
    troubles: troubles.map(name),
  }
}

/**
 * The limit that each of many sizes has to keep so that all of them together stay within a budget: those below it stay whole. Never
 * above `most`, and never below `least`, whatever that takes.
 */
export function waterLevel(
  sizes: readonly number[],
  budget: number,
  { most, least }: { readonly most: number; readonly least: number },
): number {
  const sorted = sizes.toSorted((one, other) => one - other)
  let rest = budget
  for (const [index, size] of sorted.entries()) {
    const share = rest / (sorted.length - index)
    if (size > share) return Math.max(least, Math.min(most, Math.floor(share)))
    rest -= size
  }
  return most
}

/** Views told by what differs from one to the next. */
interface ViewPool {
  /** Adds the next view. */
  readonly add: (request: SentRequest) => Promise<void>
  readonly views: () => readonly EmbeddedView[]
  readonly pool: () => readonly Message[]
}

/**
 * A pool with no views yet. A message of a view that is one of the session's, as it is stored, is named by its number; any other is
 * taken into the pool once, after `clean` made of it what the page may show.
 */
function createViewPool(stored: readonly Message[], clean: (message: Message) => Promise<Message>): ViewPool {
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
    async add({ id, model, isProven, messages }) {
      const numbers: number[] = []
      for (const message of messages) numbers.push(await numberOf(message))
      let kept = 0
      while (kept < numbers.length && kept < before.length && numbers[kept] === before[kept]) kept += 1
      views.push({ id, model, isProven, kept, added: numbers.slice(kept) })
      before = numbers
    },
    views: () => views,
    pool: () => pool,
  }
}
