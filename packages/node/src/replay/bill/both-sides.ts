import type { Message } from '@plimsoll/core'
import { type Cost, costOfTurn, type Price, promptTotal, type Usage, usageTotal } from '@plimsoll/core/bill'
import type { RecordedSession, RecordedStep } from '../record-session.ts'
import { soundUsage } from './calibrate.ts'
import { type PriceRow, priceOfRow, priceRows } from './price-rows.ts'

/** A request as recorded and as a policy set would have sent it, both in the provider's tokens and at the same price. */
export interface BothSides {
  readonly recorded: Side
  /** Whether the provider reported the recorded usage. If not, it is estimated. */
  readonly isReported: boolean
  readonly shown: Side
  /** The provider's tokens for a counted one, if plausible, and counted tokens of the prompt and tools that the log does not have, if reports show them. */
  readonly scale: number
  readonly hidden: number
  /** How many of the recorded messages the provider read from its cache. */
  readonly readMessages: number
  /** Dollars; null without a price. */
  readonly account: SidesAccount | null
}

interface Side {
  readonly usage: Usage
  /** Null without a price. */
  readonly cost: Cost | null
}

/** The recorded cost minus `removed`, plus the other two, is the cost of what is shown. */
export interface SidesAccount {
  readonly removed: number
  /** For content after a change, which the provider had in its cache. */
  readonly rewritten: number
  /** For the definition of the recall tool. */
  readonly recallTool: number
}

export interface SidesOptions {
  readonly sizeOf: (message: Message) => number
  /** Counted tokens that the set adds to every request. */
  readonly added: number
  readonly priceOf: (step: RecordedStep) => Price | null
  /** Its cache is assumed for requests without a report and without a price. */
  readonly usual: PriceRow
}

export interface SidesInput {
  readonly step: RecordedStep
  readonly originals: readonly Message[]
  readonly view: readonly Message[]
  /** The messages that the view has in common with the one before it; null if it only continues it. */
  readonly common: number | null
  /** Whether the set kept the cache alive since the request before. Default: no. */
  readonly isKeptAlive?: boolean
}

/**
 * Compares a session, request by request, with what a policy set shows. A message that is not trimmed has the same tokens and the same
 * cost on both sides: the provider's cache is taken as reported, and ends earlier only where the view changed.
 */
export function createBothSides(session: RecordedSession, { sizeOf, added, priceOf, usual }: SidesOptions) {
  const hasReports = session.steps.some(({ usage }) => usage !== null && usageTotal(usage) > 0)
  const scaleOf = createPromptScale(session.format, hasReports ? 0 : overheadTokens)
  const recordedSums = createSums(sizeOf)
  const shownSums = createSums(sizeOf)
  const writes = createWrites(session)
  let before: { readonly segment: number; readonly at: number; readonly prompt: number } | null = null

  return ({ step, originals, view, common, isKeptAlive = false }: SidesInput): BothSides => {
    const all = recordedSums.show(originals)
    const kept = shownSums.show(view)
    const reported = step.usage !== null && usageTotal(step.usage) > 0 ? soundUsage(step.usage) : null
    const messages = all[originals.length] as number
    const { hidden, scale: shownScale, isMeant: isPlausible } = scaleOf(messages, reported)
    const price = chargedPrice(priceOf(step), reported, step.charged)
    const prompt = reported === null ? Math.round((hidden + messages) * shownScale) : promptTotal(reported)
    // What a provider bills is what it reports, even if the log can hardly be what was sent.
    const isMeant = isPlausible || session.format !== 'plimsoll'
    const scale = isMeant && hidden + messages > 0 ? prompt / (hidden + messages) : shownScale
    const last = before?.segment === step.segment ? before : null
    const assumed = price ?? priceOfRow(usual)
    const lifetime = usual.isWarm ? null : assumed.cache.lifetimeSeconds
    const isKept = last !== null && (lifetime === null || step.at - last.at <= lifetime * 1000)
    const isWarm = isKept && assumed.cache.match !== 'none'
    const usage = reported ?? writes.assumed(prompt, isWarm ? Math.min(prompt, last.prompt) : 0, step.output, assumed)
    const readTo = Math.max(usage.cacheRead, isKeptAlive && last !== null ? Math.min(prompt, last.prompt) : 0)
    const readCounted = scale > 0 ? readTo / scale - hidden : 0
    let readMessages = originals.length
    while (readMessages > 0 && (all[readMessages] as number) > readCounted) readMessages -= 1
    const rest = readCounted - (all[readMessages] as number)
    const inView = readCounted <= 0 ? 0 : readInView(originals, view, readMessages, rest, kept)
    const shownUsage = (extra: number, changed: number | null): Usage => {
      const around = hidden + extra
      const total = Math.round((around + (kept[view.length] as number)) * scale)
      const mapped = readCounted <= 0 ? readTo + extra * scale : (around + inView) * scale
      const read = isMeant ? mapped : (total * readTo) / Math.max(1, prompt)
      const upTo = changed === null ? total : (around + (kept[changed] as number)) * scale
      return writes.split(usage, total, readTo === 0 ? 0 : Math.min(Math.round(Math.min(read, upTo)), total))
    }
    before = { segment: step.segment, at: step.at, prompt }
    const shown = shownUsage(added, common)
    const costs = [usage, shownUsage(0, null), shownUsage(added, null), shown].map((one) => costOfTurn(one, price))
    const [paid = null, trimmed = null, explained = null, cost = null] = costs
    return {
      recorded: { usage, cost: paid },
      isReported: reported !== null,
      shown: { usage: shown, cost },
      scale: shownScale,
      hidden: hasReports ? hidden : 0,
      readMessages,
      account:
        paid === null || trimmed === null || explained === null || cost === null
          ? null
          : {
              removed: paid.dollars - trimmed.dollars,
              rewritten: cost.dollars - explained.dollars,
              recallTool: explained.dollars - trimmed.dollars,
            },
    }
  }
}

