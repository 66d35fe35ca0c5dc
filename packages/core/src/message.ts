import { perItem } from './derive.ts'
import { isNestedDeeper, jsonText, parseJson, parseJsonData } from './text/json.ts'

/** Who a message speaks for. A tool's answer is always a message of its own. */
export type Role = 'system' | 'user' | 'assistant' | 'tool'

/** One message of a conversation, in the form every dialect is read into. Never changed after it was made. */
export interface Message {
  readonly id: string
  readonly role: Role
  readonly parts: readonly Part[]
  /** When the message was written, in milliseconds, where the log says so. */
  readonly at?: number
  /** Set on a message that stands for older, folded ones. */
  readonly summary?: true
}

/** A piece of a message, told apart by `type`. */
export type Part = TextPart | ReasoningPart | MediaPart | ToolCallPart | ToolResultPart

/** What a provider wants back with a part, by provider: signatures and ids that nobody else can read. */
export type ProviderOptions = Readonly<Record<string, Readonly<Record<string, unknown>>>>

/** What was said. */
export interface TextPart {
  readonly type: 'text'
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

/** What the model thought before it spoke. */
export interface ReasoningPart {
  readonly type: 'reasoning'
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

/** An image, a file, or a vendor's own block: carried and counted, never read or rewritten as text. */
export interface MediaPart {
  readonly type: 'media'
  /** Such as `image/png`; `vendor/<type>` for a block that Plimsoll does not know. */
  readonly mediaType: string
  /** The vendor's own value. */
  readonly data: unknown
}

/** A tool that was asked for, with its arguments. */
export interface ToolCallPart {
  readonly type: 'tool-call'
  readonly callId: string
  readonly tool: string
  /** The arguments as the dialect holds them: a JSON string or a parsed value. Read them with `callInput`. */
  readonly input: unknown
  /** Set where the answer is legally missing: a call that waits for approval. */
  readonly pending?: true
  readonly providerOptions?: ProviderOptions
}

/** What a tool answered to one call. */
export interface ToolResultPart {
  readonly type: 'tool-result'
  /** The id of the call, or null in a log that has none. */
  readonly callId: string | null
  /** The tool's name where result or call gives it. */
  readonly tool: string | null
  readonly content: ResultContent
  /** The dialect's own error flag. Ask `isError` for the whole answer. */
  readonly isError?: boolean
  /** The specification's `messageStatus`, where there is one. */
  readonly status?: string
  /** Where the complete content lives when this part holds only an extract. */
  readonly blob?: BlobReference
  /** What interfaces show beside it, such as an exit code or the path of a picture. Models never see it. */
  readonly metadata?: Readonly<Record<string, unknown>>
}

/** What a tool answered. */
export type ResultContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'json'; readonly value: unknown }
  | { readonly type: 'list'; readonly items: readonly (TextPart | MediaPart)[] }

/** Content kept outside the log, by its sha256. */
export interface BlobReference {
  readonly sha256: string
  readonly bytes: number
  /** The handle of the complete text, where it is one. */
  readonly handle?: string
  /** How the stored bytes become the content again. Default: they are its text. */
  readonly form?: 'text' | 'quoted' | 'json' | 'texts'
}

/** The text of a result as a reader of the conversation would see it, pictures left out. */
export function resultText(part: ToolResultPart): string {
  const { content } = part
  return content.type === 'text' ? content.text : contentText(content)
}

/** The arguments of a call as an object, or null when they are not a readable object. Parsed once per part. */
export function callInput(part: ToolCallPart): Readonly<Record<string, unknown>> | null {
  return readInput(part)
}

/** The arguments of a call as text: as the dialect wrote them where it wrote text. */
export function inputText({ input }: ToolCallPart): string {
  return valueText(input)
}

/** What a message says in words, its texts one under the other. */
export function messageText({ parts }: Message): string {
  return listText(parts)
}

/**
 * The same result showing another text, in the form its client uses: a text stays a text, and a list stays a list with the text in
 * its first text block. Other text blocks go, media stay where they are. The same part if it shows that text already.
 */
export function withShownText(part: ToolResultPart, text: string): ToolResultPart {
  return text === resultText(part) ? part : { ...part, content: contentShowing(part.content, text) }
}

/** The same result without its pictures and other media; the same part if it has none. */
export function withoutMedia(part: ToolResultPart): ToolResultPart {
  const { content } = part
  if (content.type !== 'list' || content.items.every(({ type }) => type === 'text')) return part
  return { ...part, content: { type: 'list', items: content.items.filter(({ type }) => type === 'text') } }
}

/** The pictures, files and vendor's blocks of a part: itself, or those beside the text of a result. */
export function mediaIn(part: Part): readonly MediaPart[] {
  if (part.type === 'media') return [part]
  return part.type === 'tool-result' && part.content.type === 'list'
    ? part.content.items.filter((item) => item.type === 'media')
    : []
}

/** What a tool answered as data: its value, or what its text is as JSON; undefined if it is none. */
export function resultData(part: ToolResultPart): unknown {
  const { content } = part
  return content.type === 'json' && typeof content.value !== 'string' ? content.value : parseJsonData(resultText(part))
}

/** How the pieces of a result are changed. Default: they stay. */
interface ContentChanges {
  readonly text?: (text: string) => string
  readonly value?: (value: unknown) => unknown
  readonly media?: (part: MediaPart) => TextPart | MediaPart
}

/** The same result with its texts, its value and its media changed where they are; the very same if nothing is different. */
export function withContent<Result extends Pick<ToolResultPart, 'content'>>(result: Result, changes: ContentChanges): Result {
  const content = changedContent(result.content, changes)
  return content === result.content ? result : { ...result, content }
}

const contentText = perItem((content: Exclude<ResultContent, { type: 'text' }>) =>
  content.type === 'json' ? valueText(content.value) : listText(content.items),
)()

/** What JSON cannot write has no text; it is carried as it is. */
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
  // What is nested without end can be read and never be written again, and then no request could be made any more.
  const value = isNestedDeeper(input, deepestInput) ? undefined : parseJson(input)
  return isRecord(value) ? value : null
})()

const deepestInput = 500

/** Whether a value is a plain object whose fields may be looked up. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
