import type { ModelReply, ReplyCall } from '../../../test/gateway/reply.ts'
import type { Random } from '../random.ts'
import type { Question } from './start-upstream.ts'

/** The answers of an agent's model: one or two tool calls for some steps, then a final text. */
export function createAgentAnswer(random: Random): (question: Question) => ModelReply {
  let answers = 0
  return ({ body }) => {
    answers += 1
    // A request for a summary has no tools.
    if (!body.includes('"tools"') || random.chance(0.3)) return { text: `Answer ${answers}: ${words(random, 20)}` }
    const calls = Array.from({ length: 1 + random.below(2) }, (_, index): ReplyCall => {
      return { id: `call_${answers}_${index}`, ...random.pick(kinds)(random) }
    })
    return random.chance(0.5) ? { calls } : { text: `Step ${answers}.`, calls }
  }
}

/** The given number of meaningless words. */
export function words(random: Random, count: number): string {
  return Array.from({ length: count }, () => random.pick(vocabulary)).join(' ')
}

const vocabulary = [
  'tide',
  'keel',
  'mast',
  'harbour',
  '水位',
  'rope',
  'ballast',
  'lantern',
  'überholen',
  '"quoted"',
  '\\n',
  '🚢',
] as const

type Call = Omit<ReplyCall, 'id'>

const kinds: readonly [(random: Random) => Call, ...((random: Random) => Call)[]] = [
  () => ({ name: 'Read', input: { file_path: 'notes.txt' } }),
  () => ({ name: 'Read', input: { file_path: 'picture.png' } }),
  (random) => ({ name: 'Grep', input: { pattern: random.pick(vocabulary.slice(0, 4) as ['tide']), path: '.' } }),
  (random) => ({ name: 'Write', input: { file_path: `made-${random.below(9)}.txt`, content: words(random, 200) } }),
  (random) => ({ name: 'Bash', input: { command: `seq ${10 + random.below(3000)}` } }),
  (random) => ({ name: 'Bash', input: { command: `echo begun; sleep 0.${random.below(10)}; env | sort; echo done >&2` } }),
  () => ({ name: 'Bash', input: { command: 'seq 200000' } }),
  () => ({ name: 'Bash', input: { command: 'sleep 20 & sleep 4; echo late' } }),
  (random) => ({ name: 'Bash', input: { command: `head -c 30000 /dev/urandom | base64 -w0; exit ${random.below(2)}` } }),
  (random) => ({ name: 'mcp__soak__echo', input: { text: words(random, 30) } }),
  () => ({ name: 'mcp__soak__die', input: {} }),
  () => ({ name: 'NoSuchTool', input: { anything: [1, 2, 3] } }),
]
