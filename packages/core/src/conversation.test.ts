import { describe, expect, it } from 'vitest'
import { type Conversation, createConversation } from './conversation.ts'
import type { Edit } from './edit.ts'
import type { ConversationState, Sent } from './engine/prepare.ts'
import { type Message, resultText, withShownText } from './message.ts'
import { pairToolCalls } from './policies/pair-tool-calls.ts'
import { specPolicies } from './policies/spec-policies.ts'
import { trimOutdatedCommands } from './policies/trim-outdated-commands.ts'
import { trimRepeatedReads } from './policies/trim-repeated-reads.ts'
import type { Policy } from './policy.ts'
import { exchange, user } from './testing/messages.ts'
import { handleOf } from './text/hash.ts'
import { codecs } from './wire/codecs.ts'

const reads = (count: number) => [
  user('u', 'fix the cart tests'),
  ...Array.from({ length: count }, (_, index) =>
    exchange(`read${index}`, 'Read', { file_path: 'src/cart.ts' }, `version ${index} of the cart`),
  ).flat(),
]

describe('createConversation', () => {
  it('reports edits that rewrite accepted content, and only once', () => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(5), {})
    conversation.accepted()
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([
      ['read0', 'rewrite'],
    ])
    conversation.accepted({ inputTokens: 10 })
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([
      ['read0', 'free'],
    ])
  })

  it('reports a change of a result moved after the last message, also if the previous request moved it there', () => {
    const shorten: Policy = {
      name: 'shorten',
      plan: (messages, { now }) =>
        messages.flatMap(({ id, parts: [part] }): readonly Edit[] =>
          part?.type === 'tool-result' && now === 1
            ? [{ id, policy: 'shorten', why: '', kind: 'replace', message: id, part: 0, with: withShownText(part, 'short') }]
            : [],
        ),
    }
    const [call, result] = exchange('read', 'Read', { file_path: 'src/cart.ts' }, 'total = 0') as [Message, Message]
    const strayed = [user('u', 'fix the cart tests'), user('v', 'and now?'), result, call]
    // A result without a call is removed, so that another message is the last one.
    const orphan: Message = { ...result, id: 'orphan', parts: result.parts.map((part) => ({ ...part, callId: 'other' })) }
    for (const history of [strayed, [...strayed, orphan]]) {
      const conversation = createConversation({ policies: [pairToolCalls, shorten] })
      conversation.next(history, { now: 0 })
      conversation.accepted()
      const { report, messages } = conversation.next(history, { now: 1 })
      expect(messages.map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'tool'])
      expect(report.edits.filter(({ policy }) => policy === 'shorten').map(({ cache }) => cache)).toEqual(['rewrite'])
      expect(report.rewrite).toMatchObject({ reason: 'immediate', message: call.id })
    }
  })

  it('does not depend on what happens to lists that it was given or that it returned', () => {
    const conversation = createConversation({ policies: specPolicies })
    const list = reads(6)
    const history = [...list]
    const { messages } = conversation.next(history, {})
    const expected = [...messages]
    conversation.accepted()
    ;(messages as Message[]).fill(user('x', 'another list'))
    history.fill(user('x', 'another list'))
    expect(conversation.next(list, {}).messages).toEqual(expected)
  })

  it('keeps its state until the provider accepts', () => {
    const conversation = createConversation({ policies: specPolicies })
    const before = conversation.state()
    conversation.next(reads(7), {})
    expect(conversation.state()).toEqual(before)
  })

  describe('a result no model has seen stays untrimmed', () => {
    // One answer that calls for eight reads at once: nothing but the first read was sent before.
    const calls = Array.from({ length: 8 }, (_, index) =>
      exchange(`parallel${index}`, 'Read', { file_path: 'src/cart.ts' }, `version ${index} of the cart`),
    )
    const parallel = [
      ...reads(1),
      ...calls.flatMap(([call]) => (call === undefined ? [] : [call])),
      ...calls.flatMap(([, result]) => (result === undefined ? [] : [result])),
    ]
    const trimmed = (conversation: Conversation) => conversation.next(parallel, {}).report.edits.map(({ message }) => message)
    const start = (state?: ConversationState, model?: string) =>
      createConversation({
        policies: [trimRepeatedReads],
        ...(state === undefined ? {} : { state }),
        ...(model === undefined ? {} : { model }),
      })

    it('until the request that showed it was accepted', () => {
      const conversation = start()
      conversation.next(reads(1), {})
      conversation.accepted()
      expect(trimmed(conversation)).toEqual(['read0'])
      conversation.accepted()
      expect(trimmed(conversation)).toEqual(['read0', 'parallel0', 'parallel1', 'parallel2'])
    })

    it('after a switch of the model', () => {
      const before = start(undefined, 'm')
      before.next(reads(1), {})
      before.accepted()
      expect(trimmed(start(before.state(), 'other'))).toEqual(['read0'])
    })

    it('in the first request of a new conversation with a long history', () => {
      expect(trimmed(start())).toEqual(['read0'])
    })

    it('until a model has answered it, regardless of who sent it', () => {
      const answered: Message = { id: 'answer', role: 'assistant', parts: [{ type: 'text', text: 'done' }] }
      const { report } = start().next([...parallel, answered], {})
      expect(report.edits.map(({ message }) => message)).toEqual(['read0', 'parallel0', 'parallel1', 'parallel2'])
    })
  })

  it('continues from its JSON state', () => {
    const first = createConversation({ policies: specPolicies, model: 'm' })
    first.next(reads(6), {})
    first.accepted()
    const state = JSON.parse(JSON.stringify(first.state()))
    expect(createConversation({ policies: specPolicies, model: 'm', state }).next(reads(6), {}).report.edits[0]?.cache).toBe(
      'free',
    )
    const { report } = createConversation({ policies: specPolicies, model: 'other', state }).next(reads(7), {})
    // The other model has nothing cached, but its view differs from the last request.
    expect(report.rewrite).toMatchObject({ reason: 'model', message: 'read1' })
  })

  it('treats nothing as cached after a rewind', () => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(8), {})
    conversation.accepted()
    expect(conversation.next(reads(6), {}).report.edits.map(({ message, cache }) => [message, cache])).toEqual([
      ['read0', 'free'],
    ])
  })

  it('never throws, whatever value is reported as accepted', () => {
    const conversation = createConversation({ policies: specPolicies })
    const before = conversation.state()
    conversation.accepted()
    conversation.accepted({ prompt_tokens: 'many' })
    expect(conversation.state()).toEqual(before)
  })

  it.each<[name: string, sent: unknown]>([
    ['null', null],
    ['a text', 'sent'],
    ['an object that is not a request', { number: 1 }],
  ])('ignores what is not a prepared request: %s', (_name, sent) => {
    const conversation = createConversation({ policies: specPolicies })
    conversation.next(reads(6), {})
    const before = conversation.state()
    conversation.accepted({ prompt_tokens: 5 }, sent as Sent)
    expect(conversation.state().sent).toBe(sent === null ? 'read5' : before.sent)
  })

  it('accepts a request once, whether it is named or not', () => {
    const conversation = createConversation({ codec: codecs['openai-chat'], policies: specPolicies })
    const { sent } = conversation.next([{ role: 'user', content: 'Why does the build fail?' }], { now: 0 })
    conversation.accepted({ prompt_tokens: 5 }, sent)
    conversation.accepted({ prompt_tokens: 5 })
    expect(conversation.state().measurements).toHaveLength(1)
  })

  it('separates concurrent requests, and a late answer does not undo a later request', () => {
    const conversation = createConversation({ policies: specPolicies })
    const first = conversation.next(reads(6), {})
    const second = conversation.next(reads(8), {})
    conversation.accepted({ prompt_tokens: 200 }, second.sent)
    conversation.accepted({ prompt_tokens: 100 }, first.sent)
    expect(conversation.state()).toMatchObject({ sent: 'read7', edits: second.edits })
    expect(conversation.state().measurements?.map(({ usage }) => usage.input)).toEqual([200, 100])
  })

  it("Q-27b learns from the provider's counts, also across a restart, and forgets them when the model changes", () => {
    const messages = [user('u', 'word '.repeat(3000))]
    const conversation = createConversation({ policies: [], model: 'm' })
    const { estimate } = conversation.next(messages, {}).report.load
    conversation.accepted({ prompt_tokens: 2 * estimate, completion_tokens: 10 })
    const state = JSON.parse(JSON.stringify(conversation.state()))
    const load = (model: string) => createConversation({ policies: [], model, state }).next(messages, {}).report.load
    expect(load('m')).toMatchObject({ tokens: 2 * estimate, source: 'usage', factor: 2 })
    expect(load('other')).toMatchObject({ tokens: estimate, source: 'estimate', factor: 1 })
  })

  it('Q-27 derives the load from the same number of counts for a conversation and a session, which has more, and zeros for missing ones', () => {
    const usage = (input: number) => ({ input, cacheRead: 0, cacheWrite: 0, output: 0 })
    const counted = (input: number, model = 'm') => ({ model, estimate: 4000, usage: usage(input), last: null })
    const load = (measurements: NonNullable<ConversationState['measurements']>) => {
      const state = { ...createConversation({ policies: [] }).state(), model: 'm', measurements }
      return createConversation({ policies: [], model: 'm', state }).next([user('u', 'hi')], {}).report.load.factor
    }
    const doubled = Array.from({ length: 10 }, () => counted(8000))
    const absurd = Array.from({ length: 20 }, () => counted(900_000))
    expect(load([...doubled, ...absurd.slice(1)])).toBe(2)
    expect(load([...doubled, ...absurd])).toBe(1)
    expect(load([...doubled, ...Array.from({ length: 20 }, () => counted(0))])).toBe(2)
    // Counts of the previous model are forgotten.
    expect([load([...doubled, counted(8000, 'other')]), load([counted(8000, 'other'), ...doubled])]).toEqual([1, 2])
  })

  it('Q-27 keeps a bounded number of counts, and none if a provider reports nothing', () => {
    const conversation = createConversation({ policies: [] })
    for (let count = 0; count < 100; count += 1) {
      conversation.next([user('u', 'hi')], {})
      conversation.accepted(count % 2 === 0 ? { prompt_tokens: count } : 'nonsense')
    }
    const { measurements } = conversation.state()
    expect(measurements?.map(({ usage }) => usage.input)).toEqual(Array.from({ length: 20 }, (_, index) => 60 + index * 2))
  })

  it('keeps the language of its text for the model, also when it resumes with another language requested', () => {
    const commands = Array.from({ length: 7 }, (_, at) => exchange(`c${at}`, 'Bash', { command: 'make' }, 'done', { at }))
    const old = [user('u', 'fix the cart tests'), ...commands.flat()]
    const policies = [trimOutdatedCommands]
    const shown = (conversation: Conversation) => {
      const part = conversation.next(old, { now: 3_600_000 }).messages[2]?.parts[0]
      return part?.type === 'tool-result' ? resultText(part) : null
    }
    const first = createConversation({ policies, strings: 'english' })
    const english = `[output of an outdated command removed] [Bash: make; recall ${handleOf('done')}]`
    expect(shown(first)).toBe(english)
    first.accepted()
    const state = JSON.parse(JSON.stringify(first.state()))
    expect(shown(createConversation({ policies, strings: 'specification', state }))).toBe(english)
    expect(shown(createConversation({ policies }))).toBe('此命令返回内容已过时')
  })

  it("adopts another writer's decisions, drops its own, and can be sent unchanged", () => {
    const conversation = createConversation({ policies: [trimRepeatedReads] })
    const prepared = conversation.next(reads(8), {})
    expect(prepared.fresh.map(({ id }) => id)).toEqual(prepared.edits.map(({ id }) => id))
    const [first] = prepared.fresh
    if (first?.kind !== 'replace' || first.with.type !== 'tool-result') throw new Error('Nothing was trimmed.')
    const theirs = { ...first, with: { ...first.with, content: { type: 'text' as const, text: 'decided elsewhere' } } }
    const adopted = prepared.adopt([theirs])
    expect(adopted.edits).toEqual([theirs])
    expect(adopted.report.edits.map(({ message }) => message)).toEqual(['read0'])
    expect(prepared.untouched().messages).toEqual(reads(8))
    conversation.accepted({ prompt_tokens: 10 }, adopted.sent)
    expect(conversation.state().edits).toEqual([theirs])
  })
})
