import { perItem, perList } from '../derive.ts'
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

const sumOf = perList({
  start: (_tokenizer: Tokenizer) => ({ total: 0 }),
  add(sum, message: Message, _index, tokenizer) {
    sum.total += countMessage(message, tokenizer)
  },
  change(sum, _index, was, is, tokenizer) {
    sum.total += countMessage(is, tokenizer) - countMessage(was, tokenizer)
    return true
  },
  finish: ({ total }) => total,
})

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
  const seen = new Set<object>()
  const waiting: unknown[] = [value]
  let length = 0
  while (waiting.length > 0) {
    const next = waiting.pop()
    if (typeof next === 'string') length += next.length + 2
    else if (typeof next !== 'object' || next === null) length += 5
    else if (next instanceof ArrayBuffer || ArrayBuffer.isView(next)) length += Math.ceil((next.byteLength * 4) / 3)
    else if (!seen.has(next)) {
      seen.add(next)
      length += 2
      if (Array.isArray(next)) {
        for (const item of next) waiting.push(item)
        length += next.length
      } else {
        for (const [key, field] of Object.entries(next)) {
          waiting.push(field)
          length += key.length + 4
        }
      }
    }
  }
  return length
}
