import { outputReserve } from '../config.ts'
import { perItem, perSum } from '../derive.ts'
import { configOf, type Facts } from '../facts.ts'
import { type Message, mediaIn, type Part } from '../message.ts'
import type { HeavyPart, Load, Overflow } from '../report.ts'
import type { HeavyReason } from '../strings/english.ts'
import { overflowStringsFor } from '../strings/strings-for.ts'
import { jsonText } from '../text/json.ts'
import { grouped, utf8Length } from '../text/lines.ts'
import { countMessages, countPart, estimator, jsonLength } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'

export const countImages = perSum(({ parts }: Message) => parts.reduce((images, part) => images + imagesIn(part), 0))()

export function imagesIn(part: Part): number {
  return mediaIn(part).filter(({ mediaType }) => typeof mediaType === 'string' && mediaType.startsWith('image/')).length
}

/** Upper bound of the JSON size, at most six times too high: a cheap check that there is room. */
export function maxBytesOf(messages: readonly Message[]): number {
  return sumLengths(messages) * maxEscape
}

export function messageBytes(message: Message): number {
  return message.parts.reduce((sum, part) => sum + partBytes(part), messageFrame)
}

/** JSON writes some characters as `\u0000`. */
const maxEscape = 6
/** Braces, field names and ids around a part and a message, in the longest API format. */
const partFrame = 120
const messageFrame = 60

export const partBytes = perItem((part: Part) => partFrame + contentBytes(part))()

const sumLengths = perSum(({ parts }: Message) =>
  parts.reduce((length, part) => length + partFrame + jsonLength(part), messageFrame),
)()

function contentBytes(part: Part): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return valueBytes(part.text)
    case 'media':
      return valueBytes(part.data)
    case 'tool-call':
      return valueBytes(part.tool) + valueBytes(part.input)
    case 'tool-result': {
      const { content } = part
      if (content.type === 'text') return valueBytes(content.text)
      if (content.type === 'json') return valueBytes(content.value)
      return content.items.reduce((sum, item) => sum + partFrame + contentBytes(item), 0)
    }
  }
}

function valueBytes(value: unknown): number {
  const text = jsonText(value)
  return text === '' ? jsonLength(value) : utf8Length(text)
}

export interface Budget {
  readonly tokens: number
  readonly bytes: number
  readonly images: number
}

export type Excess = keyof Budget

/** The window minus the output reserve, and the provider's other limits. */
export function budgetOf(facts: Facts): Budget {
  const config = configOf(facts)
  const reserve = outputReserve(config)
  return {
    tokens: limitOf(config.context_window - (Number.isFinite(reserve) ? reserve : 0)),
    bytes: limitOf(config.request_limits.max_bytes),
    images: limitOf(config.request_limits.max_images),
  }
}

/** Smaller than the budget, so that the next request does not exceed it again. */
export function targetOf({ tokens, bytes, images }: Budget): Budget {
  return { tokens: Math.floor(tokens * 0.8), bytes: Math.floor(bytes * 0.8), images: Math.floor(images * 0.8) }
}

export function requestSize(messages: readonly Message[], facts: Facts): Budget {
  const budget = budgetOf(facts)
  return {
    tokens: createGauge(messages, facts)(countMessages(messages, facts.tokens ?? estimator)).tokens,
    bytes: countBytes(messages, budget),
    images: countImages(messages),
  }
}

/** Returns 0 without counting if there is clearly room. */
export function countBytes(messages: readonly Message[], { bytes }: Budget): number {
  return maxBytesOf(messages) <= bytes ? 0 : sumBytes(messages)
}

const sumBytes = perSum(messageBytes)()

export function excessOf(size: Budget, budget: Budget): readonly Excess[] {
  return (['tokens', 'bytes', 'images'] as const).filter((name) => size[name] > budget[name])
}

function limitOf(value: unknown): number {
  return typeof value === 'number' && !Number.isNaN(value) ? Math.max(0, value) : Number.POSITIVE_INFINITY
}

/** Which limits a view with this load exceeds and its largest parts; null if it fits. */
export function overflowOf(view: readonly Message[], load: Load, facts: Facts): Overflow | null {
  const budget = budgetOf(facts)
  const size = { tokens: load.tokens, bytes: countBytes(view, budget), images: countImages(view) }
  if (excessOf(size, budget).length === 0) return null
  return {
    tokens: size.tokens,
    limit: budget.tokens,
    bytes: size.bytes,
    maxBytes: finite(budget.bytes),
    images: size.images,
    maxImages: finite(budget.images),
    parts: heaviest(view, facts),
  }
}

const shownParts = 5

function heaviest(view: readonly Message[], facts: Facts): readonly HeavyPart[] {
  const tokenizer = facts.tokens ?? estimator
  const { why } = overflowStringsFor(configOf(facts).locale)
  const parts: HeavyPart[] = view.flatMap((message) =>
    message.parts.map((part, index) => ({
      message: message.id,
      part: index,
      tool: part.type === 'tool-call' || part.type === 'tool-result' ? part.tool : null,
      role: message.role,
      tokens: countPart(part, tokenizer),
      why: why[reasonOf(message, part)],
    })),
  )
  const overhead = facts.overhead ?? 0
  if (overhead > 0) parts.push({ message: null, part: 0, tool: null, role: 'system', tokens: overhead, why: why.overhead })
  // The sort is stable, so equal sizes keep the order of the view.
  return parts.sort((a, b) => b.tokens - a.tokens).slice(0, shownParts)
}

function reasonOf({ role, summary }: Message, part: Part): HeavyReason {
  if (summary === true) return 'summary'
  if (part.type === 'text') return role === 'tool' ? 'result' : role
  return part.type === 'tool-call' ? 'call' : part.type === 'tool-result' ? 'result' : part.type
}

function finite(limit: number): number | null {
  return Number.isFinite(limit) ? limit : null
}

/** Describes an overflow: the exceeded limits, what to do, and the largest parts. In Chinese for `zh…`, else in English. */
export function describeOverflow(
  { tokens, limit, bytes, maxBytes, images, maxImages, parts }: Overflow,
  locale: string | null,
): { readonly sentences: readonly string[]; readonly parts: readonly string[] } {
  const strings = overflowStringsFor(locale)
  return {
    sentences: [
      ...(tokens > limit ? [strings.tokens(grouped(tokens), grouped(limit))] : []),
      ...(maxBytes !== null && bytes > maxBytes ? [strings.bytes(grouped(bytes), grouped(maxBytes))] : []),
      ...(maxImages !== null && images > maxImages ? [strings.images(grouped(images), grouped(maxImages))] : []),
      strings.whatToDo,
    ],
    parts: parts.map((part) => strings.part(grouped(part.tokens), part.message, part.why)),
  }
}
