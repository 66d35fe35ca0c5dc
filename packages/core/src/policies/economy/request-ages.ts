import { rememberGrowth } from '../../derive.ts'
import type { Message } from '../../message.ts'

/** How many requests were answered since what stands at a place was first sent: runs of the assistant's messages behind it. */
export type AgeOf = (index: number) => number

/** The ages of the messages of a conversation, in requests. */
export function requestAges(messages: readonly Message[]): AgeOf {
  const { answered, total } = runsIn(messages)
  return (index) => total - (answered[index] ?? total)
}

interface Runs {
  /** For each message, how many runs had begun up to it. */
  readonly answered: number[]
  total: number
  inRun: boolean
}

const runsIn = rememberGrowth({
  start: (): Runs => ({ answered: [], total: 0, inRun: false }),
  extend(runs, messages, from) {
    for (let index = from; index < messages.length; index += 1) {
      const isAnswer = messages[index]?.role === 'assistant'
      if (isAnswer && !runs.inRun) runs.total += 1
      runs.inRun = isAnswer
      runs.answered.push(runs.total)
    }
  },
  change: (_runs, _index, was, is) => was.role === is.role,
  // The list only grows at its end, where whoever got it earlier does not look.
  finish: ({ answered, total }) => ({ answered, total }),
})
