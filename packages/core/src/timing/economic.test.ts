import { describe, expect, it } from 'vitest'
import { type Conversation, createConversation } from '../conversation.ts'
import { buildView } from '../engine/build-view.ts'
import type { Facts, Usage } from '../facts.ts'
import { type Message, resultText, withShownText } from '../message.ts'
import { fitWindow } from '../policies/fit-window.ts'
import { specPolicies } from '../policies/spec-policies.ts'
import type { Policy } from '../policy.ts'

/** Proposes to show every result of a message named here as one word. */
function stubbing(...ids: readonly string[]): Policy {
  return {
    name: 'stub',
    plan: (messages) =>
      messages.flatMap((message) => {
        const part = message.parts[0]
        if (part?.type !== 'tool-result' || !ids.includes(message.id) || resultText(part) === 'stub') return []
        return [
          {
            id: `stub:${message.id}`,
            policy: 'stub',
            kind: 'replace',
            message: message.id,
            part: 0,
            with: withShownText(part, 'stub'),
            why: 'old',
          },
        ]
      }),
  }
}

const words = 'one two three four five six seven eight nine ten '
const user = (id: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: 'go on' }] })
const call = (id: string): Message => ({
  id: `${id}-call`,
  role: 'assistant',
  parts: [{ type: 'tool-call', callId: id, tool: 'Bash', input: { command: id } }],
})
const result = (id: string, tens: number): Message => ({
  id,
  role: 'tool',
  parts: [{ type: 'tool-result', callId: id, tool: 'Bash', content: { type: 'text', text: words.repeat(tens) } }],
})
const step = (id: string, tens: number): readonly Message[] => [call(id), result(id, tens)]

const minute = 60_000
const cache = { read: 0.05, write: 1.25, lifetimeSeconds: 300 }

/** Sends a list, by default a minute after the previous one, and returns what was shown. */
function sender(conversation: Conversation, facts: Facts = {}) {
  let now = 0
  return (messages: readonly Message[], { after = minute, usage }: { readonly after?: number; readonly usage?: Usage } = {}) => {
    now += after
    const { messages: view, report } = conversation.next(messages, { now, cache, ...facts })
    conversation.accepted(usage)
    const stubbed = view.flatMap(({ id, parts: [part] }) =>
      part?.type === 'tool-result' && resultText(part) === 'stub' ? [id] : [],
    )
    return { stubbed, report, timing: report.timing }
  }
}

const economic = (...ids: readonly string[]) => createConversation({ policies: [stubbing(...ids)], timing: 'economic' })

/** A conversation that grows by one small step a request. */
function* growing(start: readonly Message[], steps: number): Generator<readonly Message[]> {
  let messages = start
  for (let index = 0; index < steps; index += 1) {
    yield messages
    messages = [...messages, ...step(`later-${index}`, 2)]
  }
}

