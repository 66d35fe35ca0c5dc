import { compare } from './comparison.mjs'
import { competitors } from './competitors.mjs'
import { createConversation, legalEnds, tokensPerMessage } from './conversation.mjs'
import { economicRows } from './economic-views.mjs'
import { takeTurns } from './sampling.mjs'

const size = 1000
const appends = 400
const warmUp = 60

/**
 * One message more than at the last call, alternately a user's and an answer. The conversation starts below the wanted size and
 * ends as far above it, so that the median represents that size.
 */
export async function oneMessageBench() {
  const start = size - appends / 2
  const base = createConversation({ messages: start, tokens: start * tokensPerMessage })
  const last = base.at(-1).at
  const added = Array.from({ length: appends }, (_, index) => ({
    id: `added${index}`,
    role: index % 2 === 0 ? 'user' : 'assistant',
    parts: [{ type: 'text', text: `Step ${index}: look at it once more and say what you see.` }],
    at: last + (index + 1) * 20_000,
  }))
  return grow([...base, ...added], (round) => start + round, appends)
}

/** One call and its result more than at the last call, as in an agent's loop. */
export async function onePairBench() {
  const conversation = agentLoop()
  const ends = legalEnds(conversation).filter((end) => end > size - appends)
  const calls = ends.filter((end) => conversation[end]?.role === 'assistant').map((end) => end + 1)
  const [open] = await takeTurns([buildViewRun(conversation, (round) => calls[round])], { rounds: calls.length - warmUp, warmUp })
  return [
    ...(await grow(conversation, (round) => ends[round], ends.length)),
    { name: 'buildView, when the last call has no answer yet', value: open.p50, unit: 'ms', spread: open.spread },
    ...(await economicRows(size * tokensPerMessage, { median: '< 0.7 ms', p99: '< 15 ms' })),
  ]
}

/** The same messages in a new list: the cost of a known message. */
export async function unchangedBench() {
  const conversation = agentLoop()
  const length = legalEnds(conversation).find((end) => end >= size)
  const [{ p50, spread }] = await takeTurns([buildViewRun(conversation, () => length)], { rounds: 600, warmUp: 200 })
  return [{ name: 'an unchanged message', value: (p50 * 1e6) / length, unit: 'ns', spread }]
}

function grow(conversation, steps, count) {
  const everyone = competitors(conversation, steps, { fresh: false })
  return compare(everyone, { rounds: count - warmUp, warmUp }, { median: '< 0.5 ms', p99: '< 5 ms', ratio: '< 1' })
}

function buildViewRun(conversation, steps) {
  return competitors(conversation, steps, { fresh: false })[0].create()
}

function agentLoop() {
  return createConversation({ messages: size + appends, tokens: (size + appends) * tokensPerMessage })
}
