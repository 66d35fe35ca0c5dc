import { competitors } from './competitors.mjs'
import { createConversation, legalEnds, tokensPerMessage } from './conversation.mjs'
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
    rows.push({ name: `${label}: call and result added`, value: warm.p50, unit: 'ms', spread: warm.spread })
  }
  return rows
}
