import type { Facts } from '../facts.ts'
import type { Message } from '../message.ts'
import { createFitting, type Fitting } from './fitting.ts'
import { climb, type Rung } from './ladder.ts'
import { takeUpStandingEdits } from './standing-edits.ts'

/**
 * Makes a request fit as far as it can be done: with what made the last one fit, with more of it where that is not enough, and
 * where even that is not, once more from the start with summaries of a line or two.
 */
export function fitRequest(messages: readonly Message[], facts: Facts, reached: (rung: Rung) => void = () => undefined): Fitting {
  const full = attempt(messages, facts, 'full', reached)
  if (full.draft.excess('budget').length === 0) return full
  const short = attempt(messages, facts, 'short', reached)
  return short.draft.excess('budget').length < full.draft.excess('budget').length ||
    short.draft.surplus('budget') < full.draft.surplus('budget')
    ? short
    : full
}

function attempt(
  messages: readonly Message[],
  facts: Facts,
  summaries: Fitting['summaries'],
  reached: (rung: Rung) => void,
): Fitting {
  const fitting = createFitting(messages, facts, summaries)
  takeUpStandingEdits(fitting)
  if (fitting.draft.excess('budget').length > 0) climb(fitting, reached)
  return fitting
}
