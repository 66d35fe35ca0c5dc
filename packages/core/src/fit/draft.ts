import { type Edit, type FoldEdit, placesOf, type ReplaceEdit, replaceEdit } from '../edit.ts'
import { type Facts, reasonsOf } from '../facts.ts'
import type { Message, Part } from '../message.ts'
import { fitWindowName } from '../policy.ts'
import { lastSeenIndex } from '../results/protect.ts'
import { grouped } from '../text/lines.ts'
import { countMessage, countMessages, countPart, estimator } from '../tokens/count-tokens.ts'
import { createGauge } from '../tokens/load.ts'
import {
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
import { createSources, type Sources } from './sources.ts'

export type Goal = 'budget' | 'target'

/** A request that is being shrunk, edit by edit. Rejects edits that do not make it strictly smaller. */
export type Draft = ReturnType<typeof createDraft>

export function createDraft(messages: readonly Message[], facts: Facts) {
  const tokenizer = facts.tokens ?? estimator
  const budget = budgetOf(facts)
  const goals = { budget, target: targetOf(budget) }
  const replaced = new Map<string, ReplaceEdit>()
  const folds: FoldEdit[] = []
  let current = messages
  let own: Message[] | null = null
  const size: Amounts = {
    tokens: countMessages(messages, tokenizer),
    bytes: countBytes(messages, budget),
    images: countImages(messages),
  }
  const countsBytes = size.bytes > 0
  const load = () => createGauge(current, facts)(size.tokens)

  function add(sum: Amounts, sign: 1 | -1, message: Message): void {
    sum.tokens += sign * countMessage(message, tokenizer)
    sum.bytes += sign * (countsBytes ? messageBytes(message) : 0)
    sum.images += sign * message.parts.reduce((images, part) => images + imagesIn(part), 0)
  }

  function take(saved: Amounts): boolean {
    if (!isSaving(saved)) return false
    size.tokens -= saved.tokens
    size.bytes -= saved.bytes
    size.images -= saved.images
    return true
  }

  return {
    messages: () => current,
    /** In an order in which they can be applied to the initial messages. */
    edits: (): readonly Edit[] => [...replaced.values(), ...folds],
    /** `target` leaves room for the next requests. */
    excess: (goal: Goal): readonly Excess[] => excessOf({ ...size, tokens: load().tokens }, goals[goal]),
    limit: (goal: Goal) => goals[goal].tokens,
    /** How many tokens must be removed to reach a goal; 0 if none. */
    surplus(goal: Goal): number {
      const { tokens, factor } = load()
      return Math.max(0, Math.ceil((tokens - goals[goal].tokens) / factor))
    },
    /** Replaces a part; returns false if that saves nothing. `index` is the message's current place. */
    replace(index: number, edit: ReplaceEdit): boolean {
      const message = current[index]
      const was = message?.parts[edit.part]
      if (message === undefined || was === undefined || message.id !== edit.message) return false
      const saved = {
        tokens: countPart(was, tokenizer) - countPart(edit.with, tokenizer),
        bytes: countsBytes ? partBytes(was) - partBytes(edit.with) : 0,
        images: imagesIn(was) - imagesIn(edit.with),
      }
      if (!take(saved)) return false
      own ??= current.slice()
      own[index] = { ...message, parts: message.parts.map((part: Part, at) => (at === edit.part ? edit.with : part)) }
      current = own
      replaced.set(`${edit.part} ${edit.message}`, edit)
      return true
    },
    /** Folds adjacent messages; returns false if that saves nothing. Further folds remove leftovers. */
    fold(given: readonly FoldEdit[]): boolean {
      const places = placesOf(current)
      const next: Message[] = []
      const gone: Message[] = []
      const saved = { tokens: 0, bytes: 0, images: 0 }
      let done = 0
      for (const { first, last, into } of given.toSorted((a, b) => (places.get(a.first) ?? 0) - (places.get(b.first) ?? 0))) {
        const [from, to] = [places.get(first) ?? -1, places.get(last) ?? -1]
        if (from < done || to < from) return false
        for (; done < from; done += 1) next.push(current[done] as Message)
        for (; done <= to; done += 1) gone.push(current[done] as Message)
        if (into === null) continue
        next.push(into)
        add(saved, -1, into)
      }
      for (; done < current.length; done += 1) next.push(current[done] as Message)
      for (const message of gone) add(saved, 1, message)
      if (!take(saved)) return false
      for (const message of gone) for (const at of message.parts.keys()) replaced.delete(`${at} ${message.id}`)
      own = next
      current = next
      folds.push(...given)
      return true
    },
  }
}

type Amounts = { -readonly [Name in Excess]: number }

function isSaving({ tokens, bytes, images }: Amounts): boolean {
  if (images !== 0) return images > 0 && tokens >= 0
  return tokens > 0 || (tokens === 0 && bytes > 0)
}

export type Fitting = ReturnType<typeof createFitting>

/** `summaries` sets how detailed new summaries are. */
export function createFitting(messages: readonly Message[], facts: Facts, summaries: 'full' | 'short') {
  return {
    draft: createDraft(messages, facts),
    facts,
    sources: createSources(messages, facts),
    reasons: reasonsOf(facts),
    summaries,
    known: (): ReadonlySet<Message> => new Set(messages.filter(({ summary }) => summary === true)),
  }
}

/** Replaces a part in its current place; returns false if that saves nothing. */
export function showInstead({ draft, facts, sources, reasons }: Fitting, index: number, partIndex: number, shown: Part): boolean {
  const message = draft.messages()[index] as Message
  const tokenizer = facts.tokens ?? estimator
  const was = message.parts[partIndex] as Part
  const [before, after] = [was, shown].map((part) => grouped(countPart(part, tokenizer))) as [string, string]
  const { window } = reasons
  const why =
    was.type === 'tool-call' ? window.call(before, after) : was.type === 'media' ? window.media : window.result(before, after)
  const edit = replaceEdit(fitWindowName, message.id, partIndex, shown, why)
  return draft.replace(index, { ...edit, id: editId(message, partIndex, sources) })
}

/** Includes the identity of the original, so that the id never matches another message with the same message id. */
export function editId(message: Message, partIndex: number, sources: Sources): string {
  return `${fitWindowName}:${message.id}.${partIndex}:${sources.identity(message, partIndex)}`
}

/** Late messages are shrunk last: those the model has not answered yet, and pinned ones. */
export function createLateness(messages: readonly Message[], facts: Facts): (index: number) => boolean {
  const newest = newestStart(messages)
  const lastSeen = lastSeenIndex(messages, facts)
  const pinned = new Set(facts.pins)
  return (index) => index >= newest || index > lastSeen || pinned.has((messages[index] as Message).id)
}

/** Start of the newest run of results or user messages, which the model is about to answer. */
export function newestStart(messages: readonly Message[]): number {
  let start = messages.findLastIndex(isAsked) + 1
  while (start > 0 && isAsked(messages[start - 1] as Message)) start -= 1
  return start
}

function isAsked({ role, summary }: Message): boolean {
  return (role === 'user' || role === 'tool') && summary !== true
}
