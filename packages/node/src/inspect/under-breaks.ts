import type { Message, Tokenizer } from '@plimsoll/core'
import { createFillSum, rememberedCounts, type SizedMessage, sizeMessage, type Usage } from '@plimsoll/core/bill'
import type { PriceRow } from '../replay/bill/price-rows.ts'
import { type ReplayedPrompt, type ReplayedStep, termsOf } from '../replay/replay-steps.ts'
import { getOrMake } from '../shared/get-or-make.ts'
import { type CacheBreak, cacheBreak, type InspectedRequest } from '../shared/inspection/inspection.ts'
import type { EditsTaken } from './under-edits.ts'

interface UnderBreakFacts {
  readonly row: PriceRow
  readonly hasTimes: boolean
  readonly numbers: ReadonlyMap<string, number>
  readonly sizeOf: (message: Message) => number
}

interface UnderBreakInput {
  readonly before: ReplayedStep
  readonly previous: Pick<InspectedRequest, 'last' | 'usage'>
  readonly replayed: ReplayedStep
  readonly usage: Usage
  readonly taken: EditsTaken
  /** The provider's tokens for a counted one. */
  readonly scale: number
  /** How many of the recorded messages the provider read from its cache. */
  readonly readMessages: number
}

/** Finds where a simulated request differs from the one before it, and which policy caused that; null if it only continues. */
export function createUnderBreaks({ row, hasTimes, numbers, sizeOf }: UnderBreakFacts) {
  const { lifetimeSeconds } = termsOf(row)
  const numberOf = (message: Message | undefined): number | null => numbers.get(message?.id ?? '') ?? null

  const tokensAfter = (view: readonly Message[], from: number, last: number): number => {
    let sum = 0
    // An inserted message has the number of the message before it.
    let number = 0
    for (const [index, message] of view.entries()) {
      number = numbers.get(message.id) ?? number
      if (index >= from && number <= last) sum += sizeOf(message)
    }
    return sum
  }

  const firstChange = ({ before, replayed, previous, taken }: UnderBreakInput): Omit<CacheBreak, 'tokens'> => {
    const { step, shown, prompt } = replayed
    if (step.segment !== before.step.segment) {
      const summary = shown.view.find((message) => message.summary === true)
      return { message: numberOf(summary), policy: null, reason: 'fold' }
    }
    const [earliest] = taken.changes
      .filter(({ number }) => number <= previous.last)
      .toSorted((one, other) => one.number - other.number)
    return earliest === undefined
      ? { message: numberOf(shown.view[placeOf(prompt, prompt.same)]), policy: null, reason: 'unknown' }
      : { message: earliest.number, policy: earliest.policy, reason: 'edit' }
  }

  return (input: UnderBreakInput): CacheBreak | null => {
    const { before, previous, replayed, usage, scale, readMessages } = input
    if (row.rules.match === 'none') return null
    const { prompt, step, shown } = replayed
    const pause = step.at - before.step.at
    const isChanged = prompt.same < before.prompt.length
    // A change breaks nothing if nothing is cached.
    const isCold = usage.cacheRead === 0 && lifetimeSeconds !== null && pause > lifetimeSeconds * 1000
    const asked = (at: number, reported: Usage | null) => ({ at: hasTimes ? at : null, model: null, prefix: '', usage: reported })
    return cacheBreak({
      before: asked(before.step.at, previous.usage),
      now: asked(step.at, usage),
      change: isChanged && !isCold ? firstChange(input) : null,
      tokensFrom: () => Math.round(tokensAfter(shown.view, placeOf(prompt, prompt.same), previous.last) * scale),
      readUpTo: readMessages === 0 ? null : numberOf(replayed.originals[readMessages]),
      lifetimeSeconds,
    })
  }
}

/** The place in the view of the message that has this block; the end of the view if none has. */
function placeOf({ ends }: ReplayedPrompt, block: number): number {
  const place = ends.findIndex((end) => end >= block)
  return place < 0 ? ends.length : place
}

/** Measures the messages of a session, and what is shown instead of them. */
export function createSizes(messages: readonly Message[], tokens: Tokenizer): (message: Message) => SizedMessage {
  const calls = new Map<string, string>()
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
  const count = rememberedCounts(tokens)
  const sizes = new WeakMap<Message, SizedMessage>()
  return (message) => getOrMake(sizes, message, () => sizeMessage(message, (id) => calls.get(id), count))
}

/** Adds up views of one session from request to request. */
export function createViewLoads(sized: (message: Message) => SizedMessage) {
  const sum = createFillSum()
  let shown: readonly Message[] = []
  return {
    /** Adds the next view, and counts only its difference from the one before. */
    show(view: readonly Message[]): void {
      for (let index = 0; index < Math.max(view.length, shown.length); index += 1) {
        const was = shown[index]
        const is = view[index]
        if (was === is) continue
        if (was !== undefined) sum.add(sized(was), -1)
        if (is !== undefined) sum.add(sized(is))
      }
      shown = view
    },
    toFill: sum.toFill,
  }
}

/** The tokens that a view shows of each message of the session; 0 for those that it omits. */
export function shownColumn(
  messages: readonly Message[],
  view: readonly Message[],
  sizeOf: (message: Message) => number,
): readonly number[] {
  const byId = new Map(view.map((message) => [message.id, sizeOf(message)]))
  return messages.map(({ id }) => byId.get(id) ?? 0)
}
