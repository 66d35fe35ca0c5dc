import type { Message, Part, ReplaceEdit, Tokenizer } from '@plimsoll/core'
import { isRecord, parseJson } from '@plimsoll/core/text'
import { patchText } from '@plimsoll/core/wire'

/** What an edit of `context_management` works on. */
export interface Clearing {
  readonly messages: readonly Message[]
  /** All that the prompt takes, with what stands before the messages. */
  readonly inputTokens: number
  readonly tokenizer: Tokenizer
  readonly editOf: (message: Message, part: number, shown: Part) => ReplaceEdit
}

/** What a client asks for with one entry of `context_management.edits`. */
export type ContextEdit = ClearToolUses | ClearThinking

/** Asks for old tool results to be cleared. */
export interface ClearToolUses {
  readonly type: 'clear_tool_uses_20250919'
  /** Nothing is cleared before a prompt has more than so many tokens, or tool uses. */
  readonly trigger: { readonly type: 'input_tokens' | 'tool_uses'; readonly value: number }
  /** How many of the latest tool uses stay. */
  readonly keep: number
  /** Nothing is cleared where that would take away fewer tokens. */
  readonly clearAtLeast: number
  readonly excludeTools: ReadonlySet<string>
  /** Whose arguments are cleared with their results: those of all tools, or of these. */
  readonly clearToolInputs: boolean | ReadonlySet<string>
}

/** Asks for the thoughts of old turns to be cleared. */
export interface ClearThinking {
  readonly type: 'clear_thinking_20251015'
  /** How many of the latest turns with thoughts keep them; null where the client leaves that to the model's default. */
  readonly keep: number | 'all' | null
}

/** Reads one entry of `context_management.edits`. Null where its type, an option or a value is not one that is known. Never throws. */
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

/** An edit of `context_management` as Anthropic's answers tell it. */
export type AppliedContextEdit =
  | {
      readonly type: 'clear_tool_uses_20250919'
      readonly cleared_tool_uses: number
      readonly cleared_input_tokens: number
    }
  | {
      readonly type: 'clear_thinking_20251015'
      readonly cleared_thinking_turns: number
      readonly cleared_input_tokens: number
    }

/**
 * An answer that tells which edits were applied: the JSON text of a message, or that of the event with which a streamed one ends. All
 * other characters stay, and no line is added. Null for any other text, and for an answer that tells of edits by itself.
 */
export function withAppliedEdits(text: string, edits: readonly { readonly type: string }[]): string | null {
  const value = parseJson(text)
  if (!isRecord(value) || !endsMessage(value)) return null
  const told = { applied_edits: edits }
  if (!Object.hasOwn(value, field)) {
    const end = text.lastIndexOf('}')
    return `${text.slice(0, end)},${JSON.stringify(field)}:${JSON.stringify(told)}${text.slice(end)}`
  }
  return value[field] === null ? patchText(text, [{ op: 'set', path: [field], value: told }]) : null
}

const field = 'context_management'

/** A stream may tell of its usage more than once; the event that tells why it ended is the last. */
function endsMessage({ type, delta }: Readonly<Record<string, unknown>>): boolean {
  if (type === 'message') return true
  return type === 'message_delta' && isRecord(delta) && typeof delta['stop_reason'] === 'string'
}
