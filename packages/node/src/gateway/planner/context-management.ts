import { applyEdits, type Message, type Part, type ReplaceEdit, type Tokenizer } from '@plimsoll/core'
import { isThought, type TrimMode } from '@plimsoll/core/policies'
import { countMessages, estimator, isRecord, measurePart, reasonsFor } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Finding } from '../../store/gateway-record.ts'
import type { AppliedEdit, RelayedRequest } from '../planner.ts'
import { type AppliedContextEdit, type Clearing, type ContextEdit, clearToolUses, readContextEdit } from './context-edits.ts'
import type { UnderstoodRequest } from './understand-request.ts'

/** A request in Anthropic's dialect that may ask for its context to be managed. */
export interface ContextManagementInput {
  /** The request, parsed. */
  readonly request: unknown
  /** Its messages, as they were read from it. */
  readonly messages: readonly Message[]
  /** All that the prompt takes, with system prompt and tools. */
  readonly inputTokens: number
  /** Counts what is cleared. Default: the estimate. */
  readonly tokenizer?: Tokenizer
  /** The language in which edits say why. Default: English. */
  readonly locale?: string | null
}

/** What was asked for with `context_management`, done. */
export interface ManagedContext {
  /** Of the messages, in the order they are to be applied. */
  readonly edits: readonly ReplaceEdit[]
  /** What the answer has to tell; empty where nothing had to be cleared, null where nothing that was asked for can be done here. */
  readonly applied: readonly AppliedContextEdit[] | null
  /** Take what was done out of the request's own `context_management`, so that nobody refuses it or does it again. */
  readonly patches: readonly Patch[]
  /** What was asked for and left to others. */
  readonly findings: readonly Finding[]
}

/**
 * Does what a client asks for with `context_management.edits`, as Anthropic does for prompts that reach its models: each edit on what
 * the one before it left, nothing remembered from one request to the next. What it does not know, such as `compact_20260112`, what is
 * malformed and what Anthropic refuses is left in the request with a finding. Null where the request asks for nothing. Never throws.
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
  if (asked === null) return { edits: [], applied: null, patches: [], findings: [leftToOthers(1)] }
  if (asked.length === 0) return null
  const applied: AppliedContextEdit[] = []
  const done: number[] = []
  const why = reasonsFor(locale).clientAsked
  let clearing: Clearing = { messages, inputTokens, tokenizer, editOf: editsBecause(why) }
  let edits: readonly ReplaceEdit[] = []
  for (const [index, raw] of asked.entries()) {
    const edit = readContextEdit(raw)
    if (edit === null || isRefused(edit, index, request)) continue
    done.push(index)
    const outcome = applyContextEdit(edit, clearing, request)
    if (outcome === null) continue
    edits = edits.concat(outcome.edits)
    applied.push(outcome.told)
    clearing = {
      ...clearing,
      messages: applyEdits(clearing.messages, outcome.edits),
      inputTokens: clearing.inputTokens - outcome.told.cleared_input_tokens,
    }
  }
  const left = asked.length - done.length
  return {
    edits,
    applied: done.length === 0 ? null : applied,
    patches:
      left === 0 ? [{ op: 'remove', path: [field] }] : done.map((index) => ({ op: 'remove', path: [field, 'edits', index] })),
    findings: left === 0 ? [] : [leftToOthers(left)],
  }
}

/** What edits of a client's own asking are called in reports. */
const contextManagementName = 'context-management'

const field = 'context_management'
/** Nobody has more to ask for; each edit reads the whole conversation. */
const mostEdits = 10

function askedEdits(management: unknown): readonly unknown[] | null {
  if (!isRecord(management)) return null
  const { edits } = management
  if (edits === undefined) return []
  return Array.isArray(edits) && edits.length <= mostEdits ? (edits as readonly unknown[]) : null
}

/** Thoughts are cleared first or not at all, and only where the model thinks: Anthropic refuses anything else. */
function isRefused(edit: ContextEdit, index: number, request: Readonly<Record<string, unknown>>): boolean {
  if (edit.type !== 'clear_thinking_20251015') return false
  const { thinking } = request
  return index > 0 || (isRecord(thinking) && thinking['type'] === 'disabled')
}

interface Outcome {
  readonly edits: readonly ReplaceEdit[]
  readonly told: AppliedContextEdit
}

