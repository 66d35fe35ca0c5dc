import type { Message } from '../../../packages/core/src/message.ts'
import { answerRecall, sourceOfMessages } from '../../../packages/core/src/recall/recall-tool.ts'
import { handleOf } from '../../../packages/core/src/text/hash.ts'
import { findHandles } from '../handles.ts'
import { holds, type Target } from '../target.ts'

const long = Array.from({ length: 300 }, (_, index) => `line ${index + 1} of the basket's log, total ${index * 7} 中文`).join(
  '\n',
)

const messages: readonly Message[] = [
  { id: 'm1', role: 'user', parts: [{ type: 'text', text: 'Fix the basket in src/basket.ts.' }] },
  {
    id: 'm2',
    role: 'assistant',
    parts: [
      { type: 'tool-call', callId: 'c1', tool: 'Read', input: { file_path: 'src/basket.ts' } },
      { type: 'tool-call', callId: 'c2', tool: 'Bash', input: { command: 'npm test' } },
    ],
  },
  { id: 'm3', role: 'tool', parts: [{ type: 'tool-result', callId: 'c1', tool: 'Read', content: { type: 'text', text: long } }] },
  {
    id: 'm4',
    role: 'tool',
    parts: [
      {
        type: 'tool-result',
        callId: 'c2',
        tool: 'Bash',
        content: { type: 'text', text: 'exit 1\nError: total is wrong' },
        isError: true,
      },
    ],
  },
  { id: 'm5', role: 'tool', parts: [{ type: 'tool-result', callId: 'c9', tool: 'Read', content: { type: 'text', text: '' } }] },
]

/** Recall requests of a model, in any form. */
export const recallTarget: Target = {
  name: 'recall',
  form: 'json',
  choices: 0,
  longest: 600,
  slowness: 2,
  covers: ['packages/core/src/recall/'],
  seeds: () =>
    [
      { handle: handleOf(long) },
      { handle: handleOf(long).slice(0, 7), lines: '10-20' },
      { tool: 'Read', about: 'basket', pattern: 'total 1\\d' },
      { query: 'basket total', budget: 200 },
      { id: 'c2' },
      { id: 'm3', characters: [5, 900] },
      { handle: handleOf(long), lines: [1, 1e9], characters: '2-3' },
    ].map((request) => JSON.stringify(request)),
  words: findHandles(messages),
  check({ text }) {
    const source = { ...sourceOfMessages(messages, []), findLines }
    const answer = answerRecall(parse(text), source, {})
    holds(typeof answer === 'string', 'an answer is a text')
    holds(answer.length < 60_000, 'an answer is limited in length')
    if (text.startsWith('{') && parse(text) !== undefined)
      holds(answerRecall(text, source, {}) === answer, 'arguments as text give the same answer')
    const plain = answerRecall({ handle: handleOf('exit 1\nError: total is wrong') }, source, {})
    holds(plain === 'exit 1\nError: total is wrong', 'recalled text is unchanged')
  },
}

function findLines(
  pattern: string,
  lines: readonly string[],
): { readonly found: readonly number[] } | { readonly trouble: string } {
  // The product runs patterns where they can be stopped; here only plain text is searched.
  return { found: lines.flatMap((line, index) => (line.includes(pattern) ? [index] : [])) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
