import { describe, expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import { buildView, codecs, economyPolicies, trimMessages } from '../index.ts'

/** For wrong calls that plain JavaScript allows. */
const create = createConversation as unknown as (options?: unknown) => { next: (request?: unknown, facts?: unknown) => unknown }
const request = { model: 'claude-opus-4-5', messages: [{ role: 'user', content: 'hello' }] }
const withCodec = () => create({ codec: codecs.anthropic, policies: economyPolicies })
const withoutCodec = () => create({ policies: economyPolicies })
const now = { now: 0 }

describe('a wrong call of the library names what it expected', () => {
  it.each<[string, () => unknown, string]>([
    ['no time', () => withCodec().next(request, {}), 'next: expected `now` in milliseconds, got nothing'],
    ['a date', () => withCodec().next(request, { now: new Date(0) }), 'next: expected `now` in milliseconds'],
    ['not a number', () => withoutCodec().next([], { now: Number.NaN }), 'next: expected `now` in milliseconds'],
    ['no facts', () => withCodec().next(request), 'next: expected facts with `now`, got nothing'],
    ['no facts, without a codec', () => withoutCodec().next([]), 'next: expected facts with `now`, got nothing'],
    ['no options', () => create(), 'createConversation: expected { policies }, got nothing'],
    [
      'a codec that does not exist',
      () => create({ codec: undefined, policies: [] }),
      'createConversation: expected codec to be one of',
    ],
    [
      'the name of a codec',
      () => create({ codec: 'anthropic', policies: [] }),
      'createConversation: expected codec to be one of codecs',
    ],
    ['no policies', () => create({ codec: codecs.anthropic }), 'createConversation: expected policies to be a list, got nothing'],
    [
      'the name of a policy set',
      () => create({ policies: ['economy'] }),
      'createConversation: policies[0]: expected { name, plan }',
    ],
    [
      'a policy without plan',
      () => create({ policies: [{ name: 'mine' }] }),
      'createConversation: policies[0]: expected { name, plan }',
    ],
    ['a request without a codec', () => withoutCodec().next(request, now), 'next: expected messages to be a list, got an object'],
    ['a provider’s messages without a codec', () => withoutCodec().next(request.messages, now), 'format need a codec'],
    [
      'a list with a hole',
      () => withoutCodec().next(Array.from<unknown>({ length: 1 }), now),
      'messages[0]: expected a message, got nothing',
    ],
    [
      'no input for buildView',
      () => (buildView as (input?: unknown) => unknown)(),
      'buildView: expected { messages, policies, facts }, got nothing',
    ],
    [
      'no time for trimMessages',
      () => (trimMessages as (list: unknown, options?: unknown) => unknown)([]),
      'trimMessages: expected facts with `now`',
    ],
  ])('%s', (_what, call, message) => {
    expect(call).toThrow(expect.objectContaining({ name: 'UsageError', message: expect.stringContaining(message) as string }))
    expect(call).toThrow(TypeError)
  })

  it.each<[string, unknown, string]>([
    ['another provider’s request', { contents: [] }, 'messages: expected a list of messages, got nothing'],
    ['another provider’s messages', { messages: [{ role: 'tool', content: '' }] }, 'messages[0].role: expected one of user'],
    [
      'a list with a hole',
      { messages: Array.from<unknown>({ length: 1 }) },
      'messages[0]: expected a message object, got nothing',
    ],
  ])('%s, with a codec', (_what, wrong, message) => {
    const call = () => withCodec().next(wrong, now)
    expect(call).toThrow(expect.objectContaining({ name: 'ReadError', message: expect.stringContaining(message) as string }))
  })
})
