import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPromptCache } from '../../../node/src/replay/bill/prompt-cache.ts'
import { createConversation } from '../conversation.ts'
import type { CacheTerms } from '../facts.ts'
import { type Message, resultText, withShownText } from '../message.ts'
import type { Policy } from '../policy.ts'
import { countMessage, estimator } from '../tokens/count-tokens.ts'

/** Shows results as one word after a number of requests, which is written in the result. */
const stubByAge: Policy = {
  name: 'stub',
  plan: (messages) =>
    messages.flatMap((message, index) => {
      const part = message.parts[0]
      if (part?.type !== 'tool-result') return []
      const age = messages.slice(index).filter(({ role }) => role === 'assistant').length
      if (age < Number(/^age (\d+)/.exec(resultText(part))?.[1] ?? Number.POSITIVE_INFINITY)) return []
      const stub = withShownText(part, `stub ${message.id}`)
      return [{ id: `stub:${message.id}`, policy: 'stub', kind: 'replace', message: message.id, part: 0, with: stub, why: 'old' }]
    }),
}

const steps = fc.array(
  fc.record({
    words: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 200, max: 5000 })),
    age: fc.integer({ min: 0, max: 8 }),
    seconds: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 120 }) }, fc.integer({ min: 250, max: 5000 })),
  }),
  { minLength: 3, maxLength: 40 },
)
const terms: fc.Arbitrary<CacheTerms> = fc.record({
  read: fc.constantFrom(0.02, 0.05, 0.1, 0.25),
  write: fc.constantFrom(1, 1.25, 2),
  lifetimeSeconds: fc.constantFrom(300, 3600, null),
})
const overhead = 2000

/** The cost of a list of messages in input tokens, with a cache of every prefix that was sent. */
function createBill({ read, write, lifetimeSeconds }: CacheTerms) {
  const cache = createPromptCache({ match: 'longest-prefix', minPrefix: 0, lifetimeSeconds, step: 1 })
  const keys = new Map<string, number>()
  let sum = 0
  return (view: readonly Message[], at: number): number => {
    const blocks = view.map((message) => {
      const content = JSON.stringify(message)
      const key = keys.get(content) ?? keys.size + 1
      keys.set(content, key)
      return { key, tokens: countMessage(message, estimator) }
    })
    const use = cache.send({
      keys: [0, ...blocks.map(({ key }) => key)],
      tokens: [overhead, ...blocks.map(({ tokens }) => tokens)],
      breakpoints: [blocks.length],
      at,
    })
    sum += use.read * read + (use.write + use.fresh) * write
    return sum
  }
}

describe('promise 9: the bill, not the payload', () => {
  it('never costs more than a quarter of a percent beyond sending everything, and the bank is what was really saved', () => {
    const reached = { pays: 0, cold: 0, waits: 0, bank: 0, nothing: 0 }
    fc.assert(
      fc.property(steps, terms, (list, cache) => {
        const conversation = createConversation({ policies: [stubByAge], timing: 'economic' })
        const raw = createBill(cache)
        const own = createBill(cache)
        let messages: readonly Message[] = [{ id: 'u', role: 'user', parts: [{ type: 'text', text: 'begin' }] }]
        let now = 0
        for (const [index, { words, age, seconds }] of list.entries()) {
          const { messages: view, report } = conversation.next(messages, { now, cache, overhead })
          conversation.accepted()
          if (report.timing !== null) reached[report.timing.decision] += 1
          const untrimmed = raw(messages, now)
          const spent = own(view, now)
          expect(spent).toBeLessThanOrEqual(untrimmed * 1.0025 + 1e-6)
          expect(conversation.state().ledger.bank).toBeCloseTo(untrimmed - spent, 4)
          const call = { type: 'tool-call', callId: `c${index}`, tool: 'Bash', input: { command: `run ${index}` } } as const
          const content = { type: 'text', text: `age ${age} ${'word '.repeat(words)}` } as const
          messages = [
            ...messages,
            { id: `a${index}`, role: 'assistant', parts: [call] },
            { id: `r${index}`, role: 'tool', parts: [{ type: 'tool-result', callId: call.callId, tool: 'Bash', content }] },
          ]
          now += seconds * 1000
        }
      }),
      { numRuns: 300 },
    )
    expect(Object.entries(reached).filter(([, times]) => times < 20)).toEqual([])
  })
})
