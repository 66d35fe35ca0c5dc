import type { Facts } from '../facts.ts'
import { handleOf } from '../hash.ts'
import { callInput, type Message, type Part, resultText, type ToolResultPart } from '../message.ts'
import { limitToolOutput } from '../policies/limit-tool-output.ts'
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

/** What each stage shows of a result on its own. */
function* stages(message: Message, part: ToolResultPart, { call }: PlacedPart, facts: Facts): Generator<NamedText> {
  const shown = withoutBinary(message, part, facts)
  const tool: Part = { type: 'tool-call', callId: 'call', tool: call?.tool ?? part.tool ?? '', input: {} }
  const pair = [
    { id: 'a', role: 'assistant', parts: tool.tool === '' ? [] : [tool] },
    { id: 'b', role: 'tool', parts: [{ ...shown, callId: 'call' }] },
  ] as const
  for (const edit of limitToolOutput.plan(pair, facts)) {
    if (edit.kind !== 'replace' || edit.with.type !== 'tool-result') continue
    yield named(resultText(edit.with))
    if (edit.with.content.type !== 'list') continue
    for (const item of edit.with.content.items) if (item.type === 'text') yield named(item.text)
  }
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
