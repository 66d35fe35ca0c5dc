import { callInput, handleOf, type Part } from '@plimsoll/core'
import { isRecord } from '@plimsoll/core/text'
import type { ProviderOptions } from '@plimsoll/core/wire'
import { findJsonExcess } from '../files/json-excess.ts'
import type { ModelAnswer, ModelDelta } from './model-client.ts'
import { AnswerProblem } from './model-failure.ts'
import type { CallableModel } from './providers.ts'

export type StreamPart =
  Awaited<ReturnType<CallableModel['doStream']>>['stream'] extends ReadableStream<infer Piece> ? Piece : never

export interface AnswerOptions {
  /** Whose answer it is: what it wants back with its parts is kept under this name. */
  readonly provider: string
  readonly onDelta: (delta: ModelDelta) => void
  /** What calls without an id are named after, the same for the same request. */
  readonly seed: string
}

/**
 * Reads an answer to its end and tells each piece the moment it arrives. Throws `AnswerProblem` where the stream holds an error or
 * ends before the model did: half an answer is never taken for a whole one.
 */
export async function streamAnswer(stream: ReadableStream<StreamPart>, options: AnswerOptions): Promise<ModelAnswer> {
  const drafts: Draft[] = []
  const takeText = createTextReader(drafts, options.onDelta)
  let finish: Extract<StreamPart, { type: 'finish' }> | null = null
  const reader = stream.getReader()
  while (finish === null) {
    const { done, value: piece } = await reader.read()
    if (done) break
    if (piece.type === 'error') throw new AnswerProblem('error', 'the stream holds an error', piece.error)
    if (piece.type === 'finish') {
      finish = piece
      // Nothing of value follows, and a server may be slow to hang up. What is read to its end can be used for the next call.
      void drain(reader)
    } else if (piece.type === 'tool-call') {
      // What the provider runs itself is its own affair.
      if (piece.providerExecuted !== true) drafts.push(piece)
    } else if (piece.type === 'tool-input-delta') {
      if (piece.delta !== '') options.onDelta({ type: 'tool-input', text: piece.delta })
    } else if (isTextPiece(piece)) takeText(piece)
  }
  if (finish === null || !hasEnded(finish.finishReason)) throw new AnswerProblem('broken-off', 'the answer broke off')
  const parts = partsOf(drafts, options)
  return sayingSomething({ parts, finish: finishOf(finish.finishReason.unified, parts), usage: finish.usage })
}

/** The same answer. One of thoughts alone, or of nothing, is none, except where there was no room for a word: its usage tells why. */
export function sayingSomething(answer: ModelAnswer): ModelAnswer {
  if (answer.parts.some(({ type }) => type !== 'reasoning') || answer.finish === 'length') return answer
  if (answer.finish === 'content-filter') throw new AnswerProblem('filtered', 'the provider’s filter held the answer back')
  throw new AnswerProblem('empty', 'the model answered with nothing')
}

async function drain(reader: ReadableStreamDefaultReader<StreamPart>): Promise<void> {
  try {
    while (!(await reader.read()).done);
  } catch {
    // The answer is complete without it.
  }
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

/** Puts texts and thoughts together. Some servers use an id again after the text of that id has ended, or never begin one. */
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

/** What a provider says about a piece, whatever name it says it under. */
function optionsIn(metadata: ToolCall['providerMetadata']): Record<string, unknown> {
  return Object.assign({}, ...Object.values(metadata ?? {}).filter(isRecord)) as Record<string, unknown>
}

/** Where a stream merely stops, the AI SDK says so in one of several ways. */
function hasEnded({ unified, raw }: FinishReason): boolean {
  return unified !== 'error' && unified !== 'interrupted' && !(unified === 'other' && (raw === undefined || raw === 'error'))
}

function partsOf(drafts: readonly Draft[], { provider, seed }: AnswerOptions): readonly Part[] {
  const ids = new Set<string>()
  return drafts.flatMap((draft, index): readonly Part[] => {
    if (draft.type === 'tool-call') return [callOf(draft, provider, freeId(draft.toolCallId, `${seed} ${index}`, ids))]
    const hasOptions = Object.keys(draft.options).length > 0
    if (draft.text === '' && !hasOptions) return []
    // A thought says whose it is even where nothing else is known of it: nobody else may see it.
    const providerOptions = hasOptions || draft.type === 'reasoning' ? { providerOptions: { [provider]: draft.options } } : {}
    return [{ type: draft.type, text: draft.text, ...providerOptions }]
  })
}

function callOf({ toolName, input, providerMetadata }: ToolCall, provider: string, callId: string): Part {
  const own = optionsIn(providerMetadata)
  const providerOptions: { readonly providerOptions?: ProviderOptions } =
    Object.keys(own).length === 0 ? {} : { providerOptions: { [provider]: own } }
  const text = input.trim() === '' ? '{}' : input
  // What is nested deeper than any tool's arguments could not even be written down again.
  const isSound = findJsonExcess(text, { depth: 200, values: 1_000_000 }) === null
  const value = isSound ? callInput({ type: 'tool-call', callId, tool: toolName, input: text }) : null
  return { type: 'tool-call', callId, tool: toolName, input: value ?? text, ...providerOptions }
}

/** Two calls with one id could not be told apart; the marks of an id are those that every provider takes. */
function freeId(id: string, seed: string, taken: Set<string>): string {
  const wanted = id.trim() === '' || isDrawn.test(id) ? `call_${handleOf(seed)}` : id
  let free = wanted
  for (let count = 2; taken.has(free); count += 1) free = `${wanted}_${count}`
  taken.add(free)
  return free
}

/** Where a server names no id, the AI SDK draws one by lot; the same request would then be followed by other bytes each time. */
const isDrawn = /^[A-Za-z0-9]{16}$/

/** Some servers say `stop` where the model calls a tool. */
function finishOf(unified: FinishReason['unified'], parts: readonly Part[]): ModelAnswer['finish'] {
  if (unified === 'length' || unified === 'content-filter') return unified
  if (parts.some(({ type }) => type === 'tool-call')) return 'tool-calls'
  return unified === 'stop' ? 'stop' : 'other'
}
