import { buildView, economyPolicies, specPolicies } from '../packages/core/dist/index.js'
import { countMessages, estimator } from '../packages/core/dist/tokens/count-tokens.js'
import { compare } from './comparison.mjs'
import { clone, competitors } from './competitors.mjs'
import { createConversation, factsAfter, quarter, tokensPerMessage } from './conversation.mjs'
import { takeTurns } from './sampling.mjs'

const size = 1000
const rounds = { rounds: 25, warmUp: 10 }

/** Every object is new to the library, as after a restart; only the machine code is warm. */
export async function coldBench() {
  const conversation = createConversation({ messages: size, tokens: size * tokensPerMessage })
  const everyone = competitors(conversation, () => size, { fresh: true })
  const [estimate] = await takeTurns(
    [{ prepare: () => clone(conversation), run: (messages) => countMessages(messages, estimator) }],
    rounds,
  )
  return [
    ...described(conversation),
    ...(await compare(everyone, rounds, { median: '< 8 ms', ratio: '<= 2' })),
    { name: 'the estimator alone, on the same messages', value: estimate.p50, unit: 'ms', spread: estimate.spread },
    ...(await economyRows(conversation)),
  ]
}

/** What a gateway in economy mode does when a long conversation is resumed. */
async function economyRows(conversation) {
  const view = (policies) => ({
    prepare: () => clone(conversation),
    run: (messages) => buildView({ messages, policies, facts: factsAfter(messages, quarter) }),
  })
  const [economy, spec] = await takeTurns([view(economyPolicies), view(specPolicies)], rounds)
  return [
    { name: 'buildView, economy policies', value: economy.p50, unit: 'ms', spread: economy.spread },
    { name: 'buildView, economy policies / specification', value: economy.p50 / spec.p50, unit: 'x' },
  ]
}

/** Policies without edits on a valid conversation that fits, in plain text. */
const idle = new Set(['pair-tool-calls', 'shorten-losslessly', 'fit-window'])

/** Rows about the conversation. Throws if a policy makes no edits, because its time would be meaningless. */
function described(conversation) {
  const { report } = buildView({ messages: conversation, policies: specPolicies, facts: factsAfter(conversation, quarter) })
  for (const { name } of specPolicies) {
    if (report.rules[name] === undefined && !idle.has(name)) throw new Error(`bench: expected edits of ${name}, got none`)
  }
  return [
    { name: 'tokens, four characters each', value: report.tokensBefore, unit: 'tokens' },
    { name: 'tokens, estimated', value: countMessages(conversation, estimator), unit: 'tokens' },
    { name: 'edits in the view', value: report.edits.length, unit: 'edits' },
  ]
}