function applyContextEdit(edit: ContextEdit, clearing: Clearing, { model }: Readonly<Record<string, unknown>>): Outcome | null {
  if (edit.type === 'clear_tool_uses_20250919') {
    const { edits, uses, tokens } = clearToolUses(edit, clearing)
    return uses === 0 ? null : { edits, told: { type: edit.type, cleared_tool_uses: uses, cleared_input_tokens: tokens } }
  }
  const keep = edit.keep ?? defaultThinkingTurns(typeof model === 'string' ? model : null)
  const { edits, turns, tokens } = clearThinking(keep, clearing)
  return turns === 0 ? null : { edits, told: { type: edit.type, cleared_thinking_turns: turns, cleared_input_tokens: tokens } }
}

function editsBecause(why: string): Clearing['editOf'] {
  return (message, part, shown) => ({
    id: `${contextManagementName}:${message.id}.${part}`,
    policy: contextManagementName,
    kind: 'replace',
    message: message.id,
    part,
    with: shown,
    why,
  })
}

function leftToOthers(count: number): Finding {
  return { code: 'context-management', count }
}

/**
 * Leaves out the thoughts of all turns but the latest ones that have any. A turn is all that the assistant says and does until a user
 * says something that is no tool result, so the thoughts with which a running chain of tool calls began, which providers ask for, stay
 * whenever anything stays. So does a message that holds nothing else.
 */
function clearThinking(
  keep: number | 'all',
  { messages, tokenizer, editOf }: Clearing,
): { readonly edits: readonly ReplaceEdit[]; readonly turns: number; readonly tokens: number } {
  const turns = turnsWithThoughts(messages)
  const edits: ReplaceEdit[] = []
  let cleared = 0
  let tokens = 0
  for (const turn of keep === 'all' ? [] : turns.slice(0, Math.max(turns.length - keep, 0))) {
    const before = edits.length
    for (const message of turn) {
      if (message.parts.every(isThought)) continue
      for (const [index, part] of message.parts.entries()) {
        if (!isThought(part) || part === clearedThought) continue
        edits.push(editOf(message, index, clearedThought))
        tokens += measurePart(part, tokenizer)
      }
    }
    if (edits.length > before) cleared += 1
  }
  return { edits, turns: cleared, tokens }
}

/**
 * How many turns keep their thoughts where the client does not say, as published: all of them with the Opus models from 4.5 on, the
 * Sonnet models from 4.6 on, Fable and Mythos; else the last one.
 */
export function defaultThinkingTurns(model: string | null): number | 'all' {
  const found = /(opus|sonnet|fable|mythos)(?:[-.](\d{1,2})(?!\d)(?:[-.](\d{1,2})(?!\d))?)?/.exec(model?.toLowerCase() ?? '')
  if (found === null) return 1
  const [, family = '', major = '0', minor = '0'] = found
  const least = keepsAllFrom[family] ?? 0
  return Number(major) * 100 + Number(minor) >= least ? 'all' : 1
}

const keepsAllFrom: Readonly<Record<string, number>> = { opus: 405, sonnet: 406 }

/** A thought without text is left out of a request. */
const clearedThought: Part = { type: 'reasoning', text: '' }

/** The assistant's messages with thoughts, turn by turn; turns without any are left out. */
function turnsWithThoughts(messages: readonly Message[]): readonly (readonly Message[])[] {
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
      if (!message.parts.some((part) => isThought(part) && part !== clearedThought)) continue
      if (turn.length === 0) turns.push(turn)
      turn.push(message)
    }
  }
  return turns
}

/** What comes of a client's `context_management`. */
interface ManagedRequest {
  /** The name of the rule under which its edits are reported. */
  readonly policy: string
  readonly edits: readonly ReplaceEdit[]
  /** Changes of the request beside its messages. */
  readonly patches: readonly Patch[]
  /** What the answer has to tell. */
  readonly applied: readonly AppliedEdit[] | null
  readonly findings: readonly Finding[]
}

/**
 * Does what a client asks for with `context_management` where the upstream does not; where nothing may be changed, a finding says that it
 * was asked. Null where nothing was, or where it is the upstream's business.
 */
export function manageRequest(
  { dialect, isManagedUpstream }: Pick<RelayedRequest, 'dialect' | 'isManagedUpstream'>,
  { body, messages, overhead, doubt }: UnderstoodRequest,
  mode: TrimMode,
  locale: string | null,
): ManagedRequest | null {
  if (dialect !== 'anthropic' || isManagedUpstream || !isRecord(body.value['context_management'])) return null
  const nothing = { policy: contextManagementName, edits: [], patches: [], applied: null }
  if (mode === 'observe' || doubt !== null) return { ...nothing, findings: [{ code: 'context-management', count: 1 }] }
  const inputTokens = countMessages(messages, estimator) + overhead
  const managed = manageContext({ request: body.value, messages, inputTokens, locale })
  return managed === null ? null : { policy: contextManagementName, ...managed }
}
