import { applyEdits, type Message, type ReplaceEdit, type Tokenizer } from '@plimsoll/core'
import { estimator, isRecord, reasonsFor } from '@plimsoll/core/text'
import type { Patch } from '@plimsoll/core/wire'
import type { Finding } from '../../store/finding.ts'
import type { AppliedContextEdit } from './applied-edits.ts'
import { clearThinking, defaultThinkingTurns } from './clear-thinking.ts'
import { clearToolUses } from './clear-tool-uses.ts'
import type { Clearing } from './context-clearing.ts'
import { type ContextEdit, readContextEdit } from './context-edits.ts'

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
export const contextManagementName = 'context-management'

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
