import fc from 'fast-check'
import type { Message, Part, ResultContent } from '../message.ts'

/**
 * Complete conversations of very different sizes: short and long rounds, rounds without any step, steps with several calls, large
 * and small results, failures, large arguments as JSON and as values, images in results and messages, long user messages.
 */
export const longConversations: fc.Arbitrary<readonly Message[]> = fc
  .record({
    system: fc.boolean(),
    leading: fc.array(steps(), { maxLength: 2 }),
    rounds: fc.array(
      fc.record({
        said: sizes([0, 20, 200, 800], [3, 6, 2, 1]),
        picture: rarely(5),
        steps: fc.array(steps(), { maxLength: 3 }),
        answer: sizes([0, 10, 300], [2, 5, 1]),
      }),
      { minLength: 1, maxLength: 14 },
    ),
    tail: fc.array(steps(), { maxLength: 20 }),
  })
  .map(assemble)

interface Step {
  readonly calls: readonly {
    readonly tool: string
    readonly size: number
    readonly input: number
    readonly asText: boolean
    readonly failed: boolean
    readonly picture: boolean
  }[]
}

interface Shape {
  readonly system: boolean
  readonly leading: readonly Step[]
  readonly rounds: readonly {
    readonly said: number
    readonly picture: boolean
    readonly steps: readonly Step[]
    readonly answer: number
  }[]
  readonly tail: readonly Step[]
}

function steps(): fc.Arbitrary<Step> {
  return fc.record({
    calls: fc.array(
      fc.record({
        tool: fc.constantFrom('Bash', 'Read', 'Grep', 'Write', 'mcp__x__y'),
        size: sizes([0, 30, 200, 1500], [2, 6, 3, 1]),
        input: sizes([5, 100, 800], [10, 2, 1]),
        asText: fc.boolean(),
        failed: rarely(4),
        picture: rarely(8),
      }),
      { minLength: 1, maxLength: 3 },
    ),
  })
}

function sizes(values: readonly number[], weights: readonly number[]): fc.Arbitrary<number> {
  return fc.oneof(...values.map((value, index) => ({ weight: weights[index] ?? 1, arbitrary: fc.constant(value) })))
}

function rarely(of: number): fc.Arbitrary<boolean> {
  return fc.integer({ min: 1, max: of }).map((number) => number === 1)
}

function assemble({ system, leading, rounds, tail }: Shape): readonly Message[] {
  const messages: Message[] = []
  const add = (role: Message['role'], parts: readonly Part[]) => messages.push({ id: `m${messages.length}`, role, parts })
  const addStep = ({ calls }: Step) => {
    const base = messages.length
    add(
      'assistant',
      calls.map(({ tool, input, asText }, index) => {
        const value = { path: `src/${base}.ts`, content: prose(input, base + index) }
        return { type: 'tool-call', callId: `c${base}.${index}`, tool, input: asText ? JSON.stringify(value) : value }
      }),
    )
    for (const [index, call] of calls.entries()) {
      const text = `${call.failed ? 'Error: ' : ''}${prose(call.size, base * 3 + index)}`
      const content: ResultContent = call.picture
        ? { type: 'list', items: [{ type: 'text', text }, picture] }
        : { type: 'text', text }
      add('tool', [{ type: 'tool-result', callId: `c${base}.${index}`, tool: null, content }])
    }
  }
  if (system) add('system', [{ type: 'text', text: 'You are careful.' }])
  leading.forEach(addStep)
  for (const [index, round] of rounds.entries()) {
    const said: Part = { type: 'text', text: `Request ${index}: ${prose(round.said, index)}` }
    add('user', round.picture ? [said, picture] : [said])
    round.steps.forEach(addStep)
    if (round.answer > 0) add('assistant', [{ type: 'text', text: prose(round.answer, index) }])
  }
  tail.forEach(addStep)
  return messages
}

const picture = {
  type: 'media',
  mediaType: 'image/png',
  data: { type: 'image', source: { data: 'iVBORw0KGgo'.repeat(40) } },
} as const

/** This many words in lines, different for each seed. */
function prose(words: number, seed: number): string {
  return Array.from(
    { length: words },
    (_, index) => `${vocabulary[(seed * 7 + index * 5) % vocabulary.length]}${index % 9 === 8 ? '\n' : ' '}`,
  ).join('')
}

const vocabulary = [
  'ship',
  'line',
  'load',
  'hull',
  'mark',
  'port',
  'deck',
  'crew',
  'wind',
  'tide',
  'sail',
  'rope',
  'mast',
  'keel',
]
