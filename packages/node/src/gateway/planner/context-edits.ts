import {
  callInput,
  type Message,
  type Part,
  type ReplaceEdit,
  resultText,
  type Tokenizer,
  type ToolCallPart,
  type ToolResultPart,
  withShownText,
} from '@plimsoll/core'
import { resultHandle } from '@plimsoll/core/session'
import { isRecord, measurePart, parseJson, withoutMedia } from '@plimsoll/core/text'
import { patchText } from '@plimsoll/core/wire'

export interface Clearing {
  readonly messages: readonly Message[]
  /** Of the whole prompt, with everything before the messages. */
  readonly inputTokens: number
  readonly tokenizer: Tokenizer
  readonly editOf: (message: Message, part: number, shown: Part) => ReplaceEdit
}

export type ContextEdit = ClearToolUses | ClearThinking

export interface ClearToolUses {
  readonly type: 'clear_tool_uses_20250919'
  /** Nothing is cleared before a prompt has more tokens, or tool uses, than this. */
  readonly trigger: { readonly type: 'input_tokens' | 'tool_uses'; readonly value: number }
  readonly keep: number
  /** Nothing is cleared if that would remove fewer tokens. */
  readonly clearAtLeast: number
  readonly excludeTools: ReadonlySet<string>
  /** The tools whose arguments are cleared with their results: all, or these. */
  readonly clearToolInputs: boolean | ReadonlySet<string>
}

export interface ClearThinking {
  readonly type: 'clear_thinking_20251015'
  /** How many of the latest turns with reasoning keep it; null for the model's default. */
  readonly keep: number | 'all' | null
}

/** Reads one entry of `context_management.edits`. Null if its type, an option or a value is unknown. Never throws. */
export function readContextEdit(raw: unknown): ContextEdit | null {
  if (!isRecord(raw)) return null
  const { type, ...options } = raw
  if (type === 'clear_tool_uses_20250919') return readClearToolUses(options)
  if (type === 'clear_thinking_20251015') return readClearThinking(options)
  return null
}

type Options = Readonly<Record<string, unknown>>

function readClearToolUses(options: Options): ClearToolUses | null {
  const { trigger, keep, clear_at_least: least, exclude_tools: excluded, clear_tool_inputs: inputs, ...unknown } = options
  const clearing = trigger === undefined ? defaultTrigger : readTrigger(trigger)
  const kept = keep === undefined ? defaultKeep : readAmount(keep, 'tool_uses')
  const clearAtLeast = isNothing(least) ? 0 : readAmount(least, 'input_tokens')
  const excludeTools = isNothing(excluded) ? new Set<string>() : readNames(excluded)
  const clearToolInputs = isNothing(inputs) ? false : typeof inputs === 'boolean' ? inputs : readNames(inputs)
  if (Object.keys(unknown).length > 0 || clearing === null || kept === null || clearAtLeast === null) return null
  if (excludeTools === null || clearToolInputs === null) return null
  return { type: 'clear_tool_uses_20250919', trigger: clearing, keep: kept, clearAtLeast, excludeTools, clearToolInputs }
}

function readClearThinking({ keep, ...unknown }: Options): ClearThinking | null {
  if (Object.keys(unknown).length > 0) return null
  const turns = readTurns(keep)
  return turns === undefined ? null : { type: 'clear_thinking_20251015', keep: turns }
}

function readTurns(keep: unknown): ClearThinking['keep'] | undefined {
  if (keep === undefined) return null
  if (keep === 'all' || (isRecord(keep) && keep['type'] === 'all')) return 'all'
  const turns = readAmount(keep, 'thinking_turns')
  return turns === null || turns === 0 ? undefined : turns
}

const defaultTrigger = { type: 'input_tokens', value: 100_000 } as const
const defaultKeep = 3

function readTrigger(value: unknown): ClearToolUses['trigger'] | null {
  for (const type of ['input_tokens', 'tool_uses'] as const) {
    const amount = readAmount(value, type)
    if (amount !== null) return { type, value: amount }
  }
  return null
}

function readAmount(value: unknown, type: string): number | null {
  if (!isRecord(value) || value['type'] !== type) return null
  const amount = value['value']
  return typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0 ? amount : null
}

function readNames(value: unknown): ReadonlySet<string> | null {
  if (!Array.isArray(value)) return null
  const names = value as readonly unknown[]
  return names.every((name) => typeof name === 'string') ? new Set(names) : null
}

function isNothing(value: unknown): value is null | undefined {
  return value === null || value === undefined
}

export type AppliedContextEdit = { readonly cleared_input_tokens: number } & (
  | { readonly type: 'clear_tool_uses_20250919'; readonly cleared_tool_uses: number }
  | { readonly type: 'clear_thinking_20251015'; readonly cleared_thinking_turns: number }
)

