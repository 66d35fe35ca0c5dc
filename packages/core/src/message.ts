import { perItem } from './derive.ts'
import { isNestedDeeper, jsonText, parseJson, parseJsonData } from './text/json.ts'

/** The author of a message. A tool result is always a separate message. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** One message of a conversation, as read from any API format. Immutable. */
export interface Message {
  readonly id: string
  readonly role: Role
  readonly parts: readonly Part[]
  /** When the message was written, in milliseconds, if logged. */
  readonly at?: number
  /** Set on a summary of older messages. */
  readonly summary?: true
}

/** A part of a message, discriminated by `type`. */
export type Part = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart

/** Signatures and ids that a provider wants back with a part, by provider. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

/** An image, a file, or a vendor's own block: carried and counted, never read or rewritten as text. */
export interface MediaPart {
  readonly type: 'media'
  /** Such as `image/png`; `vendor/<type>` for an unknown block. */
  readonly mediaType: string
  /** The vendor's own value. */
  readonly data: unknown
}

/** A model's call of a tool. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly callId: string
  readonly tool: string
  /** The arguments as the API format has them: a JSON string or a parsed value. Read them with `callInput`. */
  readonly input: unknown
  /** Set if the call is waiting for approval and may have no result yet. */
  readonly pending?: true
  readonly providerOptions?: ProviderOptions
}

/** The result of a tool call. Read its text with `resultText`. */
export interface ToolResultPart {
  readonly type: 'tool-result'
  /** Null in a log without call ids. */
  readonly callId: string | null
  /** The tool's name, if the result or its call has one. */
  readonly tool: string | null
  readonly content: ResultContent
  /** The API format's own error flag. Use `isError` for a full check. */
  readonly isError?: boolean
  /** The specification's `messageStatus`. */
  readonly status?: string
  /** Where the full content is stored if this part is only an extract. */
  readonly blob?: BlobReference
  /** For the UI and the rules, such as an exit code, what was on stderr, or the path of an image. Models never see it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

export type ResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'list'; readonly items: readonly (TextPart | MediaPart)[] }

/** The output of a command per stream. */
export interface Streams {
  /** Stdout, perhaps only its first and last lines; null if unknown. */
  readonly stdout: string | null
  /** The lines of the whole of stdout; null if unknown. */
  readonly stdoutLines: number | null
  /** Stderr, perhaps only its last lines. */
  readonly stderr: string
}

/** Content stored outside the log, by its sha256. */
export interface BlobReference {
  readonly sha256: string
  readonly bytes: number
  /** The handle of the full text, if it is a text. */
  readonly handle?: string
  /** How to decode the stored bytes. Default: as text. */
  readonly form?: 'text' | 'quoted' | 'json' | 'texts'
}

/** The text of a result as a reader would see it, without images. */
export function resultText(part: ToolResultPart): string {
  const { content } = part
  return content.type === 'text' ? content.text : contentText(content)
}

/** The arguments of a call as an object, or null if they are not one. Parsed once per part. */
export function callInput(part: ToolCallPart): Readonly<Record<string, unknown>> | null {
  return readInput(part)
}

/** The arguments of a call as text, unchanged if they already are text. */
export function inputText({ input }: ToolCallPart): string {
  return valueText(input)
}

/** The texts of a message, joined by newlines. */
export function messageText({ parts }: Message): string {
  return listText(parts)
}

/** Replaces the shown text: in a list, of its first text block; other text blocks go, media stay. The same part if unchanged. */
export function withShownText(part: ToolResultPart, text: string): ToolResultPart {
  return text === resultText(part) ? part : { ...part, content: contentShowing(part.content, text) }
}

/** Removes images and other media from a result; the same part if it has none. */
export function withoutMedia(part: ToolResultPart): ToolResultPart {
  const { content } = part
  if (content.type !== 'list' || content.items.every(({ type }) => type === 'text')) return part
  return { ...part, content: { type: 'list', items: content.items.filter(({ type }) => type === 'text') } }
}

/** The images, files and vendor blocks of a part or in a result. */
export function mediaIn(part: Part): readonly MediaPart[] {
  if (part.type === 'media') return [part]
  return part.type === 'tool-result' && part.content.type === 'list'
    ? part.content.items.filter((item) => item.type === 'media')
    : []
}

/** A result as data: its value, or its text parsed as JSON; undefined if it is not JSON. */
export function resultData(part: ToolResultPart): unknown {
  const { content } = part
  return content.type === 'json' && typeof content.value !== 'string' ? content.value : parseJsonData(resultText(part))
}

interface ContentChanges {
  readonly text?: (text: string) => string
  readonly value?: (value: unknown) => unknown
  readonly media?: (part: MediaPart) => TextPart | MediaPart
}

/** Changes texts, value and media of a result in place; the same object if nothing differs. */
export function withContent<Result extends Pick<ToolResultPart, 'content'>>(result: Result, changes: ContentChanges): Result {
  const content = changedContent(result.content, changes)
  return content === result.content ? result : { ...result, content }
}

const contentText = perItem((content: Exclude<ResultContent, { type: 'text' }>) =>
  content.type === 'json' ? valueText(content.value) : listText(content.items),
)()

function valueText(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value)
}

function listText(items: readonly Part[]): string {
  return items.flatMap((item) => (item.type === 'text' ? [item.text] : [])).join('\n')
}

function contentShowing(content: ResultContent, text: string): ResultContent {
  switch (content.type) {
    case 'text':
      return { type: 'text', text }
    case 'json':
      return typeof content.value === 'string' ? { type: 'json', value: text } : { type: 'text', text }
    case 'list':
      return { type: 'list', items: itemsShowing(content.items, text) }
  }
}

function itemsShowing(items: readonly (TextPart | MediaPart)[], text: string): readonly (TextPart | MediaPart)[] {
  const first = items.findIndex(({ type }) => type === 'text')
  if (first < 0) return [{ type: 'text', text }, ...items]
  return items.flatMap((item, index): readonly (TextPart | MediaPart)[] => {
    if (item.type === 'media') return [item]
    return index === first ? [{ ...item, text }] : []
  })
}

function changedContent(content: ResultContent, { text, value, media }: ContentChanges): ResultContent {
  switch (content.type) {
    case 'text':
      return changedText(content, text)
    case 'json': {
      const changed = value === undefined ? content.value : value(content.value)
      return changed === content.value ? content : { ...content, value: changed }
    }
    case 'list': {
      const items = content.items.map((item) => (item.type === 'text' ? changedText(item, text) : (media?.(item) ?? item)))
      return items.every((item, index) => item === content.items[index]) ? content : { ...content, items }
    }
  }
}

function changedText<Said extends { readonly text: string }>(said: Said, change: ContentChanges['text']): Said {
  const text = change === undefined ? said.text : change(said.text)
  return text === said.text ? said : { ...said, text }
}

const readInput = perItem(({ input }: ToolCallPart): Readonly<Record<string, unknown>> | null => {
  if (typeof input !== 'string') return isRecord(input) ? input : null
  // A value nested too deeply can be parsed but never written again, which would block every later request.
  const value = isNestedDeeper(input, deepestInput) ? undefined : parseJson(input)
  return isRecord(value) ? value : null
})()

const deepestInput = 500

/** Whether a value is an object and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
