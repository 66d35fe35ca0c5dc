import { withoutBinary } from '../binary/filter-binary.ts'
import { perItem } from '../derive.ts'
import type { Facts, ToolKind } from '../facts.ts'
import {
  callInput,
  inputText,
  type Message,
  mediaIn,
  type Part,
  resultText,
  type ToolCallPart,
  type ToolResultPart,
} from '../message.ts'
import { toolRules } from '../results/tools.ts'
import { resultHandle, transcriptOf } from '../results/transcript.ts'
import { handleOf } from '../text/hash.ts'
import { jsonText } from '../text/json.ts'
import { labelText } from '../text/labels.ts'
import type { LargeText, Origin, RecallSource } from './recall.ts'

export interface PlacedPart {
  readonly message: Message
  readonly part: Part
  readonly call: KnownCall | null
}

/** The facts about a call worth keeping while reading a long session. */
export interface KnownCall {
  readonly tool: string
  readonly kind: ToolKind
  /** The paths, commands or patterns it is about, joined and shortened. */
  readonly about: string
}

export function* placedParts(messages: Iterable<Message>, facts: Facts): Generator<PlacedPart> {
  const calls = new Map<string | null, KnownCall>()
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call') calls.set(part.callId, knownCall(part, facts))
      yield { message, part, call: 'callId' in part ? (calls.get(part.callId) ?? null) : null }
    }
  }
}

export function originOf({ message, part, call }: PlacedPart, handle: string): Origin {
  const result = part.type === 'tool-result' ? part : null
  return {
    handle,
    message: message.id,
    role: message.role,
    tool: call?.tool ?? result?.tool ?? null,
    about: call?.about ?? '',
    media: result === null ? [] : mediaIn(result).map(({ mediaType }) => mediaType),
  }
}

function knownCall(part: ToolCallPart, facts: Facts): KnownCall {
  const rules = toolRules(part.tool, facts.tools)
  const input = rules === null ? null : callInput(part)
  const kind = rules === null ? 'other' : input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
  const about = input === null ? '' : labelText((rules?.about?.(input) ?? []).slice(0, 20).join(', '), maxAboutLength)
  return { tool: part.tool, kind, about }
}

const maxAboutLength = 120

/** Text of a part, of each item of a list, and the same without binary data, from which later cuts are made. */
export function textsOf({ part }: Pick<PlacedPart, 'part'>, facts: Facts): readonly string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text]
  if (part.type !== 'tool-result') return []
  const texts = textsOfResult(part)
  const shown = withoutBinary(part, facts)
  return shown === part ? texts : [...texts, ...textsOfResult(shown)]
}

/** The handles of `textsOf` in the same order, cached per part. */
export function handlesOf({ part }: PlacedPart, facts: Facts): readonly string[] {
  return handlesOfPart(facts.strings)(part)
}

const handlesOfPart = perItem((part: Part, strings: Facts['strings']) =>
  textsOf({ part }, strings === undefined ? {} : { strings }).map((text, index) =>
    index === 0 && part.type === 'tool-result' && part.blob === undefined ? resultHandle(part) : handleOf(text),
  ),
)

function textsOfResult(part: ToolResultPart): readonly string[] {
  const text = resultText(part)
  if (part.content.type !== 'list') return [text]
  const items = part.content.items.flatMap((item) => (item.type === 'text' ? [item.text] : []))
  return items.length === 1 ? [text] : [text, ...items]
}

/** Other texts that a handle may name: call arguments and their fields, complete messages, image data, extracted texts. */
export function* derivedTexts({ message, part }: PlacedPart, source: RecallSource, facts: Facts): Generator<string> {
  if (part === message.parts[0]) {
    yield transcriptOf([message])
    const texts = message.parts.flatMap((other) => (other.type === 'text' ? [other.text] : []))
    if (texts.length > 1) for (const between of ['\n', '\n\n', '']) yield texts.join(between)
  }
  if (part.type === 'tool-call') {
    yield inputText(part)
    yield* stringsIn(callInput(part))
  }
  // An image replaced by a line is named by its data.
  if (part.type === 'media') yield jsonText(part.data)
  if (part.type !== 'tool-result' || part.blob === undefined) return
  const whole = source.whole(part)
  if ('trouble' in whole) return
  yield* textsOf(whole, facts)
}

export function stringsIn(value: unknown): readonly string[] {
  const strings: string[] = []
  const queue: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }]
  for (let at = 0; at < queue.length && at < maxValues; at += 1) {
    const { value: next, depth } = queue[at] as (typeof queue)[number]
    if (typeof next === 'string') strings.push(next)
    else if (typeof next === 'object' && next !== null && depth < maxDepth) {
      for (const inner of Object.values(next)) {
        if (queue.length >= maxValues) break
        queue.push({ value: inner, depth: depth + 1 })
      }
    }
  }
  return strings
}

const maxDepth = 20
const maxValues = 5000

type WholeText = { readonly text: string; readonly found: { readonly large?: LargeOriginal } } | { readonly trouble: string }

export interface LargeOriginal {
  readonly text: LargeText
  /** The complete text if the caller wants it anyway; null if it does not fit in memory. */
  readonly whole: () => string | null
}

/** The complete text of a result, a reader for one that is too large, or the problem. */
export function wholeText(part: ToolResultPart, source: RecallSource): WholeText {
  if (part.blob === undefined) return { text: resultText(part), found: {} }
  const large = source.large?.(part) ?? null
  if (large !== null && 'trouble' in large) return large
  const read = () => source.whole(part)
  if (large === null) {
    const whole = read()
    return 'trouble' in whole ? whole : { text: resultText(whole.part), found: {} }
  }
  const whole = () => {
    const all = read()
    return 'trouble' in all ? null : resultText(all.part)
  }
  return { text: '', found: { large: { text: large.text, whole } } }
}

export function quoted(given: string): string {
  const text = [...given.slice(0, 120)].slice(0, 60).join('')
  return JSON.stringify(text.length < given.length ? `${text}…` : text)
}