/** Adds the applied edits to the JSON text of a message, or of the event that ends a stream, on the same line; null for others. */
export function withAppliedEdits(text: string, edits: readonly { readonly type: string }[]): string | null {
  const value = parseJson(text)
  if (!isRecord(value) || !endsMessage(value)) return null
  const report = { applied_edits: edits }
  if (!Object.hasOwn(value, field)) {
    const end = text.lastIndexOf('}')
    return `${text.slice(0, end)},${JSON.stringify(field)}:${JSON.stringify(report)}${text.slice(end)}`
  }
  return value[field] === null ? patchText(text, [{ op: 'set', path: [field], value: report }]) : null
}

const field = 'context_management'

/** A stream may report its usage more than once; the event with the stop reason is the last. */
function endsMessage({ type, delta }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'message') return true
  return type === 'message_delta' && isRecord(delta) && typeof delta['stop_reason'] === 'string'
}

/**
 * Clears the results of all tool uses but the latest ones, and their arguments if asked. The published description leaves three things
 * open. Here `keep` and a trigger in `tool_uses` count the uses of every tool, excluded ones too; results that the model has not seen yet
 * are cleared like others if `keep` is less than their number; and the uses of the provider's own tools are neither counted nor changed,
 * because they have to come back unchanged.
 */
export function clearToolUses(
  { trigger, keep, clearAtLeast, excludeTools, clearToolInputs }: ClearToolUses,
  { messages, inputTokens, tokenizer, editOf }: Clearing,
): { readonly edits: readonly ReplaceEdit[]; readonly uses: number; readonly tokens: number } {
  const uses = toolUses(messages)
  const size = trigger.type === 'tool_uses' ? uses.length : inputTokens
  if (size <= trigger.value) return nothing
  const edits: ReplaceEdit[] = []
  let cleared = 0
  let tokens = 0
  for (const use of uses.slice(0, Math.max(uses.length - keep, 0))) {
    if (use.result === null || excludeTools.has(use.call.part.tool)) continue
    const changes = [clearedResult(use.result, tokenizer)]
    const isInputCleared = typeof clearToolInputs === 'boolean' ? clearToolInputs : clearToolInputs.has(use.call.part.tool)
    if (isInputCleared) changes.push(clearedInput(use.call, tokenizer))
    const before = edits.length
    for (const change of changes) {
      if (change === null) continue
      edits.push(editOf(change.message, change.part, change.with))
      tokens += change.tokens
    }
    if (edits.length > before) cleared += 1
  }
  // The placeholders may be longer than a few short results.
  const freed = Math.max(tokens, 0)
  return cleared === 0 || freed < clearAtLeast ? nothing : { edits, uses: cleared, tokens: freed }
}

const nothing = { edits: [], uses: 0, tokens: 0 } as const

interface Placed<Kind extends Part> {
  readonly message: Message
  readonly index: number
  readonly part: Kind
}

interface ToolUse {
  readonly call: Placed<ToolCallPart>
  result: Placed<ToolResultPart> | null
}

function toolUses(messages: readonly Message[]): readonly ToolUse[] {
  const uses: ToolUse[] = []
  const open = new Map<string, ToolUse>()
  for (const message of messages) {
    for (const [index, part] of message.parts.entries()) {
      if (part.type === 'tool-call' && message.role === 'assistant') {
        const use: ToolUse = { call: { message, index, part }, result: null }
        uses.push(use)
        open.set(part.callId, use)
      } else if (part.type === 'tool-result' && part.callId !== null) {
        const use = open.get(part.callId)
        if (use === undefined) continue
        use.result = { message, index, part }
        open.delete(part.callId)
      }
    }
  }
  return uses
}

type Change = ReturnType<typeof changeOf>

function clearedResult({ message, index, part }: Placed<ToolResultPart>, tokenizer: Tokenizer): Change | null {
  const text = resultText(part)
  const bare = withoutMedia(part)
  if (bare === part && placeholder.test(text)) return null
  const shown = withShownText(bare, text === '' ? clearedText : `${clearedText.slice(0, -1)}; recall ${resultHandle(part)}]`)
  return changeOf(message, index, part, shown, tokenizer)
}

const clearedText = '[Old tool result cleared]'
const placeholder = /^\[Old tool result cleared(?:; recall [0-9a-f]{12})?\]$/

/** A call must have arguments, so they become an empty object. */
function clearedInput({ message, index, part }: Placed<ToolCallPart>, tokenizer: Tokenizer): Change | null {
  const input = callInput(part)
  return input !== null && Object.keys(input).length === 0
    ? null
    : changeOf(message, index, part, { ...part, input: {} }, tokenizer)
}

/** With how many tokens it removes; below zero if the replacement is longer. */
function changeOf(message: Message, part: number, before: Part, after: Part, tokenizer: Tokenizer) {
  return { message, part, with: after, tokens: measurePart(before, tokenizer) - measurePart(after, tokenizer) }
}
