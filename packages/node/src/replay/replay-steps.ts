import { handleOf, type Message, type Part, type Tokenizer } from '@plimsoll/core'
import type { CacheTerms, Usage } from '@plimsoll/core/bill'
import { countMessage, countPart } from '@plimsoll/core/text'
import { getOrMake } from '../shared/get-or-make.ts'
import type { CacheBill } from './bill/cache-bill.ts'
import type { PriceRow } from './bill/price-rows.ts'
import type { CacheUse } from './bill/prompt-cache.ts'
import type { Need } from './needs/need.ts'
import type { PolicySet } from './policy-sets.ts'
import type { RecordedSession, RecordedStep } from './record-session.ts'
import { sum } from './statistics.ts'
import { createViewSource, overheadOf, type ShownView, type ViewSource } from './view-source.ts'

interface ReplayStepsInput {
  readonly session: RecordedSession
  /** Only sets that work with hindsight use them. */
  readonly needs: readonly Need[]
  readonly set: PolicySet
  readonly terms: CacheTerms
  readonly tokens: Tokenizer
  /** The usage that the set is told of. Default: that of the first bill. */
  readonly usageOf?: ((replayed: ReplayedStep, before: StepBefore | null) => Usage) | undefined
}

/** What stays valid of the step before. */
export type StepBefore = Pick<ReplayedStep, 'step' | 'prompt'>

export interface ReplayedStep {
  readonly step: RecordedStep
  readonly originals: readonly Message[]
  readonly shown: ShownView
  readonly prompt: ReplayedPrompt
  /** How its prompt was billed, by each bill in order. */
  readonly uses: readonly CacheUse[]
  readonly latency: number
}

/** A prompt in blocks, compared with the one before it. Its lists are valid until the next prompt. */
export interface ReplayedPrompt extends PromptBlocks {
  /** How many blocks it has. */
  readonly length: number
  readonly breakpoints: readonly number[]
  readonly total: number
  /** The blocks in common with the start of the prompt before it, and their tokens. */
  readonly same: number
  readonly common: number
}

/** Whether the prompt after a message had to be written again, because something up to there changed. */
export function isRewritten({ prompt, shown: { view } }: ReplayedStep, message: string): boolean {
  return prompt.same <= (prompt.ends[view.findIndex(({ id }) => id === message)] ?? 0)
}

/** Replays a recorded session under a policy set, request by request, and adds each request to the bills. */
export function* replaySteps(input: ReplayStepsInput, bills: readonly CacheBill[]): Generator<ReplayedStep, void> {
  const { session, needs, set, terms, tokens } = input
  const source = createViewSource(set, session, needs, terms, tokens)
  const blocks = createPromptBlocks(tokens, overheadOf(set, tokens))
  let before: StepBefore | null = null
  for (const step of session.steps) {
    const originals = (session.segments[step.segment] as readonly Message[]).slice(0, step.length)
    if (before !== null && set.keepAlive === true) keepAlive(source, bills, before.step.at, step.at, before.prompt.total)
    const start = performance.now()
    const shown = source.next(originals, step.at)
    const latency = performance.now() - start
    const prompt = promptOf(blocks, shown, before?.prompt ?? null)
    const answerBlocks = before === null ? 0 : blocksOfAnswer(originals, before.step)
    const sent = { keys: prompt.keys, tokens: prompt.tokens, breakpoints: prompt.breakpoints, at: step.at, answerBlocks }
    const uses = bills.map((bill) => bill.send(sent, step.output))
    const [use] = uses
    const replayed = { step, originals, shown, prompt, uses, latency }
    if (input.usageOf !== undefined) source.accepted(input.usageOf(replayed, before))
    else if (use !== undefined) source.accepted(usageOf(use, step))
    yield replayed
    before = { step, prompt }
  }
  // A set cannot know that the conversation is over: the last pause is kept alive too.
  if (before !== null && set.keepAlive === true)
    keepAlive(source, bills, before.step.at, Number.POSITIVE_INFINITY, before.prompt.total)
}

/** The terms that the timing assumes: without pauses, the cache never expires. */
export function termsOf({ terms, isWarm }: PriceRow): CacheTerms {
  return isWarm ? { ...terms, lifetimeSeconds: null } : terms
}

function usageOf({ fresh, read, write }: CacheUse, { output }: Pick<RecordedStep, 'output'>): Usage {
  return { input: fresh, cacheRead: read, cacheWrite: write, output }
}

/**
 * Breakpoints are after the system prompt, before the first message that may change soon, where the last prompt ended, and at the
 * end.
 */
