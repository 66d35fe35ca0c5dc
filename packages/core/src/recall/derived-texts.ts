import type { Facts } from '../facts.ts'
import { callInput, inputText, type Message } from '../message.ts'
import { transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText } from '../text/json-text.ts'
import type { PlacedPart } from './placed-parts.ts'
import type { RecallSource } from './recall.ts'
import { textsOf } from './texts-of-part.ts'

/** A text with its handle. */
export interface NamedText {
  readonly handle: string
  readonly text: string
}

/**
 * Texts that are nobody's own words but may be named by a handle all the same: the arguments of a call and their fields, a whole
 * message, a picture's data, and what stands behind an extract.
 */
export function* derivedTexts(placed: PlacedPart, source: RecallSource, facts: Facts): Generator<NamedText> {
  const { message, part } = placed
  if (part === message.parts[0]) yield* messageTexts(message)
  if (part.type === 'tool-call') {
    yield named(inputText(part))
    for (const text of stringsIn(callInput(part))) yield named(text)
  }
  // A picture that gave way to a line is named by its data.
  if (part.type === 'media') yield named(jsonText(part.data))
  if (part.type !== 'tool-result' || part.blob === undefined) return
  const whole = source.whole(part)
  if ('trouble' in whole) return
  const inPlace = { ...message, parts: message.parts.map((other) => (other === part ? whole.part : other)) }
  for (const text of textsOf({ ...placed, message: inPlace, part: whole.part }, facts)) yield named(text)
}

function named(text: string): NamedText {
  return { handle: handleOf(text), text }
}

function* messageTexts(message: Message): Generator<NamedText> {
  yield named(transcriptOf([message]))
  const texts = message.parts.flatMap((part) => (part.type === 'text' ? [part.text] : []))
  if (texts.length < 2) return
  for (const between of ['\n', '\n\n', '']) yield named(texts.join(between))
}

/** The strings inside a value, however it is nested, up to a depth and a number that no sane arguments have. */
export function stringsIn(value: unknown): readonly string[] {
  const strings: string[] = []
  const queue: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let at = 0; at < queue.length && at < mostValues; at += 1) {
    const { value: next, depth } = queue[at] as (typeof queue)[number]
    if (typeof next === 'string') strings.push(next)
    else if (typeof next === 'object' && next !== null && depth < deepest) {
      for (const inner of Object.values(next)) {
        if (queue.length >= mostValues) break
        queue.push({ value: inner, depth: depth + 1 })
      }
    }
  }
  return strings
}

const deepest = 20
const mostValues = 5000
