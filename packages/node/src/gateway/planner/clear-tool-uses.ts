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
import { measurePart, withoutMedia } from '@plimsoll/core/text'
import type { Clearing, ClearToolUses } from './context-edits.ts'

/**
 * Clears the results of all tool uses but the latest ones, and their arguments where that is asked. The published description leaves
 * three things open. Here `keep` and a trigger in `tool_uses` count the uses of every tool, excluded ones too; results that the model
 * has not seen yet are cleared like others where `keep` is less than their number; and what the provider's own tools did is neither
 * counted nor touched, because it has to come back as it was.
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
    let isCleared = false
    for (const change of changes) {
      if (change === null) continue
      edits.push(editOf(change.message, change.part, change.with))
      tokens += change.tokens
      isCleared = true
    }
    if (isCleared) cleared += 1
  }
  // What stands there instead may be longer than a few short results.
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

/** The tool uses of a conversation in order, each with the first result that follows its call. */
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

interface Change {
  readonly message: Message
  readonly part: number
  readonly with: Part
  /** How many tokens it takes away; fewer than none where what stands there instead is longer. */
  readonly tokens: number
}

function clearedResult({ message, index, part }: Placed<ToolResultPart>, tokenizer: Tokenizer): Change | null {
  const text = resultText(part)
  const bare = withoutMedia(part)
  if (bare === part && placeholder.test(text)) return null
  const shown = withShownText(bare, text === '' ? clearedText : `${clearedText.slice(0, -1)}; recall ${resultHandle(part)}]`)
  return changeOf(message, index, part, shown, tokenizer)
}

const clearedText = '[Old tool result cleared]'
const placeholder = /^\[Old tool result cleared(?:; recall [0-9a-f]{12})?\]$/

/** A call must have arguments; an object without any is the least there is. */
function clearedInput({ message, index, part }: Placed<ToolCallPart>, tokenizer: Tokenizer): Change | null {
  const input = callInput(part)
  return input !== null && Object.keys(input).length === 0
    ? null
    : changeOf(message, index, part, { ...part, input: {} }, tokenizer)
}

function changeOf(message: Message, part: number, before: Part, after: Part, tokenizer: Tokenizer): Change {
  return { message, part, with: after, tokens: measurePart(before, tokenizer) - measurePart(after, tokenizer) }
}
