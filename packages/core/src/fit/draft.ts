import type { Edit, FoldEdit, ReplaceEdit } from '../edit.ts'
import type { Facts } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { countMessage, countMessages, countPart, estimator } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'
import {
  type Budget,
  budgetOf,
  countBytes,
  countImages,
  type Excess,
  excessOf,
  imagesIn,
  messageBytes,
  partBytes,
  targetOf,
} from './request-size.ts'

/** A request that is being made smaller, edit by edit. Only what makes it strictly smaller is taken. */
export interface Draft {
  readonly messages: () => readonly Message[]
  /** What was taken, in an order in which it can be applied to the messages the draft began with. */
  readonly edits: () => readonly Edit[]
  /** What exceeds the budget, or the target below it that gives room for the next requests. */
  readonly excess: (goal: Goal) => readonly Excess[]
  readonly limit: (goal: Goal) => number
  /** How many tokens, as the tokenizer counts them, have to go to reach a goal; 0 where none. */
  readonly surplus: (goal: Goal) => number
  /** Shows another part; false where that would save nothing. The place is where the message stands now. */
  readonly replace: (index: number, edit: ReplaceEdit) => boolean
  /** Folds messages that stand side by side; false where that would save nothing. Further folds take away what was left over. */
  readonly fold: (folds: readonly FoldEdit[]) => boolean
}

/** How small a request should get: within its budget, or well below it. */
export type Goal = 'budget' | 'target'

/** A draft of messages with nothing done to them. */
export function createDraft(messages: readonly Message[], facts: Facts): Draft {
  const tokenizer = facts.tokens ?? estimator
  const budget = budgetOf(facts)
  const goals: Readonly<Record<Goal, Budget>> = { budget, target: targetOf(budget) }
  const replaced = new Map<string, ReplaceEdit>()
  const folds: FoldEdit[] = []
  let current = messages
  let own: Message[] | null = null
  let tokens = countMessages(messages, tokenizer)
  let bytes = countBytes(messages, budget)
  let images = countImages(messages)
  const countsBytes = bytes > 0

  const sizeOf = (message: Message) => ({
    tokens: countMessage(message, tokenizer),
    bytes: countsBytes ? messageBytes(message) : 0,
    images: message.parts.reduce((sum, part) => sum + imagesIn(part), 0),
  })
  return {
    messages: () => current,
    edits: () => [...replaced.values(), ...folds],
    excess: (goal) => excessOf({ tokens: createGauge(current, facts)(tokens).tokens, bytes, images }, goals[goal]),
    limit: (goal) => goals[goal].tokens,
    surplus(goal) {
      const load = createGauge(current, facts)(tokens)
      return Math.max(0, Math.ceil((load.tokens - goals[goal].tokens) / load.factor))
    },
    replace(index, edit) {
      const message = current[index]
      const was = message?.parts[edit.part]
      if (message === undefined || was === undefined || message.id !== edit.message) return false
      const saved = {
        tokens: countPart(was, tokenizer) - countPart(edit.with, tokenizer),
        bytes: countsBytes ? partBytes(was) - partBytes(edit.with) : 0,
        images: imagesIn(was) - imagesIn(edit.with),
      }
      if (!isSaving(saved)) return false
      own ??= current.slice()
      own[index] = { ...message, parts: message.parts.map((part: Part, at) => (at === edit.part ? edit.with : part)) }
      current = own
      tokens -= saved.tokens
      bytes -= saved.bytes
      images -= saved.images
      replaced.set(`${edit.part} ${edit.message}`, edit)
      return true
    },
    fold(given) {
      const places = new Map(current.map(({ id }, index) => [id, index]))
      const next: Message[] = []
      const gone: Message[] = []
      const saved = { tokens: 0, bytes: 0, images: 0 }
      let done = 0
      for (const { first, last, into } of given.toSorted((a, b) => (places.get(a.first) ?? 0) - (places.get(b.first) ?? 0))) {
        const [from, to] = [places.get(first) ?? -1, places.get(last) ?? -1]
        if (from < done || to < from) return false
        for (; done < from; done += 1) next.push(current[done] as Message)
        for (; done <= to; done += 1) {
          gone.push(current[done] as Message)
          add(saved, sizeOf(current[done] as Message), 1)
        }
        if (into === null) continue
        next.push(into)
        add(saved, sizeOf(into), -1)
      }
      for (; done < current.length; done += 1) next.push(current[done] as Message)
      if (!isSaving(saved)) return false
      for (const message of gone) for (const at of message.parts.keys()) replaced.delete(`${at} ${message.id}`)
      own = next
      current = next
      tokens -= saved.tokens
      bytes -= saved.bytes
      images -= saved.images
      for (const fold of given) folds.push(fold)
      return true
    },
  }
}

type Amounts = { -readonly [Name in Excess]: number }

/** Smaller in what it is about, larger in nothing that matters more. */
function isSaving({ tokens, bytes, images }: Amounts): boolean {
  if (images !== 0) return images > 0 && tokens >= 0
  return tokens > 0 || (tokens === 0 && bytes > 0)
}

function add(sum: Amounts, amounts: Amounts, sign: 1 | -1): void {
  sum.tokens += sign * amounts.tokens
  sum.bytes += sign * amounts.bytes
  sum.images += sign * amounts.images
}
