import { digestOf } from '../compression/digest-of.ts'
import type { Facts } from '../facts.ts'
import { handleOf } from '../hash.ts'
import { jsonText } from '../json-text.ts'
import { callInput, type Message, type Part, resultText, type ToolResultPart } from '../message.ts'
import { limitToolOutput } from '../policies/limit-tool-output.ts'
import { toolResults } from '../tool-results.ts'
import type { PlacedPart } from './placed-parts.ts'
import type { RecallSource } from './recall.ts'
import { withoutBinary } from './texts-of-part.ts'
import { inputText, transcriptOf } from './transcript.ts'

/** A text with its handle. */
export interface NamedText {
  readonly handle: string
  readonly text: string
}

/**
 * Texts that are nobody's own words but may be named by a handle all the same: the arguments of a call and their fields, a whole
 * message, what stands behind an extract, and what one stage of the view left for the next to cut.
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
  if (part.type !== 'tool-result') return
  yield* stages(message, part, placed, facts)
  if (part.blob === undefined) return
  const whole = source.whole(part)
  if ('trouble' in whole) return
  yield named(resultText(whole.part))
  const inPlace = { ...message, parts: message.parts.map((other) => (other === part ? whole.part : other)) }
  yield* stages(inPlace, whole.part, placed, facts)
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

/** What each stage shows of a result on its own, which the next one may cut. */
function* stages(message: Message, part: ToolResultPart, { call }: PlacedPart, facts: Facts): Generator<NamedText> {
  const shown = withoutBinary(message, part, facts)
  const asked = call?.part ?? null
  const pair = [...(asked === null ? [] : [messageOf('assistant', asked)]), messageOf('tool', shown)]
  const [result] = toolResults(pair, { ...facts })
  const digest = result === undefined ? null : digestOf(result, facts)
  if (digest !== null) yield* textsIn(digest)
  for (const stage of digest === null ? [shown] : [shown, digest]) {
    const cuts = limitToolOutput.plan([...pair.slice(0, -1), messageOf('tool', stage)], { ...facts })
    for (const cut of cuts) if (cut.kind === 'replace' && cut.with.type === 'tool-result') yield* textsIn(cut.with)
  }
}

function messageOf(role: 'assistant' | 'tool', part: Part): Message {
  return { id: role, role, parts: [part] }
}

function* textsIn(part: ToolResultPart): Generator<NamedText> {
  yield named(resultText(part))
  if (part.content.type !== 'list') return
  for (const item of part.content.items) if (item.type === 'text') yield named(item.text)
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
