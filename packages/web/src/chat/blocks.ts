import { callInput, type ToolCallPart, type ToolResultPart } from '@plimsoll/core'
import { toolRules } from '@plimsoll/core/policies'
import { isRecord } from '@plimsoll/core/text'
import type { BlobReference, ResultContent } from '@plimsoll/core/wire'
import type {
  AgentError,
  CompactionEnd,
  CompactionStart,
  Notification,
  ToolAccess,
  ToolCallEnd,
  ToolCallStart,
  ToolProgress,
  TurnEnd,
} from '../../../node/src/shared/event.ts'
import { visibleLine } from '../parts/safe-text.ts'
import type { ShownImage } from '../parts/shown-image.ts'

/** Something that stands in the chat, told apart by `kind`. The key stays with it as long as it is shown. */
export type Block =
  | UserBlock
  | WordsBlock
  | { readonly kind: 'call'; readonly key: string; readonly call: ShownCall }
  /** What stands in the conversation for older messages. */
  | { readonly kind: 'summary'; readonly key: string; readonly text: string }
  | { readonly kind: 'notice'; readonly key: string; readonly notice: Notification }
  | { readonly kind: 'error'; readonly key: string; readonly error: AgentError }
  | CompactionBlock
  /** A message that could not be read. */
  | { readonly kind: 'broken'; readonly key: string }
  | { readonly kind: 'turn'; readonly key: string; readonly end: TurnEnd; readonly durationMs: number }

/** What the user said. */
export interface UserBlock {
  readonly kind: 'user'
  readonly key: string
  /** The id of its message, to rewind or fork by; null until that is known. */
  readonly id: string | null
  readonly text: string
  readonly images: readonly ShownImage[]
}

/** What the model said, or thought. */
export interface WordsBlock {
  readonly kind: 'answer' | 'reasoning'
  readonly key: string
  readonly text: string
  /** Whether the answer that it belongs to is still being written. */
  readonly isOpen: boolean
  /** Set where the answer broke off, so that it is not kept. */
  readonly isLost?: true
  /** Pictures that the model made. */
  readonly images?: readonly ShownImage[]
}

/** Older rounds that are being folded, or were. */
export interface CompactionBlock {
  readonly kind: 'compaction'
  readonly key: string
  readonly start: CompactionStart | null
  /** Characters of the summary so far. */
  readonly written: number
  readonly end: CompactionEnd | null
}

/** How a call stands. `missing` has no result although nobody works on it any more. */
export type CallStatus = 'running' | 'done' | 'failed' | 'refused' | 'missing'

/** A call of a tool, with all that is known of it. */
export interface ShownCall {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  /** In one line, ready to be shown; empty where nobody knows. */
  readonly about: string
  readonly access: ToolAccess | null
  readonly status: CallStatus
  /** What it said last about how far it is; null where it says nothing. */
  readonly progress: ToolProgress | null
  /** The end of what it writes while it runs, as it came. */
  readonly output: string
  readonly result: ShownResult | null
  readonly durationMs: number | null
}

/** What came of a call. */
export interface ShownResult {
  readonly content: ResultContent
  readonly blob: BlobReference | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A call that was begun. */
export function startedCall({ callId, tool, input, about, access }: ToolCallStart): ShownCall {
  return {
    callId,
    tool,
    input,
    about: about === '' ? aboutInput(tool, input) : visibleLine(about),
    access,
    status: 'running',
    progress: null,
    output: '',
    result: null,
    durationMs: null,
  }
}

/** The same call after it has told something: a piece of its output, or how far it is. */
export function withProgress(call: ShownCall, { stage, message, progress }: ToolProgress): ShownCall {
  if (stage === 'output') return { ...call, output: withPiece(call.output, message) }
  return { ...call, progress: { stage, message: visibleLine(message, 300), progress } }
}

/** The same call with what came of it. */
export function endedCall(call: ShownCall, { result, isError, durationMs }: ToolCallEnd): ShownCall {
  const { content, blob, metadata } = result
  const shown: ShownResult = { content, blob: blob ?? null, metadata: isRecord(metadata) ? metadata : {} }
  return withResult({ ...call, durationMs }, shown, isError)
}

/** A call as the log keeps it, with its result where there is one. */
export function storedCall(part: ToolCallPart, result: ToolResultPart | null): ShownCall {
  const input = callInput(part) ?? part.input
  const started = startedCall({ callId: part.callId, tool: part.tool, input, about: '', access: 'read' })
  const call: ShownCall = { ...started, access: null, status: 'missing' }
  return result === null ? call : withResult(call, storedResult(result), result.isError === true)
}

/** A result whose call is not at hand. */
export function strayResult(part: ToolResultPart): ShownCall {
  const call: ToolCallPart = { type: 'tool-call', callId: part.callId ?? '', tool: part.tool ?? '', input: null }
  return storedCall(call, part)
}

function storedResult({ content, blob, metadata }: ToolResultPart): ShownResult {
  return { content, blob: blob ?? null, metadata: isRecord(metadata) ? metadata : {} }
}

function withResult(call: ShownCall, result: ShownResult, isError: boolean): ShownCall {
  const status = !isError ? 'done' : result.metadata['refused'] === true ? 'refused' : 'failed'
  return { ...call, result, status, progress: null, output: '' }
}

/** Characters of output that are held while a call runs: at least the first number, never more than the second. */
const heldOutput = [60_000, 120_000] as const

function withPiece(output: string, piece: string): string {
  const whole = output + piece
  return whole.length > heldOutput[1] ? whole.slice(-heldOutput[0]) : whole
}

/** What a call is about, from its arguments: what the table of tools says, else the first text among them. */
function aboutInput(tool: string, input: unknown): string {
  if (!isRecord(input)) return typeof input === 'string' ? visibleLine(input) : ''
  const known = toolRules(tool)?.about?.(input).slice(0, 5).join(', ') ?? ''
  if (known !== '') return visibleLine(known)
  const first = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof first === 'string' ? visibleLine(first) : ''
}