/** The price in the proportions of a model's, or of a usual one, at which a request costs what its log says that it did. */
export function chargedPrice(price: Price | null, usage: Usage | null, charged: number | undefined): Price | null {
  if (usage === null || charged === undefined || !(charged > 0)) return price
  const base = price ?? priceOfRow(priceRows[0] as PriceRow)
  const factor = charged / (costOfTurn(usage, base)?.dollars ?? 0)
  if (!Number.isFinite(factor)) return price
  const { input, cacheRead, cacheWrite, cacheWriteHour, output } = base
  return {
    ...base,
    input: input * factor,
    cacheRead: cacheRead * factor,
    cacheWrite: cacheWrite * factor,
    cacheWriteHour: cacheWriteHour === null ? null : cacheWriteHour * factor,
    output: output * factor,
  }
}

/** Counted tokens of the view that stand for the first messages as recorded, and for `rest` tokens of the next one. */
function readInView(
  originals: readonly Message[],
  view: readonly Message[],
  readMessages: number,
  rest: number,
  kept: readonly number[],
): number {
  const next = originals[readMessages]
  let place = next === undefined ? view.length : view.findLastIndex(({ id }) => id === next.id)
  if (place < 0) {
    const later = new Set(originals.slice(readMessages).map(({ id }) => id))
    const found = view.findIndex(({ id }) => later.has(id))
    place = found < 0 ? view.length : found
  }
  const before = kept[place] as number
  return place < view.length ? Math.min(before + rest, kept[place + 1] as number) : before
}

/**
 * Finds how many of the provider's tokens a counted token of a request is. Logs do not have the agent's prompt and tools: their size is
 * that of the first reported request minus its messages, and `unreported` before it. It stays the same, so the rest of a report is about
 * the messages. A relay may report anything, and reports of Plimsoll's own sessions are about trimmed requests; those keep the scale of
 * the request before.
 */
export function createPromptScale(format: string, unreported = 0) {
  let around: number | null = null
  let scale = 1
  return (messages: number, usage: Usage | null) => {
    const prompt = usage === null ? 0 : promptTotal(usage)
    if (around === null && prompt > 0) around = Math.max(0, prompt - messages)
    const before = around ?? unreported
    const counted = messages + before
    const isMeant =
      prompt >= Math.max(1, counted * (format === 'plimsoll' ? minOwnShare : minShare)) &&
      prompt <= counted * maxFactor + usualWindow
    if (!isMeant) return { hidden: before / scale, scale, isMeant: prompt === 0 }
    const ofMessages = (prompt - before) / messages
    const isLikely = ofMessages >= minScale && ofMessages <= maxScale
    scale = isLikely ? ofMessages : prompt / counted
    return { hidden: isLikely ? before / scale : before, scale, isMeant }
  }
}

/** Tokens before the messages, prompt and tool definitions, in sessions without reports. */
export const overheadTokens = 20_000

const minShare = 0.1
const minOwnShare = 0.75
const maxFactor = 4
const usualWindow = 200_000
/** Tokenizers differ by no more than this. */
const minScale = 0.5
const maxScale = 3

/** Adds up the sizes of the first messages, from none to all. Counts only what differs from the list before. */
function createSums(sizeOf: (message: Message) => number) {
  const sums: number[] = [0]
  let last: readonly Message[] = []
  return {
    show(messages: readonly Message[]): readonly number[] {
      let same = 0
      while (same < messages.length && messages[same] === last[same]) same += 1
      sums.length = same + 1
      for (let place = same; place < messages.length; place += 1)
        sums.push((sums[place] as number) + sizeOf(messages[place] as Message))
      last = messages
      return sums
    },
  }
}

/** Divides input that is not read from the cache as the provider does in this session: written to the cache, for an hour, or neither. */
function createWrites({ steps }: RecordedSession) {
  const isReported = steps.some(({ usage }) => (usage?.cacheWrite ?? 0) > 0)
  let hourShare: number | null = null
  const withHour = (usage: Usage): Usage =>
    hourShare === null ? usage : { ...usage, cacheWriteHour: Math.round(usage.cacheWrite * hourShare) }
  return {
    split(recorded: Usage, total: number, cacheRead: number): Usage {
      const { cacheWrite: written, cacheWriteHour: hour } = recorded
      if (written > 0 && hour !== undefined) hourShare = hour / written
      const rest = total - cacheRead
      const input = isReported || written > 0 ? Math.min(rest, recorded.input) : rest
      return withHour({ ...recorded, input, cacheRead, cacheWrite: rest - input })
    },
    /** The usage of a request that the provider did not report on. */
    assumed(total: number, cacheRead: number, output: number, price: Price): Usage {
      const isWritten = isReported || price.cacheWrite > price.input
      const rest = total - cacheRead
      return withHour({ input: isWritten ? 0 : rest, cacheRead, cacheWrite: isWritten ? rest : 0, output })
    },
  }
}
