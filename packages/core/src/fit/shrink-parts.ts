import { digestOf } from '../cut/digest/digest-of.ts'
import type { ToolResultPart } from '../message.ts'
import { type PlacedResult, toolResults } from '../results/tool-results.ts'
import { countPart, estimator } from '../tokens/count-tokens.ts'
import { cutCall } from './cut-call.ts'
import { cutResult } from './cut-result.ts'
import { createLateness, type Fitting, newestStart, showInstead } from './fitting.ts'
import { omitMedia } from './omit-media.ts'

/** Which parts give way: those of the past, or those the model still waits for and those a user wants whole. */
export type Age = 'old' | 'late'

/** One try after the other; whoever asks for the next decides whether it is still needed. */
export type Steps = Generator<void, void>

/** Shows digests in place of results, the oldest first, failures after the others. */
export function* digestResults(fitting: Fitting, age: Age): Steps {
  for (const result of resultsOf(fitting, age)) {
    const digest = digestOf({ ...result, part: sourceOf(fitting, result) }, fitting.facts)
    if (digest !== null && showInstead(fitting, result.index, result.partIndex, digest)) yield
  }
}

/** Cuts results that are larger than so many tokens down to them, the oldest first, failures after the others. */
export function* cutResults(fitting: Fitting, age: Age, tokens: number): Steps {
  const tokenizer = fitting.facts.tokens ?? estimator
  for (const result of resultsOf(fitting, age)) {
    if (countPart(result.part, tokenizer) <= tokens) continue
    const source = {
      result,
      original: sourceOf(fitting, result),
      handle: fitting.sources.handle(result.message, result.partIndex),
    }
    const cut = cutResult(source, tokens, fitting.facts)
    if (cut !== null && showInstead(fitting, result.index, result.partIndex, cut)) yield
  }
}

/** Shortens the long texts in the arguments of calls, the oldest first. */
export function* cutCalls(fitting: Fitting, age: Age, maxChars: number): Steps {
  const messages = fitting.draft.messages()
  // What was asked for last is what the newest results answer.
  const newest = newestStart(messages) - 1
  for (const [index, message] of messages.entries()) {
    if (message.role !== 'assistant' || index >= newest !== (age === 'late')) continue
    for (const partIndex of message.parts.keys()) {
      const source = fitting.sources.part(message, partIndex)
      const cut = source.type === 'tool-call' ? cutCall(source, maxChars, fitting.sources.handle(message, partIndex)) : null
      if (cut !== null && showInstead(fitting, index, partIndex, cut)) yield
    }
  }
}

/** Shows a line in place of pictures and documents, the oldest first. */
export function* omitOldMedia(fitting: Fitting, age: Age): Steps {
  const messages = fitting.draft.messages()
  const isLate = createLateness(messages, fitting.facts)
  for (const [index, message] of messages.entries()) {
    if (message.role === 'system' || isLate(index) !== (age === 'late')) continue
    for (const [partIndex, part] of message.parts.entries()) {
      const shown = omitMedia(part, fitting.sources.handle(message, partIndex))
      if (shown !== null && showInstead(fitting, index, partIndex, shown)) yield
    }
  }
}

function resultsOf({ draft, facts }: Fitting, age: Age): readonly PlacedResult[] {
  const messages = draft.messages()
  const isLate = createLateness(messages, facts)
  // Facts of its own: what was remembered for the request's list is still wanted after this.
  const results = toolResults(messages, { ...facts }).filter(({ index }) => isLate(index) === (age === 'late'))
  return [...results.filter(({ isError }) => !isError), ...results.filter(({ isError }) => isError)]
}

function sourceOf({ sources }: Fitting, { message, partIndex, part }: PlacedResult): ToolResultPart {
  const source = sources.part(message, partIndex)
  return source.type === 'tool-result' ? source : part
}
