import { planCompaction } from '../compaction/plan-compaction.ts'
import { roundsOf } from '../compaction/rounds.ts'
import { configOf } from '../facts.ts'
import type { Message } from '../message.ts'
import { countMessage, countMessages, estimator } from '../tokens/count-tokens.ts'
import { createLateness, type Fitting, newestStart } from './fitting.ts'
import { foldRun } from './fold-run.ts'
import type { Steps } from './shrink-parts.ts'

/** Folds whole rounds, all but the latest so many. */
export function* foldRounds(fitting: Fitting, keepRounds: number, pins = fitting.facts.pins ?? []): Steps {
  const minMessages = configOf(fitting.facts).compaction.min_messages
  for (;;) {
    const segment = planCompaction(fitting.draft.messages(), { keepRounds, minMessages, pins })
    if (segment === null || !foldRun(fitting, segment, fitting.reasons.window.rounds(keepRounds))) return
    yield
  }
}

/** Keeps fewer and fewer rounds, down to the running one: each time as many fewer as it seems to take. */
export function* keepFewerRounds(fitting: Fitting, keepRounds: number): Steps {
  const tokenizer = fitting.facts.tokens ?? estimator
  for (let keep = keepRounds; keep > 1; ) {
    const messages = fitting.draft.messages()
    const rounds = roundsOf(messages)
    keep = Math.min(keep, rounds.length) - 1
    let left = fitting.draft.surplus('target') + summaryTokens
    for (; keep > 1; keep -= 1) {
      const round = rounds[rounds.length - keep - 1]
      left -= round === undefined ? 0 : countMessages(messages.slice(round.first, round.last + 1), tokenizer)
      if (left <= 0) break
    }
    if (keep >= 1) yield* foldRounds(fitting, keep)
  }
}

/** Folds the older steps of the running round, and of what stands outside all rounds: whole calls with their results. */
export function* foldSteps(fitting: Fitting, age: 'seen' | 'any'): Steps {
  // Each fold takes at least twice as many steps as the one before, so that there are few summaries.
  for (let least = 1; ; least *= 2) {
    const run = olderSteps(fitting, age, least)
    if (run === null || !foldRun(fitting, run, fitting.reasons.window.steps)) return
    yield
  }
}

/** About what a summary takes. */
const summaryTokens = 600

function olderSteps({ draft, facts }: Fitting, age: 'seen' | 'any', least: number) {
  const messages = draft.messages()
  const tokenizer = facts.tokens ?? estimator
  const newest = newestStart(messages) - 1
  const isLate = createLateness(messages, facts)
  const wanted = draft.surplus('target') + summaryTokens
  for (const start of stretchStarts(messages)) {
    let end = start
    let tokens = 0
    let steps = 0
    while (tokens < wanted || steps < least) {
      const next = endOfStep(messages, end)
      if (next === end || next > newest || (age === 'seen' && isLate(next - 1))) break
      for (; end < next; end += 1) tokens += countMessage(messages[end] as Message, tokenizer)
      steps += 1
    }
    if (steps === 0) continue
    return {
      messages: messages.slice(start, end),
      kept: messages.slice(end),
      summaries: messages.slice(0, start).filter(({ summary }) => summary === true),
      rounds: { folded: 0, kept: roundsOf(messages).length },
    }
  }
  return null
}

/** Where runs of the assistant's and the tools' messages begin, the oldest first. */
function stretchStarts(messages: readonly Message[]): readonly number[] {
  return messages.flatMap((message, index) => {
    const before = messages[index - 1]
    return isStep(message) && (before === undefined || !isStep(before)) ? [index] : []
  })
}

/** An assistant's message with the results after it; results that follow none stand for themselves. */
function endOfStep(messages: readonly Message[], from: number): number {
  let end = from
  if (messages[end]?.role === 'assistant' && messages[end]?.summary !== true) end += 1
  while (messages[end]?.role === 'tool') end += 1
  return end
}

function isStep({ role, summary }: Message): boolean {
  return (role === 'assistant' || role === 'tool') && summary !== true
}
