import { type Policy, toolResults } from '@plimsoll/core'
import { clearResult } from './clear-result.ts'

/** How many results a mask leaves, and how often it moves. */
export interface MaskOptions {
  readonly name: string
  /** The newest results that stay as they are. */
  readonly keep: number
  /** Results that become old before the next of them are masked, all at once. */
  readonly batch: number
}

/** Masks everything but the newest results, as SWE-agent's history processor for the last observations does. */
export function maskOldResults({ name, keep, batch }: MaskOptions): Policy {
  return {
    name,
    plan(messages, facts) {
      const results = toolResults(messages, facts)
      const old = Math.max(0, results.length - keep)
      return results.slice(0, old - (old % batch)).map((result) => clearResult(name, result, maskedLine))
    },
  }
}

/** What stands in place of a masked result. */
export const maskedLine = '[Old tool output left out]'
