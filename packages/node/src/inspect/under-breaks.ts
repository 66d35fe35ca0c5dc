import type { Message, Tokenizer } from '@plimsoll/core'
import {
  type CategoryTokens,
  createFillSum,
  rememberedCounts,
  type SizedMessage,
  sizeMessage,
  type Usage,
  type WindowFill,
  type WindowLimits,
} from '@plimsoll/core/bill'
import type { PriceRow } from '../replay/bill/price-rows.ts'
import { type ReplayedPrompt, type ReplayedStep, termsOf } from '../replay/replay-steps.ts'
import { type CacheBreak, cacheBreak, type InspectedRequest } from '../shared/inspection/inspection.ts'
import type { EditsTaken } from './under-edits.ts'

/** What is known of the session. */
export interface UnderBreakFacts {
  readonly row: PriceRow
  readonly hasTimes: boolean
  /** The numbers of its messages by their ids. */
  readonly numbers: ReadonlyMap<string, number>
  readonly sizeOf: (message: Message) => number
}

/** Two requests that follow one another. */
export interface UnderBreakInput {
  readonly before: ReplayedStep
  readonly previous: Pick<InspectedRequest, 'last' | 'usage'>
  readonly replayed: ReplayedStep
  readonly usage: Usage
  readonly taken: EditsTaken
}

/** Tells where a simulated request stops being what the one before it was, and which rule did that; null where it only goes on. */
export function createUnderBreaks({
  row,
  hasTimes,
  numbers,
  sizeOf,
}: UnderBreakFacts): (input: UnderBreakInput) => CacheBreak | null {
  const { lifetimeSeconds } = termsOf(row)
  const numberOf = (message: Message | undefined): number | null => numbers.get(message?.id ?? '') ?? null

  const behind = (view: readonly Message[], from: number, last: number): number => {
    let sum = 0
    // What an edit put there stands where the message before it does.
    let number = 0
    for (const [index, message] of view.entries()) {
      number = numbers.get(message.id) ?? number
      if (index >= from && number <= last) sum += sizeOf(message)
    }
    return sum
  }

  const readUpTo = ({ prompt, shown }: ReplayedStep, { cacheRead }: Usage): number | null => {
    let sum = 0
    let block = 0
    for (; block < prompt.tokens.length && sum <= cacheRead; block += 1) sum += prompt.tokens[block] as number
    // The first block stands before the conversation.
    return block <= 1 ? null : numberOf(shown.view[placeOf(prompt, block - 1)])
  }

  const firstChange = ({ before, replayed, previous, taken }: UnderBreakInput): Change => {
    const { step, shown, prompt } = replayed
    if (step.segment !== before.step.segment) {
      const summary = shown.view.find((message) => message.summary === true)
      return { message: numberOf(summary), policy: null, reason: 'fold' }
    }
    let earliest: EditsTaken['changes'][number] | null = null
    for (const change of taken.changes)
      if (change.number <= previous.last && change.number < (earliest?.number ?? Number.POSITIVE_INFINITY)) earliest = change
    return earliest === null
      ? { message: numberOf(shown.view[placeOf(prompt, prompt.same)]), policy: null, reason: 'unknown' }
      : { message: earliest.number, policy: earliest.policy, reason: 'edit' }
  }

  return (input) => {
    const { before, previous, replayed, usage } = input
    if (row.rules.match === 'none') return null
    const { prompt, step, shown } = replayed
    const pause = step.at - before.step.at
    const isChanged = prompt.same < before.prompt.keys.length
    // What changes while nothing is cached breaks nothing.
    const isCold = usage.cacheRead === 0 && lifetimeSeconds !== null && pause > lifetimeSeconds * 1000
    const asked = (at: number, reported: Usage | null) => ({ at: hasTimes ? at : null, model: null, prefix: '', usage: reported })
    return cacheBreak({
      before: asked(before.step.at, previous.usage),
      now: asked(step.at, usage),
      change: isChanged && !isCold ? firstChange(input) : null,
      tokensFrom: () => behind(shown.view, placeOf(prompt, prompt.same), previous.last),
      readUpTo: readUpTo(replayed, usage),
      lifetimeSeconds,
    })
  }
}

type Change = Pick<CacheBreak, 'message' | 'policy' | 'reason'>

/** The place in the view of the message that has this block; behind all of them where none has. */
function placeOf({ ends }: ReplayedPrompt, block: number): number {
  const place = ends.findIndex((end) => end >= block)
  return place < 0 ? ends.length : place
}

/** What the views of one session are filled with, from request to request. */
interface ViewLoads {
  /** Takes in the next view: only what differs from the one before it is counted. */
  readonly show: (view: readonly Message[]) => void
  /** What fills the window with that view, and with what stands around it. */
  readonly toFill: (limits: WindowLimits) => WindowFill
  readonly sized: (message: Message) => SizedMessage
  /** Tokens that a view shows of each message of the session, by number; 0 for those that it leaves out. */
  readonly column: (view: readonly Message[]) => readonly number[]
}

/** Nothing is shown yet of these messages; so many tokens stand around every view. */
export function createViewLoads(messages: readonly Message[], tokens: Tokenizer, around: CategoryTokens): ViewLoads {
  const calls = new Map<string, string>()
  for (const { parts } of messages) for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part.tool)
  const count = rememberedCounts(tokens)
  const sizes = new WeakMap<Message, SizedMessage>()
  const sum = createFillSum()
  let shown: readonly Message[] = []

  const sized = (message: Message): SizedMessage => {
    let size = sizes.get(message)
    if (size === undefined) {
      size = sizeMessage(message, (id) => calls.get(id), count)
      sizes.set(message, size)
    }
    return size
  }

  return {
    sized,
    show(view) {
      for (let index = 0; index < Math.max(view.length, shown.length); index += 1) {
        const was = shown[index]
        const is = view[index]
        if (was === is) continue
        if (was !== undefined) sum.add(sized(was), -1)
        if (is !== undefined) sum.add(sized(is))
      }
      shown = view
    },
    toFill: (limits) => sum.toFill(limits, around),
    column(view) {
      const byId = new Map(view.map((message) => [message.id, sized(message).tokens]))
      return messages.map(({ id }) => byId.get(id) ?? 0)
    },
  }
}
