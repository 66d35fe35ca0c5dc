import { createConversation as carryOn, economyPolicies } from '../packages/core/dist/index.js'
import { clone } from './competitors.mjs'
import { createConversation, factsAfter, legalEnds, quarter, tokensPerMessage } from './conversation.mjs'
import { takeTurns } from './sampling.mjs'

const appends = 400
const warmUp = 60

/**
 * The economy policies with economic timing, including active and pending edits: each request adds a call and its result to a
 * conversation of about this many tokens.
 */
export async function economicRows(tokens, bounds = {}) {
  const size = tokens / tokensPerMessage
  const conversation = createConversation({ messages: size + appends, tokens: (size + appends) * tokensPerMessage })
  const ends = legalEnds(conversation).filter((end) => end > size - appends / 2)
  const rounds = { rounds: ends.length - warmUp, warmUp }
  // One full run before the timed one: the code must be warm, not the objects.
  await takeTurns([startRun(conversation, ends)], rounds)
  const [{ p50, p99, spread, samples }] = await takeTurns([startRun(conversation, ends)], rounds)
  const name = `economy policies, economic timing, ${tokens / 1000}k tokens: next and accepted`
  return [
    { name, value: p50, unit: 'ms', spread, bound: bounds.median },
    { name: `${name}: 99th percentile of ${samples}`, value: p99, unit: 'ms', bound: bounds.p99 },
  ]
}

function startRun(conversation, ends) {
  const messages = clone(conversation)
  const { next, accepted } = carryOn({ policies: economyPolicies, timing: 'economic' })
  return {
    prepare: (round) => messages.slice(0, ends[round]),
    run(list) {
      const view = next(list, factsAfter(list, quarter))
      accepted()
      return view
    },
  }
}
