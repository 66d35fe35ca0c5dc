import { createConversation as carryOn, specPolicies } from '../packages/core/dist/index.js'
import { competitors } from './competitors.mjs'
import { createConversation, factsAfter, legalEnds, quarter, tokensPerMessage } from './conversation.mjs'
import { economicRows } from './economic-views.mjs'
import { takeTurns } from './sampling.mjs'

const appended = 160

/** `buildView` from a short talk to a million tokens, cold and with a call and its result added. */
export async function curveBench() {
  const rows = []
  for (const tokens of [10_000, 30_000, 100_000, 300_000, 1_000_000]) {
    const size = tokens / tokensPerMessage
    const conversation = createConversation({ messages: size + appended, tokens: (size + appended) * tokensPerMessage })
    const ends = legalEnds(conversation).filter((end) => end > size)
    const label = `${tokens / 1000}k tokens, ${size} messages`
    const [fresh] = competitors(conversation, () => size, { fresh: true })
    const [cold] = await takeTurns([fresh.create()], { rounds: tokens > 200_000 ? 9 : 21, warmUp: 3 })
    const [growing] = competitors(conversation, (round) => ends[round], { fresh: false })
    const [warm] = await takeTurns([growing.create()], { rounds: ends.length - 20, warmUp: 20 })
    rows.push({ name: `${label}: cold`, value: cold.p50, unit: 'ms', spread: cold.spread })
    const bound = tokens === 1_000_000 ? '< 2 ms' : undefined
    rows.push({ name: `${label}: call and result added`, value: warm.p50, unit: 'ms', spread: warm.spread, bound })
  }
  return [...rows, ...lastResortRows(), ...(await economicRows(1_000_000, { median: '< 4 ms' }))]
}

/** A request of a million tokens that must fit a window of 200,000: shrunk at first, then with the decisions still active. */
function lastResortRows() {
  const config = { context_window: 200_000 }
  const times = { first: [], next: [] }
  for (let round = 0; round < 3; round += 1) {
    const messages = createConversation({ messages: 5000 + appended, tokens: (5000 + appended) * tokensPerMessage })
    const ends = legalEnds(messages).filter((end) => end > 5000)
    const conversation = carryOn({ policies: specPolicies })
    for (const [index, end] of ends.slice(0, 12).entries()) {
      const list = messages.slice(0, end)
      const start = performance.now()
      conversation.next(list, factsAfter(list, quarter, config))
      conversation.accepted()
      times[index === 0 ? 'first' : 'next'].push(performance.now() - start)
    }
  }
  const median = (values) => values.sort((a, b) => a - b)[values.length >> 1]
  return [
    { name: '1000k tokens into a window of 200k: the first request', value: median(times.first), unit: 'ms' },
    { name: '1000k tokens into a window of 200k: each further one', value: median(times.next), unit: 'ms' },
  ]
}
