import type { Config } from '../config.ts'
import type { Message } from '../message.ts'
import { isPaired, pairUp } from '../results/tool-pairs.ts'
import { countCodePoints } from '../text/lines.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { type Round, roundsOf, type Segment } from './rounds.ts'

export interface PlanOptions {
  /** How many of the latest rounds stay; at least 1. */
  readonly keepRounds: number
  /** Leave shorter conversations alone. Default: 0. */
  readonly minMessages?: number
  /** Ids of messages whose rounds stay. Default: none. */
  readonly pins?: readonly string[]
}

/** Selects the rounds to compact: the largest stretch of complete rounds before the kept ones, without pinned rounds; null if there is none. Never separates a call and its result. */
export function planCompaction(
  messages: readonly Message[],
  { keepRounds, minMessages = 0, pins = [] }: PlanOptions,
): Segment | null {
  if (messages.length < minMessages) return null
  const rounds = roundsOf(messages)
  const keep = Number.isFinite(keepRounds) ? Math.max(1, Math.floor(keepRounds)) : rounds.length
  const oldest = rounds[0]
  const oldestKept = rounds[rounds.length - keep]
  if (oldest === undefined || oldestKept === undefined || oldestKept === oldest) return null

  const mayCut = createCutTest(messages)
  const starts = rounds.map(({ first }) => first).filter(mayCut)
  const stretches = stretchesBetween(messages, oldest.first, oldestKept.first, pinnedRounds(messages, rounds, pins))
    .map((stretch) => withWholePairs(stretch, starts, mayCut))
    .filter(({ start, end }) => start < end)
  const largest = largestOf(stretches, messages)
  return largest === null ? null : segmentOf(messages, rounds, largest)
}

interface Stretch {
  readonly start: number
  readonly end: number
}

function stretchesBetween(
  messages: readonly Message[],
  from: number,
  to: number,
  isPinned: (index: number) => boolean,
): readonly Stretch[] {
  const stretches: Stretch[] = []
  let start = from
  for (let index = from; index <= to; index += 1) {
    const message = messages[index] as Message
    if (index < to && message.role !== 'system' && message.summary !== true && !isPinned(index)) continue
    if (start < index) stretches.push({ start, end: index })
    start = index + 1
  }
  return stretches
}

function pinnedRounds(
  messages: readonly Message[],
  rounds: readonly Round[],
  pins: readonly string[],
): (index: number) => boolean {
  if (pins.length === 0) return () => false
  const ids = new Set(pins)
  const pinned = new Uint8Array(messages.length)
  for (const { first, last } of rounds) {
    if (messages.slice(first, last + 1).some(({ id }) => ids.has(id))) pinned.fill(1, first, last + 1)
  }
  return (index) => pinned[index] === 1
}

function withWholePairs({ start, end }: Stretch, starts: readonly number[], mayCut: (index: number) => boolean): Stretch {
  return {
    start: mayCut(start) ? start : (starts.find((place) => place > start) ?? end),
    end: mayCut(end) ? end : (starts.findLast((place) => place <= end) ?? start),
  }
}

function createCutTest(messages: readonly Message[]): (index: number) => boolean {
  const crossing = isPaired(messages) ? null : strayedAcross(messages)
  return (index) => {
    // Tool messages right after a call answer it.
    const before = messages[index - 1]?.role
    if (messages[index]?.role === 'tool' && (before === 'tool' || before === 'assistant')) return false
    return crossing === null || crossing[index] === 0
  }
}

function strayedAcross(messages: readonly Message[]): Int32Array {
  const across = new Int32Array(messages.length + 2)
  const add = (index: number, count: number) => {
    across[index] = (across[index] as number) + count
  }
  for (const { asked, strayed } of pairUp(messages).open) {
    if (strayed === null) continue
    add(Math.min(asked, strayed.index) + 1, 1)
    add(Math.max(asked, strayed.index) + 1, -1)
  }
  for (let index = 1; index < across.length; index += 1) add(index, across[index - 1] as number)
  return across
}

function largestOf(stretches: readonly Stretch[], messages: readonly Message[]): Stretch | null {
  if (stretches.length <= 1) return stretches[0] ?? null
  const sized = stretches.map((stretch) => ({
    stretch,
    tokens: messages.slice(stretch.start, stretch.end).reduce((sum, message) => sum + countMessage(message, estimator), 0),
  }))
  return sized.reduce((largest, each) => (each.tokens > largest.tokens ? each : largest)).stretch
}

function segmentOf(messages: readonly Message[], rounds: readonly Round[], { start, end }: Stretch): Segment {
  return {
    messages: messages.slice(start, end),
    kept: messages.slice(end),
    summaries: messages.slice(0, start).filter((message) => message.summary === true),
    rounds: {
      folded: rounds.filter(({ first, last }) => last >= start && first < end).length,
      kept: rounds.filter(({ first }) => first >= end).length,
    },
  }
}

interface CompactionDueInput {
  /** With or without the user's newest input. */
  readonly messages: readonly Message[]
  /** Tokens of the last request and response as reported by the provider; null if unknown. Default: null. */
  readonly lastUsage?: number | null
  /** Local count of the request's tokens. Default: the estimate of the messages. */
  readonly load?: number
  /** New user input that neither count includes. Default: none. */
  readonly userInput?: string
  readonly config: Pick<Config, 'context_window' | 'compaction'>
}

/** Whether the larger count, plus a third of the new input's characters, has reached the threshold. */
export function compactionDue({ messages, lastUsage, load, userInput = '', config }: CompactionDueInput): boolean {
  const { threshold, min_messages } = config.compaction
  if (messages.length < min_messages) return false
  const local = counted(load) ?? countMessages(messages, estimator)
  const total = Math.max(counted(lastUsage) ?? 0, local) + Math.floor(countCodePoints(userInput) / 3)
  return total >= threshold * config.context_window
}

/** Relays report nothing, zero or nonsense; then the local count is used. */
function counted(tokens: number | null | undefined): number | null {
  return typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : null
}

export type CompactionOutcome = 'success' | 'ineffective' | 'failed'

/** Stops after two ineffective or three failed attempts since the last success. Outcomes oldest first. */
export function compactionBreaker(outcomes: readonly CompactionOutcome[]): {
  readonly stopped: boolean
  readonly reason: Exclude<CompactionOutcome, 'success'> | null
} {
  const recent = outcomes.slice(outcomes.lastIndexOf('success') + 1)
  const count = (kind: CompactionOutcome) => recent.filter((outcome) => outcome === kind).length
  const reason = count('ineffective') >= 2 ? 'ineffective' : count('failed') >= 3 ? 'failed' : null
  return { stopped: reason !== null, reason }
}
