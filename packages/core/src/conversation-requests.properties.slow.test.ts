import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createConversation } from './conversation.ts'
import { type Message, messageText, resultText } from './message.ts'
import { economyPolicies } from './policies/economy-policies.ts'
import { specPolicies } from './policies/spec-policies.ts'
import { checkView } from './results/invariants.ts'
import { deepFreeze } from './testing/messages.ts'
import { handleOf } from './text/hash.ts'
import { codecs } from './wire/codecs.ts'

interface ChatMessage {
  readonly role: string
  readonly content: string | null
  readonly tool_call_id?: string
  readonly tool_calls?: readonly unknown[]
}

/** The next action of an agent: works, drops its first messages, goes back, waits; and whether the provider accepts the request. */
interface Turn {
  readonly does: 'work' | 'forget' | 'rewind'
  readonly count: number
  readonly text: number
  readonly tool: string
  readonly seconds: number
  readonly isAccepted: boolean
}

const turn: fc.Arbitrary<Turn> = fc.record({
  does: fc.constantFrom('work', 'work', 'work', 'work', 'forget', 'rewind'),
  count: fc.integer({ min: 1, max: 4 }),
  text: fc.integer({ min: 0, max: 3 }),
  tool: fc.constantFrom('bash', 'read_file', 'grep'),
  seconds: fc.constantFrom(1, 20, 400, 1200),
  isAccepted: fc.boolean(),
})

/** Long enough to be cut, and with lines that others have too. */
const texts = [300, 40, 500, 12].map((lines, text) =>
  Array.from({ length: lines }, (_, line) => `line ${line} of what ${line < 9 ? 'all have' : `only ${text} has`}`).join('\n'),
)

const sets = { economy: economyPolicies, spec: specPolicies }

it.each(['economy', 'spec'] as const)(
  'Q-3 whatever becomes of the history, each request is whole, and no result is shown in place of another (%s)',
  (name) => {
    const reached = { trimmed: 0, shortened: 0, rewound: 0, waiting: 0 }
    fc.assert(
      fc.property(fc.array(turn, { minLength: 3, maxLength: 14 }), (turns) => {
        const options = { codec: codecs['openai-chat'], policies: sets[name] }
        const conversation = createConversation(options)
        let other = createConversation(options)
        let steps: readonly (readonly ChatMessage[])[] = []
        let now = Date.UTC(2026, 0, 5, 12)
        let calls = 0
        for (const { does, count, text, tool, seconds, isAccepted } of turns) {
          now += seconds * 1000
          if (does === 'forget') steps = steps.slice(count)
          else if (does === 'rewind') steps = steps.slice(0, -count)
          else steps = [...steps, ...Array.from({ length: count }, () => step((calls += 1), tool, texts[text] as string))]
          const request = deepFreeze({ model: 'claude-sonnet-4-5', messages: [...question, ...steps.flat()] })

          const trimmed = conversation.next(request, { now })
          // The same from a state that was written down and read again.
          const again = other.next(request, { now })
          expect(again.request).toEqual(trimmed.request)
          expect(again.report).toEqual(trimmed.report)
          checkRequest(request.messages, trimmed.request.messages)

          const { edits, waiting } = trimmed.report
          reached.trimmed += edits.length
          reached.waiting += waiting.length
          if (edits.length > 0 && does === 'forget') reached.shortened += 1
          if (edits.length > 0 && does === 'rewind') reached.rewound += 1
          if (!isAccepted) continue
          conversation.accepted({ prompt_tokens: trimmed.report.tokensAfter, completion_tokens: 5 })
          other.accepted({ prompt_tokens: trimmed.report.tokensAfter, completion_tokens: 5 })
          other = createConversation({ ...options, state: JSON.parse(JSON.stringify(other.state())) })
        }
      }),
      { numRuns: 25 },
    )
    expect(
      Object.values(reached).every((times) => times >= 5),
      JSON.stringify(reached),
    ).toBe(true)
  },
)

const question: readonly ChatMessage[] = [
  { role: 'system', content: 'You are a coding agent.' },
  { role: 'user', content: 'Go on until it works.' },
]

function step(number: number, tool: string, text: string): readonly ChatMessage[] {
  const id = `call_${number}`
  const input = { command: 'make', path: 'src/a.ts', pattern: 'line' }
  return [
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id, type: 'function', function: { name: tool, arguments: JSON.stringify(input) } }],
    },
    { role: 'tool', tool_call_id: id, content: text },
  ]
}

function checkRequest(given: readonly ChatMessage[], sent: readonly ChatMessage[]): void {
  const [before, after] = [given, sent].map((messages) => codecs['openai-chat'].read(messages).messages)
  expect(checkView(after as readonly Message[])).toEqual([])
  expect(saidIn(after as readonly Message[])).toEqual(saidIn(before as readonly Message[]))
  const originals = resultsIn(before as readonly Message[])
  const results = resultsIn(after as readonly Message[])
  expect([...results.keys()]).toEqual([...originals.keys()])
  const above = new Set<string>()
  for (const [id, text] of results) {
    const own = handleOf(originals.get(id) as string)
    if (text !== originals.get(id)) {
      // The replacement names the original, or only refers to lines above.
      const named = [...text.matchAll(/as shown above[^\]]*; recall ([0-9a-f]{12})/g)].map(([, handle]) => handle as string)
      expect(named.filter((handle) => !above.has(handle))).toEqual([])
      if (named.length === 0 && /[0-9a-f]{12}/.test(text)) expect(text).toContain(own)
    }
    above.add(own)
  }
}

function saidIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => (message.role === 'user' ? [messageText(message)] : []))
}

function resultsIn(messages: readonly Message[]): ReadonlyMap<string, string> {
  return new Map(
    messages.flatMap(({ parts }) =>
      parts.flatMap((part) => (part.type === 'tool-result' ? [[part.callId ?? '', resultText(part)] as const] : [])),
    ),
  )
}
