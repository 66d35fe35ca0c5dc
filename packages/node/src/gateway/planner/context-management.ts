import { applyEdits, type Message, type Part, type ReplaceEdit, type Tokenizer } from '@plimsoll/core'
import { isThought, type TrimMode } from '@plimsoll/core/policies'
import { countMessages, estimator, isRecord, measurePart, reasonsFor } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Finding } from '../../store/gateway-record.ts'
import type { RelayedRequest } from '../planner.ts'
import { type AppliedContextEdit, type Clearing, type ContextEdit, clearToolUses, readContextEdit } from './context-edits.ts'
import type { UnderstoodRequest } from './understand-request.ts'

export interface ContextManagementInput {
  readonly request: unknown
  readonly messages: readonly Message[]
  /** Of the whole prompt, with system prompt and tools. */
  readonly inputTokens: number
  readonly tokenizer?: Tokenizer
  /** The language of the edits' reasons. Default: English. */
  readonly locale?: string | null
}

export interface ManagedContext {
  readonly edits: readonly ReplaceEdit[]
  /** For the answer; empty if nothing had to be cleared, null if nothing that was asked for can be done here. */
  readonly applied: readonly AppliedContextEdit[] | null
  /** Remove what was done from the request's `context_management`, so that the upstream neither refuses nor repeats it. */
  readonly patches: readonly Patch[]
  readonly findings: readonly Finding[]
}

/**
 * Does what a client asks for with `context_management.edits`, as Anthropic does: each edit on what the one before it left, and nothing is
 * remembered between requests. `compact_20260112` is done before (`../compaction`). Unknown edits, malformed ones and those that Anthropic refuses stay in the
 * request with a finding. Null if the request asks for nothing. Never throws.
 */
export function manageContext({
  request,
  messages,
  inputTokens,
  tokenizer = estimator,
  locale = null,
}: ContextManagementInput): ManagedContext | null {
  if (!isRecord(request) || request['context_management'] === undefined || request['context_management'] === null) return null
  const asked = askedEdits(request['context_management'])
  if (asked === null) return nothingDone
  if (asked.length === 0) return null
  const applied: AppliedContextEdit[] = []
  const done: number[] = []
  const why = reasonsFor(locale).clientAsked
  const editOf: Clearing['editOf'] = (message, part, shown) => {
    const id = `${contextManagementName}:${message.id}.${part}`
    return { id, policy: contextManagementName, kind: 'replace', message: message.id, part, with: shown, why }
  }
  let clearing: Clearing = { messages, inputTokens, tokenizer, editOf }
  let edits: readonly ReplaceEdit[] = []
  for (const [index, raw] of asked.entries()) {
    const edit = readContextEdit(raw)
    if (edit === null || isRefused(edit, index, request)) continue
    done.push(index)
    const outcome = applyContextEdit(edit, clearing, request)
    if (outcome === null) continue
    edits = edits.concat(outcome.edits)
    applied.push(outcome.report)
    clearing = {
      ...clearing,
      messages: applyEdits(clearing.messages, outcome.edits),
      inputTokens: clearing.inputTokens - outcome.report.cleared_input_tokens,
    }
  }
  const left = asked.length - done.length
  return {
    edits,
    applied: done.length === 0 ? null : applied,
    patches:
      left === 0 ? [{ op: 'remove', path: [field] }] : done.map((index) => ({ op: 'remove', path: [field, 'edits', index] })),
    findings: left === 0 ? [] : [{ code: 'context-management', count: left }],
  }
}

const contextManagementName = 'context-management'

const field = 'context_management'
/** Each edit reads the whole conversation. */
const maxEdits = 10

function askedEdits(management: unknown): readonly unknown[] | null {
  if (!isRecord(management)) return null
  const { edits } = management
  if (edits === undefined) return []
  return Array.isArray(edits) && edits.length <= maxEdits ? (edits as readonly unknown[]) : null
}

/** Anthropic clears reasoning first or not at all, and only if the model thinks. */
function isRefused(edit: ContextEdit, index: number, request: Readonly<Record<string, unknown>>): boolean {
  if (edit.type !== 'clear_thinking_20251015') return false
  const { thinking } = request
  return index > 0 || (isRecord(thinking) && thinking['type'] === 'disabled')
}

interface Outcome {
  readonly edits: readonly ReplaceEdit[]
  readonly report: AppliedContextEdit
}

