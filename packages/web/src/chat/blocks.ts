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

/** Something in the chat, distinguished by `kind`. Its key never changes while it is shown. */
export type Block =
  | UserBlock
  | TextBlock
  | { readonly kind: 'call'; readonly key: string; readonly call: ShownCall }
  | { readonly kind: 'summary'; readonly key: string; readonly text: string }
  | { readonly kind: 'notice'; readonly key: string; readonly notice: Notification }
  | { readonly kind: 'error'; readonly key: string; readonly error: AgentError }
  | CompactionBlock
  | { readonly kind: 'broken'; readonly key: string }
  | { readonly kind: 'turn'; readonly key: string; readonly end: TurnEnd; readonly durationMs: number }

export interface UserBlock {
  readonly kind: 'user'
  readonly key: string
  /** The id of its message, to rewind or fork by; null until it is known. */
  readonly id: string | null
  readonly text: string
  readonly images: readonly ShownImage[]
}

/** Text of the model: an answer or reasoning. */
export interface TextBlock {
  readonly kind: 'answer' | 'reasoning'
  readonly key: string
  readonly text: string
  /** Whether the answer that it belongs to is still being written. */
  readonly isOpen: boolean
  /** Set if the answer was cut off, so that it is not kept. */
  readonly isLost?: true
  readonly images?: readonly ShownImage[]
}

/** Older rounds that are being compacted, or were. */
export interface CompactionBlock {
  readonly kind: 'compaction'
  readonly key: string
  readonly start: CompactionStart | null
  readonly written: number
  readonly end: CompactionEnd | null
}

/** A call of a tool, with all that is known of it. */
export interface ShownCall {
  readonly callId: string
  readonly tool: string
  readonly input: unknown
  /** In one line, ready to be shown; empty if unknown. */
  readonly about: string
  readonly access: ToolAccess | null
  /** `missing` has no result although it does not run any more. */
  readonly status: 'running' | 'done' | 'failed' | 'refused' | 'missing'
  readonly progress: ToolProgress | null
  /** The end of its output while it runs, unprocessed. */
  readonly output: string
  readonly result: ShownResult | null
  readonly durationMs: number | null
}

export interface ShownResult {
  readonly content: ResultContent
  readonly blob: BlobReference | null
  readonly metadata: Readonly<Record<string, unknown>>
}

/** A call that has started. It is described by its input alone, so that it looks the same when it is read from the log. */
export function startedCall({ callId, tool, input, access }: Omit<ToolCallStart, 'about'>): ShownCall {
  return {
    callId,
    tool,
    input,
    about: aboutInput(tool, input),
    access,
    status: 'running',
    progress: null,
    output: '',
    result: null,
    durationMs: null,
  }
}

/** Characters of output that are held while a call runs: at least the first number, never more than the second. */
const heldOutput = [60_000, 120_000] as const

/** The same call after it has reported something: a piece of its output, or its progress. */
export function withProgress(call: ShownCall, { stage, message, progress }: ToolProgress): ShownCall {
  if (stage !== 'output') return { ...call, progress: { stage, message: visibleLine(message, 300), progress } }
  const output = call.output + message
  return { ...call, output: output.length > heldOutput[1] ? output.slice(-heldOutput[0]) : output }
}

/** The same call with its result. */
export function endedCall(call: ShownCall, { result, isError, durationMs }: ToolCallEnd): ShownCall {
  return withResult({ ...call, durationMs }, result, isError)
}

/** A call as it is stored, with its result and its duration if there are any. */
export function storedCall(part: ToolCallPart, result: ToolResultPart | null, durationMs: number | null = null): ShownCall {
  const input = callInput(part) ?? part.input
  const started = startedCall({ callId: part.callId, tool: part.tool, input, access: 'read' })
  const call: ShownCall = { ...started, access: null, status: 'missing', durationMs }
  return result === null ? call : withResult(call, result, result.isError === true)
}

/** A result whose call is unknown. */
export function strayResult(part: ToolResultPart): ShownCall {
  return storedCall({ type: 'tool-call', callId: part.callId ?? '', tool: part.tool ?? '', input: null }, part)
}

function withResult(call: ShownCall, part: Pick<ToolResultPart, 'content' | 'blob' | 'metadata'>, isError: boolean): ShownCall {
  const metadata = isRecord(part.metadata) ? part.metadata : {}
  const status = !isError ? 'done' : metadata['refused'] === true ? 'refused' : 'failed'
  const result: ShownResult = { content: part.content, blob: part.blob ?? null, metadata }
  return { ...call, result, status, progress: null, output: '' }
}

/** Describes a call by its arguments: by the table of tools, else by the first text among them. */
function aboutInput(tool: string, input: unknown): string {
  if (!isRecord(input)) return typeof input === 'string' ? visibleLine(input) : ''
  const known = toolRules(tool)?.about?.(input).slice(0, 5).join(', ') ?? ''
  if (known !== '') return visibleLine(known)
  const first = Object.values(input).find((value) => typeof value === 'string' && value.trim() !== '')
  return typeof first === 'string' ? visibleLine(first) : ''
}
