import { kilobytes } from '../binary/filter.ts'
import { cutText, type Gap } from '../cut/cut-text.ts'
import { digestOf } from '../cut/digest/digest-of.ts'
import { cutHeadTail } from '../cut/earlier-cut.ts'
import { type Facts, stringsOf } from '../facts.ts'
import {
  isRecord,
  type MediaPart,
  type Part,
  resultText,
  type TextPart,
  type ToolCallPart,
  type ToolResultPart,
  withContent,
  withShownText,
} from '../message.ts'
import { plainResult } from '../results/plain-result.ts'
import { aboutOf, type PlacedResult, toolResults } from '../results/tool-results.ts'
import { isNestedDeeper, isPlainObject, jsonText, parseJson } from '../text/json.ts'
import { labelText } from '../text/labels.ts'
import { countCodePoints, detached, grouped } from '../text/lines.ts'
import { countPart, estimator, jsonLength } from '../tokens/count-tokens.ts'
import { createLateness, type Fitting, newestStart, showInstead } from './draft.ts'

export type Age = 'old' | 'late'

/** Each step is one attempt; the caller decides whether to continue. */
export type Steps = Generator<void, void>

/** Replaces results with digests, oldest first, errors last. */
export function* digestResults(fitting: Fitting, age: Age): Steps {
  for (const result of resultsOf(fitting, age)) {
    const source = sourceOf(fitting, result)
    const digest = digestOf({ ...result, part: source, whole: source }, fitting.facts)
    if (digest !== null && showInstead(fitting, result.index, result.partIndex, digest)) yield
  }
}

/** Cuts results above `tokens` down to it, oldest first, errors last. */
export function* cutResults(fitting: Fitting, age: Age, tokens: number): Steps {
  const tokenizer = fitting.facts.tokens ?? estimator
  for (const result of resultsOf(fitting, age)) {
    if (countPart(result.part, tokenizer) <= tokens) continue
    const handle = fitting.sources.handle(result.message, result.partIndex)
    const cut = cutResult({ result, original: sourceOf(fitting, result), handle }, tokens, fitting.facts)
    if (cut !== null && showInstead(fitting, result.index, result.partIndex, cut)) yield
  }
}

export function* cutCalls(fitting: Fitting, age: Age, maxChars: number): Steps {
  const messages = fitting.draft.messages()
  // The newest results answer these calls.
  const newest = newestStart(messages) - 1
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || index >= newest !== (age === 'late')) continue
    for (const partIndex of message.parts.keys()) {
      const source = fitting.sources.part(message, partIndex)
      const cut = source.type === 'tool-call' ? cutCall(source, maxChars, fitting.sources.handle(message, partIndex)) : null
      if (cut !== null && showInstead(fitting, index, partIndex, cut)) yield
    }
  }
}

export function* omitOldMedia(fitting: Fitting, age: Age): Steps {
  const messages = fitting.draft.messages()
  const isLate = createLateness(messages, fitting.facts)
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' || isLate(index) !== (age === 'late')) continue
    for (const [partIndex, part] of message.parts.entries()) {
      const shown = omitMedia(part, fitting.sources.handle(message, partIndex))
      if (shown !== null && showInstead(fitting, index, partIndex, shown)) yield
    }
  }
}

function resultsOf({ draft, facts }: Fitting, age: Age): readonly PlacedResult[] {
  const messages = draft.messages()
  const isLate = createLateness(messages, facts)
  // A copy of the facts, because results are cached per facts and the request's entry is still needed.
  const results = toolResults(messages, { ...facts }).filter(({ index }) => isLate(index) === (age === 'late'))
  return [...results.filter(({ isError }) => !isError), ...results.filter(({ isError }) => isError)]
}

function sourceOf({ sources }: Fitting, { message, partIndex, part }: PlacedResult): ToolResultPart {
  const source = sources.part(message, partIndex)
  return source.type === 'tool-result' ? source : part
}

/** Shortens long argument texts and names the original. JSON keeps its fields if possible. Null if nothing is long enough. */
export function cutCall(part: ToolCallPart, maxChars: number, handle: string): ToolCallPart | null {
  const { input } = part
  const cut = (text: string) => shortText(text, maxChars, handle)
  const value = typeof input !== 'string' ? input : isNestedDeeper(input, deepestWritten) ? undefined : parseJson(input)
  // Free text such as a patch, truncated arguments, or a value that can be read but not written.
  if (typeof input === 'string' && !isRecord(value) && !Array.isArray(value)) {
    const shortened = cut(input)
    return shortened === input ? null : { ...part, input: shortened }
  }
  const shortened = cutArguments(value, cut, maxChars)
  if (shortened === value) return null
  return { ...part, input: typeof input === 'string' ? JSON.stringify(shortened) : shortened }
}

