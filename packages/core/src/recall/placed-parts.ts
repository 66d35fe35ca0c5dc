import { filterBinary } from '../binary/filter-binary.ts'
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

/** A part of a session where it stands, with what is known of the call it answers. */
export interface PlacedPart {
  readonly message: Message
  readonly part: Part
  readonly call: KnownCall | null
}

/** As much of a call as is worth keeping while a long session goes by. */
export interface KnownCall {
  readonly tool: string
  readonly kind: ToolKind
  /** The paths, commands or patterns it is about, joined and shortened. */
  readonly about: string
  /** What the caller wanted to know of it. */
  readonly meant: boolean
}

/** Goes through the parts of a session once, holding on to no message. `isMeant` is asked about every call as it comes by. */
export function* placedParts(
  messages: Iterable<Message>,
  facts: Facts,
  isMeant: (call: ToolCallPart, kind: ToolKind) => boolean = () => false,
): Generator<PlacedPart> {
  const calls = new Map<string, KnownCall>()
  for (const message of messages) {
    for (const part of message.parts) {
      if (part.type === 'tool-call') {
        const call = knownCall(part, facts, isMeant)
        calls.set(part.callId, call)
        yield { message, part, call }
      } else {
        const id = part.type === 'tool-result' ? part.callId : null
        yield { message, part, call: id === null ? null : (calls.get(id) ?? null) }
      }
    }
  }
}

/** Where a part's text stands. */
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

/** The origin of a result by the handle of its complete text. */
export function originOfResult(placed: PlacedPart): Origin {
  return originOf(placed, placed.part.type === 'tool-result' ? resultHandle(placed.part) : '')
}

function knownCall(part: ToolCallPart, facts: Facts, isMeant: (call: ToolCallPart, kind: ToolKind) => boolean): KnownCall {
  const rules = toolRules(part.tool, facts.tools)
  const input = rules === null ? null : callInput(part)
  const kind = rules === null ? 'other' : input === null ? rules.kind : (rules.kindOf?.(input) ?? rules.kind)
  const about = input === null ? '' : labelText((rules?.about?.(input) ?? []).slice(0, 20).join(', '), longestAbout)
  return { tool: part.tool, kind, about, meant: isMeant(part, kind) }
}

const longestAbout = 120

/**
 * The texts of a part that a view may have named by their handle: what was said or printed, each text of a list, and the same
 * without binary data, which is what later cuts were made of.
 */
export function textsOf({ message, part }: PlacedPart, facts: Facts): readonly string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text]
  if (part.type !== 'tool-result') return []
  const texts = textsOfResult(part)
  const shown = withoutBinary(message, part, facts)
  return shown === part ? texts : [...texts, ...textsOfResult(shown)]
}

/** The handles of `textsOf`, in the same order, worked out once for each part. */
export function handlesOf(placed: PlacedPart, facts: Facts): readonly string[] {
  const { part } = placed
  const known = remembered.get(part)
  if (known !== undefined && known.strings === facts.strings) return known.handles
  const handles = textsOf(placed, facts).map((text, index) =>
    index === 0 && part.type === 'tool-result' && part.blob === undefined ? resultHandle(part) : handleOf(text),
  )
  remembered.set(part, { strings: facts.strings, handles })
  return handles
}

/** A result as the model was shown it before anything was cut. */
function withoutBinary(message: Message, part: ToolResultPart, facts: Facts): ToolResultPart {
  const index = message.parts.indexOf(part)
  for (const edit of filterBinary.plan([message], facts)) {
    if (edit.kind === 'replace' && edit.part === index && edit.with.type === 'tool-result') return edit.with
  }
  return part
}

const remembered = new WeakMap<Part, { readonly strings: Facts['strings']; readonly handles: readonly string[] }>()

function textsOfResult(part: ToolResultPart): readonly string[] {
  const text = resultText(part)
  if (part.content.type !== 'list') return [text]
  const items = part.content.items.flatMap((item) => (item.type === 'text' ? [item.text] : []))
  return items.length === 1 ? [text] : [text, ...items]
}

/** A text with its handle. */
interface NamedText {
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

/** The complete text of a result, the way to one that is too large to be held lightly, or why there is neither. */
export type WholeText =
  | { readonly text: string; readonly found: { readonly large?: LargeOriginal } }
  | { readonly trouble: string }

/** A text that is read piece by piece. */
export interface LargeOriginal {
  readonly text: LargeText
  /** All of it after all, for who wants that; null where it cannot be held. */
  readonly whole: () => string | null
}

/** Reads the complete text of a result from wherever it lies. */
export function wholeText(part: ToolResultPart, source: RecallSource): WholeText {
  if (part.blob === undefined) return { text: resultText(part), found: {} }
  const large = source.large?.(part) ?? null
  if (large !== null && 'trouble' in large) return large
  const whole = (): { readonly text: string } | { readonly trouble: string } => {
    const read = source.whole(part)
    return 'trouble' in read ? read : { text: resultText(read.part) }
  }
  if (large !== null) return { text: '', found: { large: { text: large.text, whole: () => textIn(whole()) } } }
  const read = whole()
  return 'trouble' in read ? read : { ...read, found: {} }
}

function textIn(read: { readonly text: string } | { readonly trouble: string }): string | null {
  return 'text' in read ? read.text : null
}

/** What somebody wrote, as it can stand in a sentence. */
export function quoted(given: string): string {
  const text = [...given.slice(0, 120)].slice(0, 60).join('')
  return JSON.stringify(text.length < given.length ? `${text}…` : text)
}