function promptOf(
  blocks: ReturnType<typeof createPromptBlocks>,
  { view, firstPending }: ShownView,
  before: ReplayedPrompt | null,
): ReplayedPrompt {
  const { kept, left } = blocks.show(view)
  const { keys, ends, sums } = blocks
  let same = before === null ? 0 : kept
  if (before !== null) while (same < keys.length && same < before.length && keys[same] === left[same - kept]) same += 1
  const soon = firstPending === null ? -1 : blocks.placeOf(firstPending)
  const places = [0, ...(soon > 0 ? [ends[soon - 1] as number] : []), same - 1, keys.length - 1]
  const breakpoints = [...new Set(places.filter((place) => place >= 0))].sort((one, other) => one - other)
  const total = sums[keys.length] as number
  return { keys, tokens: blocks.tokens, ends, length: keys.length, breakpoints, total, same, common: sums[same] as number }
}

function blocksOfAnswer(originals: readonly Message[], { length }: RecordedStep): number {
  let blocks = 0
  for (let index = length; originals[index]?.role === 'assistant'; index += 1)
    blocks += Math.max(1, originals[index]?.parts.length ?? 0)
  return blocks
}

/** Requests the last prompt again during a pause, while that is worth it and the savings cover it. */
function keepAlive(source: ViewSource, bills: readonly CacheBill[], from: number, to: number, tokens: number): void {
  let at = from
  for (let times = 0; ; times += 1) {
    const seconds = source.keepAliveAfter(tokens, times)
    if (seconds === null) return
    at += seconds * 1000
    if (at >= to) return
    for (const bill of bills) bill.keepAlive(at)
    source.keptAlive(at, tokens)
  }
}

interface PromptBlocks {
  readonly keys: readonly number[]
  readonly tokens: readonly number[]
  /** For each message of the view, the place of its last block. */
  readonly ends: readonly number[]
}

/**
 * Splits views into blocks, one for each part, after a first one of `overhead` tokens. The same content has the same key. The lists
 * are those of the view shown last: what it has in common with the one before is not read again.
 */
export function createPromptBlocks(tokenizer: Tokenizer, overhead: number) {
  const numbers = new Map<string, number>()
  const known = new WeakMap<Message, { readonly keys: readonly number[]; readonly tokens: readonly number[] }>()
  const keys: number[] = [0]
  const tokens: number[] = [overhead]
  const ends: number[] = []
  // The tokens of the first blocks, from none to all.
  const sums: number[] = [0, overhead]
  let last: readonly Message[] = []
  let found = 0
  const numberOf = (content: string) => getOrMake(numbers, content, () => numbers.size + 1)
  const read = (message: Message) => {
    const partKeys = message.parts.map((part) => numberOf(`${message.role}${contentOf(part)}`))
    const partTokens = message.parts.map((part) => countPart(part, tokenizer))
    const frame = countMessage(message, tokenizer) - sum(partTokens, (count) => count)
    // The frame of a message is counted with its first part.
    return partKeys.length === 0
      ? { keys: [numberOf(message.role)], tokens: [frame] }
      : { keys: partKeys, tokens: partTokens.map((count, index) => (index === 0 ? count + frame : count)) }
  }
  return {
    keys: keys as readonly number[],
    tokens: tokens as readonly number[],
    ends: ends as readonly number[],
    sums: sums as readonly number[],
    /** The place of a message in the view shown last, mostly the same as when it was last asked; -1 if it is not there. */
    placeOf(id: string): number {
      if (last[found]?.id !== id) found = last.findIndex((message) => message.id === id)
      return found
    },
    /** Returns how many blocks stayed, and the keys of those that did not. */
    show(view: readonly Message[]): { readonly kept: number; readonly left: readonly number[] } {
      let same = 0
      while (same < view.length && view[same] === last[same]) same += 1
      const kept = same === 0 ? 1 : (ends[same - 1] as number) + 1
      const left = keys.slice(kept)
      ends.length = same
      keys.length = kept
      tokens.length = kept
      sums.length = kept + 1
      for (let place = same; place < view.length; place += 1) {
        const message = view[place] as Message
        const blocks = getOrMake(known, message, () => read(message))
        for (let index = 0; index < blocks.keys.length; index += 1) {
          const count = blocks.tokens[index] as number
          sums.push((sums[keys.length] as number) + count)
          keys.push(blocks.keys[index] as number)
          tokens.push(count)
        }
        ends.push(keys.length - 1)
      }
      last = view
      return { kept, left }
    },
  }
}

// Parts never change.
const contents = new WeakMap<Part, string>()

function contentOf(part: Part): string {
  return getOrMake(contents, part, () => handleOf(JSON.stringify(part)))
}