describe('economic timing', () => {
  it('applies edits to unsent messages at once', () => {
    const send = sender(economic('build', 'test'))
    expect(send([user('u'), ...step('build', 100)]).stubbed).toEqual(['build'])
    expect(send([user('u'), ...step('build', 100), ...step('test', 100)]).stubbed).toEqual(['build', 'test'])
  })

  it('holds back an edit of cached content, and reports it with its cost', () => {
    const conversation = createConversation({ policies: [stubbing()], timing: 'economic' })
    sender(conversation)([user('u'), ...step('build', 100), ...step('test', 100)])
    const later = createConversation({ policies: [stubbing('build')], timing: 'economic', state: conversation.state() })
    const { stubbed, report, timing } = sender(later)([
      user('u'),
      ...step('build', 100),
      ...step('test', 100),
      ...step('lint', 1),
    ])
    expect(stubbed).toEqual([])
    expect(report.waiting.map(({ message }) => message)).toEqual(['build'])
    expect(timing).toMatchObject({ decision: 'waits', cold: null, lifetimeSeconds: 300 })
    expect(timing?.waitingTokens).toBeGreaterThan(900)
    expect(timing?.price).toBeGreaterThan(900)
  })

  it('applies it once waiting has cost as much as the edit', () => {
    const start = [user('u'), ...step('saved', 400), ...step('large', 400), ...step('test', 10)]
    const first = economic('saved')
    sender(first)(start)
    const send = sender(createConversation({ policies: [stubbing('saved', 'large')], timing: 'economic', state: first.state() }))
    // Each request carries 4,000 tokens at a twentieth (200); the 190 and more tokens after them are written at 1.2 times their size.
    const decisions = [...growing([...start, ...step('lint', 2)], 4)].map((messages) => send(messages).timing?.decision)
    expect(decisions).toEqual(['waits', 'waits', 'pays', 'nothing'])
  })

  it('does not apply it if the savings do not cover the loss', () => {
    const start = [user('u'), ...step('large', 400), ...step('test', 10)]
    const first = createConversation({ policies: [], timing: 'economic' })
    sender(first)(start)
    const send = sender(createConversation({ policies: [stubbing('large')], timing: 'economic', state: first.state() }))
    const decisions = [...growing([...start, ...step('lint', 2)], 4)].map((messages) => send(messages).timing?.decision)
    expect(decisions).toEqual(['waits', 'waits', 'bank', 'bank'])
  })

  it('applies everything if the cache is cold', () => {
    const start = [user('u'), ...step('build', 100), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic' })
    sender(first)(start)
    const send = sender(createConversation({ policies: [stubbing('build', 'test')], timing: 'economic', state: first.state() }))
    const { stubbed, timing } = send([...start, user('u2')], { after: 7 * minute })
    expect(stubbed).toEqual(['build', 'test'])
    expect(timing).toMatchObject({ decision: 'cold', cold: 'idle', waitingTokens: 0 })
  })

  it.each([
    ['the prefix changed', { prefix: 'other tools' }, 'prefix'],
    ['the prefix is the same', { prefix: 'tools' }, null],
  ])('knows whether the cache is cold: %s', (_name, facts, cold) => {
    const start = [user('u'), ...step('build', 100), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic' })
    sender(first, { prefix: 'tools' })(start)
    const send = sender(createConversation({ policies: [stubbing('build')], timing: 'economic', state: first.state() }), facts)
    expect(send([...start, user('u2')]).timing?.cold).toBe(cold)
  })

  it('makes everything after a new summary free', () => {
    const start = [user('u'), ...step('build', 100), user('u2'), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic' })
    sender(first)(start)
    const summary: Message = { id: 's', role: 'system', parts: [{ type: 'text', text: 'before' }], summary: true }
    const send = sender(createConversation({ policies: [stubbing('test')], timing: 'economic', state: first.state() }))
    const { stubbed, timing } = send([summary, ...start.slice(3), user('u3')])
    expect(stubbed).toEqual(['test'])
    expect(timing?.cold).toBe('folded')
  })

  it('applies everything if the model changed, which has another cache', () => {
    const start = [user('u'), ...step('build', 100), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic', model: 'one' })
    sender(first)(start)
    const other = createConversation({ policies: [stubbing('build')], timing: 'economic', model: 'two', state: first.state() })
    expect(sender(other)([...start, user('u2')]).stubbed).toEqual(['build'])
  })

  it('keeps an edit that is no longer proposed until its message is pinned', () => {
    const start = [user('u'), ...step('build', 100)]
    const first = economic('build')
    sender(first)(start)
    const state = first.state()
    const next = [...start, ...step('test', 1)]
    const again = (facts: Facts) =>
      sender(createConversation({ policies: [stubbing()], timing: 'economic', state }), facts)(next).stubbed
    expect([again({}), again({ pins: ['build'] })]).toEqual([['build'], []])
  })

  it('applies everything if the model has no cache', () => {
    const start = [user('u'), ...step('build', 100), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'auto' })
    sender(first)(start)
    const send = sender(createConversation({ policies: [stubbing('build')], timing: 'auto', state: first.state() }), {
      cache: { read: 1, write: 1, lifetimeSeconds: null },
    })
    expect(send([...start, ...step('lint', 1)]).stubbed).toEqual(['build'])
  })

  it('keeps active edits without a cache, and reports no costs', () => {
    const start = [user('u'), ...step('build', 100)]
    const cacheless = { cache: { read: 1, write: 1, lifetimeSeconds: null } }
    const first = economic('build')
    sender(first, cacheless)(start)
    const send = sender(createConversation({ policies: [stubbing()], timing: 'economic', state: first.state() }), cacheless)
    const { stubbed, timing } = send([...start, ...step('test', 1)])
    expect([stubbed, timing]).toEqual([['build'], null])
  })

  it('learns from usage that the provider caches longer than it states', () => {
    const start = [user('u'), ...step('build', 1000), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic' })
    const begin = sender(first)
    begin(start, { usage: { input: 0, cacheRead: 0, cacheWrite: 12_000, output: 1 } })
    begin([...start, user('u2')], { after: 7 * minute, usage: { input: 0, cacheRead: 11_900, cacheWrite: 100, output: 1 } })
    const send = sender(createConversation({ policies: [stubbing('build')], timing: 'economic', state: first.state() }))
    const { stubbed, timing } = send([...start, user('u2'), ...step('lint', 1)], { after: 15 * minute })
    expect([stubbed, timing?.cold, timing?.lifetimeSeconds]).toEqual([[], null, 840])
  })

  it('applies held back edits before the last resort cuts anything', () => {
    const start = [user('u'), ...step('build', 3000), ...step('test', 100)]
    const first = createConversation({ policies: [], timing: 'economic' })
    sender(first)(start)
    const later = createConversation({ policies: [stubbing('build'), fitWindow], timing: 'economic', state: first.state() })
    const { stubbed, report } = sender(later, { config: { context_window: 20_000 } })([...start, ...step('lint', 1)])
    expect([stubbed, report.edits.map(({ policy }) => policy), report.timing?.cold]).toEqual([['build'], ['stub'], 'full'])
  })
})

describe('a message with two results, one of which becomes an orphan', () => {
  it('shows the other one, not the first instead: active edits named parts by index', () => {
    const part = (callId: string | null, text: string) =>
      ({ type: 'tool-result', callId, tool: null, content: { type: 'text', text } }) as const
    const lone: Message = { id: 'm0', role: 'tool', parts: [part('lost', 'long line\n'.repeat(3000)), part(null, 'other')] }
    const grown: readonly Message[] = [lone, ...step('build', 1)]
    const first = buildView({ messages: [lone], policies: specPolicies, facts: {}, timing: 'economic' })
    const { view, report } = buildView({
      messages: grown,
      policies: specPolicies,
      facts: {},
      timing: 'economic',
      edits: first.edits,
      ledger: first.ledger,
      sent: 'm0',
    })
    expect(first.edits.map(({ policy, kind }) => [policy, kind])).toEqual([['limit-tool-output', 'replace']])
    expect(view[0]).toEqual({ ...lone, parts: [part(null, 'other')] })
    expect(report.problems).toEqual([])
  })
})
