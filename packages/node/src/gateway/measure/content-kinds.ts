import { type Message, type Part, resultText } from '@plimsoll/core'
import { countMessage, countPart, estimateText, estimator, inputText, withoutMedia } from '@plimsoll/core/text'

export type KindTokens = readonly number[]

/**
 * The kinds of content that tokenizers count differently: words in lines with few, some and many symbols, digits, the symbols themselves,
 * the numbers that tools put before lines, base64 and the like, other scripts, what surrounds messages, and the rest: images and reasoning.
 */
// biome-ignore format: one list
export const contentKinds = ['prose', 'mixed', 'code', 'digits', 'symbols', 'margin', 'packed', 'foreign', 'frame', 'other'] as const

type ContentKind = (typeof contentKinds)[number]

const places = Object.fromEntries(contentKinds.map((kind, index) => [kind, index])) as Readonly<Record<ContentKind, number>>

export const noKinds: KindTokens = contentKinds.map(() => 0)

/** The estimated tokens of a message by kind of content. They add up to `countMessage`. */
export function kindsOfMessage(message: Message): KindTokens {
  const known = remembered.get(message)
  if (known !== undefined) return known
  const kinds = noKinds.slice()
  let sum = 0
  for (const part of message.parts) {
    const tokens = countPart(part, estimator)
    const inText = textOf(part)
    const found = inText === null ? null : kindsOfText(inText)
    const counted = found === null ? 0 : Math.min(tokens, total(found))
    if (found === null || counted === 0) add(kinds, part.type === 'tool-call' ? 'frame' : 'other', tokens)
    else {
      const scale = counted / total(found)
      for (const [index, amount] of found.entries()) kinds[index] = (kinds[index] as number) + amount * scale
      add(kinds, part.type === 'tool-result' && withoutMedia(part) !== part ? 'other' : 'frame', tokens - counted)
    }
    sum += tokens
  }
  add(kinds, 'frame', Math.max(countMessage(message, estimator) - sum, 0))
  remembered.set(message, kinds)
  return kinds
}

export function kindsOfText(text: string): KindTokens {
  const kinds = noKinds.slice()
  let start = 0
  while (start < text.length) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline + 1
    addLine(kinds, text.slice(start, end))
    start = end
  }
  return kinds
}

const remembered = new WeakMap<Message, KindTokens>()

function textOf(part: Part): string | null {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return inputText(part)
    case 'tool-result':
      return resultText(part)
    case 'reasoning':
    case 'media':
      return null
  }
}

/** Adds one line: runs of packed data on their own, the rest by its characters. */
function addLine(kinds: number[], line: string): void {
  const margin = lineNumber.exec(line)?.[0] ?? ''
  // Only the added tokens: a tab or a space before a word is counted with it.
  if (margin !== '') add(kinds, 'margin', Math.max(estimateText(line) - estimateText(line.slice(margin.length)), 0))
  let start = margin.length
  if (line.length >= shortestPacked)
    for (const { 0: run, index } of line.matchAll(packedRun)) {
      if (run.length < maxNameLength && !looksRandom(run)) continue
      addPlain(kinds, line.slice(start, index))
      add(kinds, 'packed', estimateText(run))
      start = index + run.length
    }
  addPlain(kinds, start === 0 ? line : line.slice(start))
}

/** As `cat -n` and the tools of agents write it. */
const lineNumber = /^ {0,8}\d{1,7}(?:\t|\u2192)/

/** Base64 and hexadecimal digits: longer than any name, or a checksum or token, which shows how more of the same would be counted. */
const shortestPacked = 40
const maxNameLength = 100
const packedRun = /[A-Za-z0-9+/_=-]{40,}/g

/** Names and paths have few capitals and digits, each base64 of random bytes has many. */
function looksRandom(run: string): boolean {
  const capitals = run.match(/[A-Z]/g)?.length ?? 0
  const digits = run.match(/[0-9]/g)?.length ?? 0
  return capitals > run.length * 0.2 && run.length - capitals - digits > run.length * 0.2 && digits > run.length * 0.05
}

function addPlain(kinds: number[], text: string): void {
  if (text === '') return
  let [letters, digits, marks, foreign] = [0, 0, 0, 0]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    // Arrows, dashes and lines decorate text of any kind.
    if (code >= 0x2000 && code <= 0x2bff) continue
    if (code > 0x2ff) foreign += 1
    else if (code >= 0x30 && code <= 0x39) digits += 1
    else if ((code | 32) >= 0x61 && (code | 32) <= 0x7a) letters += 1
    else if (code > 0x20 && code !== 0x2c && code !== 0x2e && code !== 0x27) marks += 1
  }
  const tokens = estimateText(text)
  if (foreign > (letters + marks + foreign) * 0.3) return add(kinds, 'foreign', tokens)
  // The approximate cost of digits and symbols; words are the rest.
  const inDigits = Math.min(digits * 0.4, tokens * 0.8)
  const inSymbols = Math.min(marks * 0.6, tokens * 0.8 - inDigits)
  const words = tokens - inDigits - inSymbols
  add(kinds, 'digits', inDigits)
  add(kinds, 'symbols', inSymbols)
  // Without borders, so that a line number or one more bracket changes little. Digits do not count: tools put numbers before lines.
  const density = marks / Math.max(letters + marks, 1)
  const fromProse = Math.min(density / someSymbols, 1)
  const toCode = Math.min(Math.max((density - someSymbols) / (manySymbols - someSymbols), 0), 1)
  add(kinds, 'prose', words * (1 - fromProse))
  add(kinds, 'mixed', words * (fromProse - toCode))
  add(kinds, 'code', words * toCode)
}

const someSymbols = 0.07
const manySymbols = 0.16

function add(kinds: number[], kind: ContentKind, tokens: number): void {
  kinds[places[kind]] = (kinds[places[kind]] as number) + tokens
}

function total(kinds: KindTokens): number {
  return kinds.reduce((sum, tokens) => sum + tokens, 0)
}