function applyContextEdit(edit: ContextEdit, clearing: Clearing, { model }: Readonly<Record<string, unknown>>): Outcome | null {
  if (edit.type === 'clear_tool_uses_20250919') {
    const { edits, uses, tokens } = clearToolUses(edit, clearing)
    return uses === 0 ? null : { edits, report: { type: edit.type, cleared_tool_uses: uses, cleared_input_tokens: tokens } }
  }
  const keep = edit.keep ?? defaultThinkingTurns(typeof model === 'string' ? model : null)
  const { edits, turns, tokens } = clearThinking(keep, clearing)
  return turns === 0 ? null : { edits, report: { type: edit.type, cleared_thinking_turns: turns, cleared_input_tokens: tokens } }
}

const nothingDone: ManagedContext = {
  edits: [],
  applied: null,
  patches: [],
  findings: [{ code: 'context-management', count: 1 }],
}

/**
 * Clears the reasoning of all turns but the latest ones that have any. A turn lasts until the user says something other than a tool
 * result, so the reasoning with which a running chain of tool calls began, which providers require, stays whenever anything stays. So does
 * a message that has nothing else.
 */
function clearThinking(
  keep: number | 'all',
  { messages, tokenizer, editOf }: Clearing,
): { readonly edits: readonly ReplaceEdit[]; readonly turns: number; readonly tokens: number } {
  const turns = turnsWithReasoning(messages)
  const edits: ReplaceEdit[] = []
  let cleared = 0
  let tokens = 0
  for (const turn of keep === 'all' ? [] : turns.slice(0, Math.max(turns.length - keep, 0))) {
    const before = edits.length
    for (const message of turn) {
      if (message.parts.every(isThought)) continue
      for (const [index, part] of message.parts.entries()) {
        if (!isThought(part) || part === clearedReasoning) continue
        edits.push(editOf(message, index, clearedReasoning))
        tokens += measurePart(part, tokenizer)
      }
    }
    if (edits.length > before) cleared += 1
  }
  return { edits, turns: cleared, tokens }
}

/**
 * How many turns keep their reasoning by default, as published: all of them with the Opus models from 4.5 on, the Sonnet models from 4.6
 * on, Fable and Mythos; else the last one.
 */
export function defaultThinkingTurns(model: string | null): number | 'all' {
  const found = /(opus|sonnet|fable|mythos)(?:[-.](\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?)?/.exec(model?.toLowerCase() ?? '')
  if (found === null) return 1
  const [, family = '', major = '0', minor = '0'] = found
  return Number(major) * 100 + Number(minor) >= (keepsAllFrom[family] ?? 0) ? 'all' : 1
}

const keepsAllFrom: Readonly<Record<string, number>> = { opus: 405, sonnet: 406 }

/** Reasoning without text is omitted from a request. */
const clearedReasoning: Part = { type: 'reasoning', text: '' }

/** The assistant's messages with reasoning, turn by turn; turns without any are omitted. */
function turnsWithReasoning(messages: readonly Message[]): readonly (readonly Message[])[] {
  const turns: Message[][] = []
  let turn: Message[] = []
  let hasUserSpoken = true
  let hasToolAnswered = false
  for (const message of messages) {
    if (message.role === 'user') hasUserSpoken = true
    else if (message.role === 'tool') hasToolAnswered = true
    else if (message.role === 'assistant') {
      if (hasUserSpoken && !hasToolAnswered) turn = []
      hasUserSpoken = false
      hasToolAnswered = false
      if (!message.parts.some((part) => isThought(part) && part !== clearedReasoning)) continue
      if (turn.length === 0) turns.push(turn)
      turn.push(message)
    }
  }
  return turns
}

/** Null if the client asked for nothing, or if the upstream does it. If nothing may be changed, a finding says that it was asked. */
export function manageRequest(
  { dialect, isManagedUpstream }: Pick<RelayedRequest, 'dialect' | 'isManagedUpstream'>,
  { body, messages, overhead, doubt }: UnderstoodRequest,
  mode: TrimMode,
  locale: string | null,
): ManagedContext | null {
  if (dialect !== 'anthropic' || isManagedUpstream || !isRecord(body.value['context_management'])) return null
  if (mode === 'observe' || doubt !== null) return nothingDone
  const inputTokens = countMessages(messages, estimator) + overhead
  return manageContext({ request: body.value, messages, inputTokens, locale })
}
