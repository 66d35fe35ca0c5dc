import { createRandom } from './random.mjs'

const words =
  'server port request handler config value result error module import export const return async queue cache token'.split(' ')

/**
 * The requests of an agent's conversation, each the one before with an answer that calls a tool and the result of that call: files, searches
 * and logs of a realistic size, with ids as a provider makes them. The first request has this many kilobytes.
 */
export function growingBodies({ kilobytes, turns, seed = 1, extra = {} }) {
  const random = createRandom(seed)
  const messages = [
    { role: 'system', content: 'You are a coding agent.\n'.repeat(40) },
    { role: 'user', content: `Find out why the server is slow, and repair it (${seed}).` },
  ]
  const grow = () => {
    const added = turnOf(random)
    messages.push(...added)
    return JSON.stringify(added).length
  }
  for (let length = JSON.stringify(messages).length; length < kilobytes * 1024; ) length += grow()
  return Array.from({ length: turns }, () => {
    grow()
    return Buffer.from(JSON.stringify({ model: 'gpt-4o', messages, tools, ...extra }))
  })
}

function turnOf(random) {
  const id = `call_${Array.from({ length: 24 }, () => random.pick([...'abcdefghijkmnpqrstuvwxyzABCDEFGH123456789'])).join('')}`
  const file = `src/${random.pick(words)}/${random.pick(words)}-${random.below(400)}.ts`
  const [name, input, content] = random.pick(kinds)(random, file)
  const call = { id, type: 'function', function: { name, arguments: JSON.stringify(input) } }
  return [
    { role: 'assistant', content: `Let me look at ${file}.`, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ]
}

const sentence = (random, count) => Array.from({ length: count }, () => random.pick(words)).join(' ')
const lines = (random, mean, line) => Array.from({ length: 5 + random.longTailed(mean) }, (_, index) => line(index)).join('\n')

const kinds = [
  (random, file) => ['read', { path: file }, lines(random, 60, (index) => `${index + 1}\tconst ${sentence(random, 7)}`)],
  (random, file) => [
    'grep',
    { pattern: random.pick(words), path: file },
    lines(random, 25, () => `${file}:${random.below(900)}: ${sentence(random, 6)}`),
  ],
  (random, file) => [
    'bash',
    { command: `npm test -- ${file}` },
    lines(random, 40, (index) => `[${index}] ok ${sentence(random, 8)} (${random.below(90)} ms)`),
  ],
]

const tools = ['read', 'grep', 'bash'].map((name) => ({
  type: 'function',
  function: {
    name,
    description: `Runs ${name}. `.repeat(30),
    parameters: { type: 'object', properties: { path: { type: 'string' } } },
  },
}))
