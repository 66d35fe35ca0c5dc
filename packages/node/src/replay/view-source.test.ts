import { type Facts, type Message, type Policy, recallTool, type Tokenizer } from '@plimsoll/core'
import { estimator } from '@plimsoll/core/text'
import { describe, expect, it } from 'vitest'
import { exchange, user } from '../../../core/src/testing/messages.ts'
import { createO200kTokenizer } from '../model/tokens.ts'
import { overheadTokens } from './bill/both-sides.ts'
import type { PolicySet } from './policy-sets.ts'
import { recorded, says } from './testing/recorded.ts'
import { createViewSource, overheadOf } from './view-source.ts'

const terms = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }
const usage = { input: 0, cacheRead: 0, cacheWrite: 9000, output: 1 }
const others = { name: 'made', policies: [], timing: 'immediate', dependsOnPrices: false } as const
const text = 'one two three four five six '.repeat(400)
const messages = [
  user('u', 'go', 1000),
  ...exchange('x', 'Bash', { command: 'x' }, text, { at: 2000 }),
  ...exchange('y', 'Bash', { command: 'y' }, text),
]
const session = recorded(...messages, says('end', 'Done.'))
const source = (set: Partial<PolicySet>, from = session) => createViewSource({ ...others, ...set }, from, [], terms, estimator)

/** Shows results as one word, and records the facts it was called with. */
function stubbing(...ids: readonly string[]): { readonly policy: Policy; readonly received: Facts[] } {
  const received: Facts[] = []
  const plan: Policy['plan'] = (list, facts) => {
    received.push(facts)
    return list.flatMap(({ id, parts: [part] }) =>
      part?.type === 'tool-result' && ids.includes(id)
        ? [
            {
              id: `s:${id}`,
              policy: 'stub',
              kind: 'replace',
              message: id,
              part: 0,
              with: { ...part, content: { type: 'text', text: 'stub' } },
              why: '',
            } as const,
          ]
        : [],
    )
  }
  return { policy: { name: 'stub', plan }, received }
}

describe('createViewSource', () => {
  it('returns the same array without policies', () => {
    expect(source({}).next(messages, 0)).toEqual({ view: messages, edits: [], reported: [], firstPending: null, pending: [] })
    expect(source({}).next(messages, 0).view).toBe(messages)
  })

  it('applies a view with hindsight, and a transformation of the list', () => {
    const marked = (message: Message): Message => ({ ...message, id: `${message.id}!` })
    expect(source({ show: () => marked }).next(messages, 0).view[0]?.id).toBe('u!')
    expect(
      source({
        transform:
          () =>
          (list, { now }) =>
            list.slice(now),
      }).next(messages, 2).view,
    ).toEqual(messages.slice(2))
  })

  it('calls policies with prices, and with the time if the log has one', () => {
    const { policy, received } = stubbing('x')
    const { view, reported } = source({ policies: [policy] }).next(messages, 77)
    expect([reported.map(({ message }) => message), view[2]?.parts[0]]).toMatchObject([['x'], { content: { text: 'stub' } }])
    expect(received[0]).toMatchObject({ cache: terms, now: 77, overhead: 20_000, platform: 'linux' })
    const timeless = recorded(user('u', 'go'), says('a', 'Done.'))
    source({ policies: [policy] }, timeless).next(messages, 77)
    expect(received.at(-1)).not.toHaveProperty('now')
  })

  it('names the first message that may change soon', () => {
    const first = stubbing()
    const own = source({ policies: [first.policy], timing: 'economic' })
    own.next(messages, 0)
    own.accepted(usage)
    expect(own.next(messages, 1000).firstPending).toBeNull()
    // A policy that plans an edit only after everything was sent.
    let isLate = false
    const late: Policy = { name: 'stub', plan: (list, facts) => (isLate ? stubbing('x').policy.plan(list, facts) : []) }
    const changing = source({ policies: [late], timing: 'economic' })
    changing.next(messages, 0)
    changing.accepted(usage)
    isLate = true
    expect(changing.next([...messages, says('a', 'on')], 1000)).toMatchObject({ firstPending: 'x', edits: [] })
  })

  it('keeps a prompt alive only from savings, and pays for it', () => {
    const own = source({ policies: [stubbing('x', 'y').policy], timing: 'economic' })
    expect(own.keepAliveAfter(1, 0)).toBeNull()
    own.next(messages, 0)
    own.accepted(usage)
    expect(own.keepAliveAfter(1000, 0)).toBe(280)
    own.keptAlive(1000, 20_000)
    expect(own.keepAliveAfter(1000, 1)).toBeNull()
    expect(source({}).keepAliveAfter(0, 0)).toBeNull()
  })
})

const characters: Tokenizer = { name: 'characters', count: (text) => text.length }

it('adds the recall tool and its prompt to the overhead of a set with recall', () => {
  const schema = JSON.stringify(recallTool.inputSchema).length + recallTool.description.length
  expect(overheadOf({}, characters)).toBe(overheadTokens)
  expect(overheadOf({ canRecall: true }, characters)).toBeGreaterThan(overheadTokens + schema + 100)
})

// A cache in steps of 128 tokens reads a step less as soon as the definition has a little more than a whole number of them.
it('explains recall to the model in little more than 128 tokens', async () => {
  const tokens = overheadOf({ canRecall: true }, await createO200kTokenizer()) - overheadTokens
  expect([tokens >= 128, tokens <= 136]).toEqual([true, true])
})
