import type { Message, Part, ReplaceEdit } from '@plimsoll/core'
import { isThought } from '@plimsoll/core/policies'
import { measurePart } from '@plimsoll/core/text'
import type { Clearing } from './context-clearing.ts'

/**
 * Leaves out the thoughts of all turns but the latest ones that have any. A turn is all that the assistant says and does until a user
 * says something that is no tool result, so the thoughts with which a running chain of tool calls began, which providers ask for, stay
 * whenever anything stays. So does a message that holds nothing else.
 */
export function clearThinking(
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
