import { promptTotal, type TurnEnd } from '@plimsoll/core'
import type { Language } from '../parts/language.tsx'

/** What a turn took, in one line: how it ended, how long, requests, tokens, money. */
export function turnText({ outcome, steps, usage, cost }: TurnEnd, durationMs: number, language: Language): string {
  const { strings, number, percent, dollars, duration } = language
  const words = strings.turn
  const prompt = promptTotal(usage)
  return [
    ...(outcome === 'finished' ? [] : [words.turnOutcome[outcome]]),
    ...(durationMs < 100 ? [] : [duration(durationMs)]),
    // One that was not answered is not counted, and nothing is known of what it cost.
    ...(steps === 0 ? [] : [words.requests(steps)]),
    ...(prompt === 0 ? [] : [words.turnTokens(number(prompt), number(usage.output))]),
    ...(prompt > 0 && usage.cacheRead > 0 ? [words.readFromCache(percent(usage.cacheRead / prompt))] : []),
    ...(cost.dollars === 0 && (cost.unpriced > 0 || prompt === 0) ? [] : [dollars(cost.dollars)]),
  ].join(' · ')
}
