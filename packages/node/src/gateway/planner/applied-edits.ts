import { isRecord, parseJson } from '@plimsoll/core/text'
import { patchText } from '@plimsoll/core/wire'

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
