import { callInput, handleOf, type Part } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import { findJsonExcess } from '../files/json-excess.ts'
import { AnswerProblem, type ModelAnswer, type ModelDelta } from './model-client.ts'
import type { CallableModel } from './providers.ts'

export type StreamPart =
  Awaited<ReturnType<CallableModel['doStream']>>['stream'] extends ReadableStream<infer Piece> ? Piece : never

export interface AnswerOptions {
  /** Provider options of its parts are stored under this name. */
  readonly provider: string
  readonly onDelta: (delta: ModelDelta) => void
  /** The same for the same request: ids are made of it for calls without one. */
  readonly seed: string
}

/** Reports each piece at once. Throws `AnswerProblem` if the stream holds an error, or ends early. */
export async function streamAnswer(stream: ReadableStream<StreamPart>, options: AnswerOptions): Promise<ModelAnswer> {
  const drafts: Draft[] = []
  const takeText = createTextReader(drafts, options.onDelta)
  let finish: Extract<StreamPart, { type: 'finish' }> | null = null
  const reader = stream.getReader()
  while (finish === null) {
    const { done, value: piece } = await reader.read()
    if (done) break
    if (piece.type === 'error') throw new AnswerProblem('error', 'the stream contains an error', piece.error)
    if (piece.type === 'finish') {
      finish = piece
      // A server may be slow to hang up; a connection that was read to its end can be reused.
      drain(reader).catch(() => undefined)
    } else if (piece.type === 'tool-call') {
      if (piece.providerExecuted !== true) drafts.push(piece)
    } else if (piece.type === 'tool-input-delta') {
      if (piece.delta !== '') options.onDelta({ type: 'tool-input', text: piece.delta })
    } else if (isTextPiece(piece)) takeText(piece)
  }
  const { unified = 'error', raw } = finish?.finishReason ?? {}
  // If a stream merely stops, the AI SDK reports that in one of several ways.
  const isCut =
    unified === 'error' || unified === 'interrupted' || (unified === 'other' && (raw === undefined || raw === 'error'))
  if (finish === null || isCut) throw new AnswerProblem('broken-off', 'the answer was cut off')
  const parts = partsOf(drafts, options)
  return sayingSomething({ parts, finish: finishOf(finish.finishReason.unified, parts), usage: finish.usage })
}

/** Throws for an answer without text or calls, except if it had no room for any: its usage shows why. */
export function sayingSomething(answer: ModelAnswer): ModelAnswer {
  if (answer.parts.some(({ type }) => type !== 'reasoning') || answer.finish === 'length') return answer
  if (answer.finish === 'content-filter') throw new AnswerProblem('filtered', 'the provider’s content filter withheld the answer')
  throw new AnswerProblem('empty', 'the model returned an empty answer')
}

async function drain(reader: ReadableStreamDefaultReader<StreamPart>): Promise<void> {
  while (!(await reader.read()).done);
}

interface TextDraft {
  readonly type: 'text' | 'reasoning'
  text: string
  options: Record<string, unknown>
}

type ToolCall = Extract<StreamPart, { type: 'tool-call' }>
type Draft = TextDraft | ToolCall
type FinishReason = Extract<StreamPart, { type: 'finish' }>['finishReason']

type TextPiece = Extract<StreamPart, { type: `${TextDraft['type']}-${'start' | 'delta' | 'end'}` }>

function isTextPiece(piece: StreamPart): piece is TextPiece {
  return /^(?:text|reasoning)-(?:start|delta|end)$/.test(piece.type)
}

/** Some servers reuse an id after the text of that id has ended, or never start one. */
function createTextReader(drafts: Draft[], onDelta: AnswerOptions['onDelta']): (piece: TextPiece) => void {
  const open = new Map<string, TextDraft>()
  return (piece) => {
    const [type, moment] = piece.type.split('-') as [TextDraft['type'], string]
    const key = `${type} ${piece.id}`
    let draft = moment === 'start' ? undefined : open.get(key)
    if (draft === undefined) {
      draft = { type, text: '', options: {} }
      drafts.push(draft)
      open.set(key, draft)
    }
    Object.assign(draft.options, optionsIn(piece.providerMetadata))
    if (moment === 'end') open.delete(key)
    if (!('delta' in piece) || piece.delta === '') return
    draft.text += piece.delta
    onDelta({ type, text: piece.delta })
  }
}

function optionsIn(metadata: ToolCall['providerMetadata']): Record<string, unknown> {
  return Object.assign({}, ...Object.values(metadata ?? {}).filter(isRecord)) as Record<string, unknown>
}

function partsOf(drafts: readonly Draft[], { provider, seed }: AnswerOptions): readonly Part[] {
  const ids = new Set<string>()
  return drafts.flatMap((draft, index): readonly Part[] => {
    if (draft.type === 'tool-call') return [callOf(draft, provider, freeId(draft.toolCallId, `${seed} ${index}`, ids))]
    const hasOptions = Object.keys(draft.options).length > 0
    if (draft.text === '' && !hasOptions) return []
    // Reasoning always names its provider: no other may get it.
    const providerOptions = hasOptions || draft.type === 'reasoning' ? { providerOptions: { [provider]: draft.options } } : {}
    return [{ type: draft.type, text: draft.text, ...providerOptions }]
  })
}

function callOf({ toolName, input, providerMetadata }: ToolCall, provider: string, callId: string): Part {
  const own = optionsIn(providerMetadata)
  const providerOptions = Object.keys(own).length === 0 ? {} : { providerOptions: { [provider]: own } }
  const text = input.trim() === '' ? '{}' : input
  // Deeper arguments could not be written again.
  const isSound = findJsonExcess(text, { depth: 200, values: 1_000_000 }) === null
  const value = isSound ? callInput({ type: 'tool-call', callId, tool: toolName, input: text }) : null
  return { type: 'tool-call', callId, tool: toolName, input: value ?? text, ...providerOptions }
}

/** Makes ids unique, with characters that every provider takes. */
function freeId(id: string, seed: string, taken: Set<string>): string {
  const wanted = id.trim() === '' || isDrawn.test(id) ? `call_${handleOf(seed)}` : id
  let free = wanted
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${count}`
  taken.add(free)
  return free
}

/** The AI SDK draws a random id if a server names none; then a repeated request would have different bytes. */
const isDrawn = /^[A-Za-z0-9]{16}$/

/** Some servers report `stop` if the model calls a tool. */
function finishOf(unified: FinishReason['unified'], parts: readonly Part[]): ModelAnswer['finish'] {
  if (unified === 'length' || unified === 'content-filter') return unified
  if (parts.some(({ type }) => type === 'tool-call')) return 'tool-calls'
  return unified === 'stop' ? 'stop' : 'other'
}
