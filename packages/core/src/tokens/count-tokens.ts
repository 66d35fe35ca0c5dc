import { perItem, perList, perSum } from '../derive.ts'
import type { Tokenizer } from '../facts.ts'
import { type MediaPart, type Message, type Part, resultText, type ToolResultPart } from '../message.ts'
import { jsonText } from '../text/json.ts'
import { estimateText } from './estimate-text.ts'

/** The built-in tokenizer: an estimate of o200k, off by about 2 % on English, code, logs, JSON and Chinese (see `estimateText`). */
export const estimator: Tokenizer = {
  name: 'estimate',
  count: (text) => (text === '' ? 0 : Math.max(1, Math.round(estimateText(text)))),
}

/** Estimates the tokens of a text or a list of messages. Never throws, needs no vocabulary, reads about 100 MB a second. */
export function estimateTokens(input: string | readonly Message[]): number {
  return typeof input === 'string' ? estimator.count(input) : countMessages(input, estimator)
}

/** The tokens of a list of messages. Each message and part is counted once per tokenizer. */
export function countMessages(messages: readonly Message[], tokenizer: Tokenizer): number {
  return sumOf(tokenizer)(messages)
}

/** The tokens before each message of a list, and of all of them at its end. */
export function countBefore(messages: readonly Message[], tokenizer: Tokenizer): readonly number[] {
  return sumsOf(tokenizer)(messages)
}

export function countMessage(message: Message, tokenizer: Tokenizer): number {
  // Most messages have one part, whose count is remembered.
  if (message.parts.length === 1) return messageFrame + countPart(message.parts[0] as Part, tokenizer)
  return messageCounts(tokenizer)(message)
}

export function countPart(part: Part, tokenizer: Tokenizer): number {
  return partCounts(tokenizer)(part)
}

/** Counts without remembering: for callers that look at very many parts once. */
export function measurePart(part: Part, tokenizer: Tokenizer): number {
  return countContent(part, tokenizer, measurePart)
}

export const messageFrame = 4
const callFrame = 8
const resultFrame = 4
/**
 * An image of any size: providers scale it down and then charge up to about 1,600 (width × height / 750, Anthropic) or 1,445 (85 + 170 for each of at
 * most eight tiles, OpenAI), and a screenshot reaches either.
 */
const imageTokens = 1500
/** A page or a few seconds of sound: base64 characters per token, and the minimum charge. */
const documentCharacters = 40
const documentTokens = 1500

const partCounts = perItem((part: Part, tokenizer: Tokenizer) => countContent(part, tokenizer, countPart))

const messageCounts = perItem(({ parts }: Message, tokenizer: Tokenizer) => {
  const countOf = partCounts(tokenizer)
  return parts.reduce((total, part) => total + countOf(part), messageFrame)
})

const sumOf = perSum(countMessage)

const sumsOf = perList({
  start: (_tokenizer: Tokenizer) => [0],
  add(before, message: Message, index, tokenizer) {
    before.push((before[index] as number) + countMessage(message, tokenizer))
  },
  change(before, index, was, is, tokenizer) {
    const more = countMessage(is, tokenizer) - countMessage(was, tokenizer)
    for (let at = index + 1; at < before.length; at += 1) before[at] = (before[at] as number) + more
    return true
  },
  finish: (before) => before.slice(),
})

function countContent(part: Part, tokenizer: Tokenizer, countOne: typeof measurePart): number {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return tokenizer.count(part.text)
    case 'media':
      return countMedia(part)
    case 'tool-call':
      return callFrame + tokenizer.count(part.tool) + countValue(part.input, tokenizer)
    case 'tool-result':
      return resultFrame + countResult(part, tokenizer, countOne)
  }
}

function countResult(part: ToolResultPart, tokenizer: Tokenizer, countOne: typeof measurePart): number {
  const { content } = part
  switch (content.type) {
    case 'text':
      return tokenizer.count(content.text)
    case 'json':
      return countWritten(resultText(part), content.value, tokenizer)
    case 'list': {
      // Texts are counted joined, so that every form of a result costs the same.
      let total = tokenizer.count(resultText(part))
      for (const item of content.items) if (item.type !== 'text') total += countOne(item, tokenizer)
      return total
    }
  }
}

function countMedia({ mediaType, data }: MediaPart): number {
  if (mediaType.startsWith('image/')) return imageTokens
  const length = jsonLength(data)
  if (mediaType.startsWith('vendor/') || mediaType.startsWith('text/') || mediaType === 'application/json')
    return Math.ceil(length / 4)
  return Math.max(documentTokens, Math.ceil(length / documentCharacters))
}

function countValue(value: unknown, tokenizer: Tokenizer): number {
  if (typeof value === 'string') return tokenizer.count(value)
  return countWritten(jsonText(value), value, tokenizer)
}

/** Counts a value as the JSON to be sent; what cannot be written (a cycle, a BigInt, very deep nesting) by its length. */
function countWritten(text: string, value: unknown, tokenizer: Tokenizer): number {
  return text === '' && typeof value !== 'string' && value !== undefined
    ? Math.ceil(jsonLength(value) / 4)
    : tokenizer.count(text)
}

/** Approximate length of a value as JSON, without writing it out. Counts cycles, deep nesting and values JSON does not know; never throws. */
export function jsonLength(value: unknown): number {
  if (!hasFields(value)) return plainLength(value)
  const found: object[] = [value]
  let seen: Set<object> | null = null
  let length = 0
  for (let at = 0; at < found.length; at += 1) {
    const next = found[at] as object
    const fields: readonly unknown[] = Array.isArray(next) ? next : Object.values(next)
    length += 2
    if (fields === next) length += fields.length
    else for (const key of Object.keys(next)) length += key.length + 4
    for (const field of fields) {
      if (!hasFields(field)) length += plainLength(field)
      else if (seen === null ? !found.includes(field) : !seen.has(field)) {
        found.push(field)
        // Most values hold few others.
        if (found.length > 8) seen = (seen ?? new Set(found)).add(field)
      }
    }
  }
  return length
}

function hasFields(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ArrayBuffer || ArrayBuffer.isView(value))
}

function plainLength(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  return typeof value === 'object' && value !== null ? Math.ceil(((value as ArrayBuffer).byteLength * 4) / 3) : 5
}
