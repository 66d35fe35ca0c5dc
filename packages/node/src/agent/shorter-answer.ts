import type { Failure } from '@plimsoll/core/wire'

/** An answer with fewer tokens is hardly of use. */
const leastAnswer = 1024
/** The provider counts a little more than it says. */
const margin = 128

/**
 * Tokens left for the answer when input and answer together were too much; null where that is hardly of use and the input has to
 * give way. `asked` is what was asked for, `input` what the request was estimated at.
 */
export function shorterAnswer(failure: Failure, asked: number, input: number): number | null {
  const { limit, requested } = failure
  const counted = failure.input ?? (requested !== null && requested > asked ? requested - asked : input)
  const room = limit === null ? 0 : limit - counted - margin
  // Numbers that contradict the refusal, or none, say only that it was too much.
  const next = limit === null || room >= asked ? Math.floor(asked / 2) : room
  return next < leastAnswer ? null : next
}

/** The limit of the answer that a server names when it refuses a longer one; null where its words are about something else. */
export function answerLimitIn(words: string, asked: number): number | null {
  const text = words.slice(0, 2000)
  if (!/max_(?:completion_|output_)?tokens|maxOutputTokens|maximum tokens|(?:completion|output) tokens/i.test(text)) return null
  // Neither the status before the words nor what belongs to a name is a size.
  const numbers = [...text.replace(/^HTTP \d{3}: /, '').matchAll(/(?<![\w.-])\d{1,9}(?:,\d{3}){0,3}(?![\w-])/g)].map(([number]) =>
    Number(number.replaceAll(',', '')),
  )
  const below = numbers.filter((number) => number >= 256 && number < asked)
  return below.length === 0 ? null : Math.max(...below)
}