const deepestWritten = 500
/** With more characters than this many long texts, the length has another cause. */
const maxTexts = 50

function cutArguments(value: unknown, cut: Walk['cut'], maxChars: number): unknown {
  const most = maxChars * maxTexts
  const shortened = cutValue(value, { cut, left: maxValues }, 0)
  const isObject = isPlainObject(shortened)
  if (!isObject && !Array.isArray(shortened)) return shortened
  if (jsonText(shortened).length <= most) return shortened
  if (isObject) {
    const flat = Object.fromEntries(Object.entries(shortened).map(([key, field]) => [key, cutWhole(field, cut)]))
    if (jsonText(flat).length <= most) return flat
  }
  return { arguments: cut(jsonText(value)) }
}

function cutWhole(value: unknown, cut: Walk['cut']): unknown {
  if (typeof value !== 'object') return value
  const text = jsonText(value)
  const shortened = cut(text)
  return shortened === text ? value : shortened
}

/** Limits of the search for long texts; also stops at circular values. */
const deepest = 8
const maxValues = 20_000

interface Walk {
  readonly cut: (text: string) => string
  left: number
}

function cutValue(value: unknown, walk: Walk, depth: number): unknown {
  walk.left -= 1
  if (walk.left < 0) return value
  if (typeof value === 'string') return walk.cut(value)
  if (depth > deepest) return value
  if (Array.isArray(value)) {
    const items = value.map((item: unknown) => cutValue(item, walk, depth + 1))
    return items.every((item, index) => item === value[index]) ? value : items
  }
  if (!isPlainObject(value)) return value
  const fields = Object.entries(value).map(([key, field]) => [key, cutValue(field, walk, depth + 1)] as const)
  return fields.every(([key, field]) => field === value[key]) ? value : Object.fromEntries(fields)
}

function shortText(text: string, maxChars: number, handle: string): string {
  // Leave a text alone if it is hardly longer than its replacement.
  if (text.length <= maxChars + 80) return text
  const gap = ({ middle }: Gap) => `… [${grouped(countCodePoints(middle))} characters cut; recall ${handle}]`
  return detached(cutText(text, { head: maxChars, in: 'characters' }, gap))
}

export interface CutSource {
  readonly result: PlacedResult
  readonly original: ToolResultPart
  readonly handle: string
}

/** Cuts a result to about `tokens`, with the handle of the original; null if not even a line with the handle fits. */
export function cutResult({ result, original, handle }: CutSource, tokens: number, facts: Facts): ToolResultPart | null {
  const text = resultText(plainResult(original))
  const tokenizer = facts.tokens ?? estimator
  const strings = stringsOf(facts)
  const sign = `\n[recall ${handle}]`
  // Most texts have three or four characters per token; retry with less if this one has fewer.
  let maxChars = tokens * 3
  for (let attempt = 0; attempt < 5 && maxChars >= minCut; attempt += 1) {
    const cut = cutHeadTail(text, maxChars - sign.length, strings, (named) => named === handle)
    const part = withShownText(result.part, cut.includes(`recall ${handle}]`) ? cut : cut + sign)
    const counted = countPart(part, tokenizer)
    if (counted <= tokens) return part
    maxChars = Math.floor((maxChars * tokens * 0.9) / counted)
  }
  const line = withShownText(result.part, resultLine(result, text, handle))
  return countPart(line, tokenizer) <= tokens ? line : null
}

function resultLine(result: PlacedResult, text: string, handle: string): string {
  const about = labelText(aboutOf(result).join(', '), maxName)
  return `[${labelText(result.tool ?? 'tool', maxName)}${about === '' ? '' : `: ${about}`}; ${grouped(countCodePoints(text))} characters; recall ${handle}]`
}

const minCut = 400

const maxName = 60

/** Replaces each image or document with a line; null if there are none. Vendor-specific blocks stay. */
export function omitMedia(part: Part, handle: string): Part | null {
  if (part.type === 'media') return isOmittable(part) ? placeholder(part, handle) : null
  if (part.type !== 'tool-result') return null
  const shown = withContent(part, { media: (item) => (isOmittable(item) ? placeholder(item, handle) : item) })
  return shown === part ? null : shown
}

function isOmittable({ mediaType }: MediaPart): boolean {
  return typeof mediaType === 'string' && /^(?:image|audio|video|application)\//.test(mediaType)
}

function placeholder({ mediaType, data }: MediaPart, handle: string): TextPart {
  const name = mediaType.slice(0, 60).replaceAll(/[^\w.+*/-]/g, '')
  return { type: 'text', text: `[${name} omitted, ${kilobytes(jsonLength(data))} KB; recall ${handle}]` }
}
