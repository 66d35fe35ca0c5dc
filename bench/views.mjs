import { buildView, countMessages, estimator, specPolicies } from '../packages/core/dist/index.js'
import { clone, competitors } from './competitors.mjs'
import { createConversation, factsAfter, quarter } from './conversation.mjs'
import { takeTurns } from './sampling.mjs'

const size = 1000
const tokensPerMessage = 200
const appends = 400

/** Cold: every object is new to the library, as after a restart. The machine code is warm. */
export async function coldBench() {
  const conversation = createConversation({ messages: size, tokens: size * tokensPerMessage })
  const everyone = competitors(conversation, () => size, { fresh: true })
  const rounds = { rounds: 25, warmUp: 8 }
  const summaries = await takeTurns(everyone, rounds)
  const estimating = { prepare: () => clone(conversation), run: (messages) => countMessages(messages, estimator) }
  const [estimate] = await takeTurns([estimating], rounds)
  return [
    ...rowsOf(everyone, summaries, (name) => (name === 'buildView' ? '< 15 ms' : undefined)),
    { name: 'the estimator alone, on the same messages', value: estimate.p50, unit: 'ms', spread: estimate.spread },
    ...ratios(everyone, summaries, '<= 2'),
  ]
}

/**
 * One message more than at the last call, by turns a user's and an answer. The conversation starts below the wanted size and ends
 * as far above it, so that the median stands for that size.
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
  return incremental([...base, ...added], (round) => start + round)
}

/** A call and its result more than at the last call, as in an agent's loop. */
export async function onePairBench() {
  const conversation = createConversation({ messages: size + appends * 2, tokens: (size + appends * 2) * tokensPerMessage })
  const ends = legalEnds(conversation).filter((end) => end > size - appends)
  return incremental(conversation, (round) => ends[round], 300)
}

/** The same messages in a new list, nothing added: what it costs to look at a message that is known already. */
export async function unchangedBench() {
  const conversation = createConversation({ messages: size, tokens: size * tokensPerMessage })
  const [first] = competitors(conversation, () => size, { fresh: false })
  const [{ p50, spread }] = await takeTurns([first], { rounds: 400, warmUp: 100 })
  return [{ name: 'an unchanged message', value: (p50 * 1e6) / size, unit: 'ns', spread }]
}

/** From a short talk to a million tokens. */
export async function curveBench() {
  const rows = []
  for (const tokens of [10_000, 30_000, 100_000, 300_000, 1_000_000]) {
    const count = tokens / tokensPerMessage
    const conversation = createConversation({ messages: count + 120, tokens: tokens + 120 * tokensPerMessage })
    const ends = legalEnds(conversation).filter((end) => end >= count - 60)
    const steps = (round) => ends[round % ends.length]
    const [cold] = await takeTurns([competitors(conversation, () => count, { fresh: true })[0]], {
      rounds: tokens > 200_000 ? 7 : 15,
      warmUp: 3,
    })
    const [warm] = await takeTurns([competitors(conversation, steps, { fresh: false })[0]], {
      rounds: ends.length - 10,
      warmUp: 10,
    })
    const built = buildView({
      messages: conversation.slice(0, count),
      policies: specPolicies,
      facts: factsAfter(conversation, quarter),
    })
    const label = `${String(tokens / 1000).padStart(4)}k tokens, ${String(count).padStart(4)} messages, ${built.edits.length} edits`
    rows.push({ name: `${label}: cold`, value: cold.p50, unit: 'ms', spread: cold.spread })
    rows.push({ name: `${label}: call and result added`, value: warm.p50, unit: 'ms', spread: warm.spread })
  }
  return rows
}

async function incremental(conversation, steps, rounds = appends - 40) {
  const everyone = competitors(conversation, steps, { fresh: false })
  const summaries = await takeTurns(everyone, { rounds, warmUp: 40 })
  const ours = (name) => name === 'buildView' || name.startsWith('createConversation')
  return [
    ...rowsOf(everyone, summaries, (name) => (ours(name) ? '< 0.5 ms' : undefined)),
    ...everyone.flatMap(({ name, peer }, index) =>
      peer ? [] : [{ name: `${name}: p99`, value: summaries[index].p99, unit: 'ms', ...(ours(name) ? { bound: '< 5 ms' } : {}) }],
    ),
    ...ratios(everyone, summaries, '< 1'),
  ]
}

function rowsOf(everyone, summaries, boundOf) {
  return everyone.map(({ name }, index) => {
    const bound = boundOf(name)
    return {
      name,
      value: summaries[index].p50,
      unit: 'ms',
      spread: summaries[index].spread,
      ...(bound === undefined ? {} : { bound }),
    }
  })
}

/** `buildView` against each peer of the same run; the target counts against the cheapest. */
function ratios(everyone, summaries, bound) {
  const ours = summaries[0].p50
  const cheapest = Math.min(...summaries.filter((_, index) => everyone[index].peer).map(({ p50 }) => p50))
  return everyone.flatMap(({ name, peer }, index) => {
    if (!peer) return []
    const { p50 } = summaries[index]
    return [{ name: `buildView / ${name}`, value: ours / p50, unit: 'x', ...(p50 === cheapest ? { bound } : {}) }]
  })
}

/** The lengths at which a conversation may be sent: every call answered, and something to answer. */
function legalEnds(conversation) {
  const ends = []
  for (let end = 1; end <= conversation.length; end += 1) {
    const last = conversation[end - 1]
    const next = conversation[end]
    if ((last.role === 'tool' && next?.role !== 'tool') || last.role === 'user') ends.push(end)
  }
  return ends
}
