import type { Message } from '@plimsoll/core'
import { showResults } from './show-results.ts'

/** The lower bound of every trimming of results: none of them is ever shown. */
export function noToolOutput(): (message: Message) => Message {
  return showResults(() => noOutputLine)
}

/** What stands in place of a result of which nothing is shown. */
export const noOutputLine = '[cut]'
