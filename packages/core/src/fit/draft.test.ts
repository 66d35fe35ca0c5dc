import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import type { FoldEdit, ReplaceEdit } from '../edit.ts'
import type { MediaPart, Message, Part } from '../message.ts'
import { letters } from '../testing/letters.ts'
import { deepFreeze, user } from '../testing/messages.ts'
import { createDraft } from './draft.ts'
import { messageBytes, partBytes } from './request-size.ts'

const long = 'x'.repeat(100)
const image: MediaPart = { type: 'media', mediaType: 'image/png', data: {} }
const text = (said: string): Part => ({ type: 'text', text: said })
const images = (count: number): Part => ({
  type: 'tool-result',
  callId: 'c',
  tool: null,
  content: { type: 'list', items: Array.from({ length: count }, () => image) },
})
const summary = (id: string, said: string): Message => ({
  id,
  role: 'system',
  parts: [{ type: 'text', text: said }],
  summary: true,
})
const draftOf = (messages: readonly Message[], config: PartialConfig = {}) =>
  createDraft(deepFreeze(messages), { tokens: letters, config: { output_reserve: 0, ...config } })
const limits = (max_bytes: number | null, max_images: number | null = null) => ({ request_limits: { max_bytes, max_images } })

function shows(message: string, shown: Part, part = 0): ReplaceEdit {
  return { id: `${message}.${part}`, policy: 'fit-window', why: 'because', kind: 'replace', message, part, with: shown }
}

function folds(first: string, last: string, into: Message | null = null): FoldEdit {
  return { id: `${first}-${last}`, policy: 'fit-window', why: 'because', kind: 'fold', first, last, into }
}

describe('Q-24 replacing a part', () => {
  it('updates messages, edits and tokens', () => {
    const messages = [user('a', long), { id: 'b', role: 'user' as const, parts: [text('stays'), text(long)] }]
    const draft = draftOf(messages, { context_window: 200 })
    expect([draft.surplus('budget'), draft.surplus('target'), draft.excess('budget')]).toEqual([13, 53, ['tokens']])
    expect(draft.replace(1, shows('b', text('short'), 1))).toBe(true)
    expect(draft.messages()).toEqual([messages[0], { id: 'b', role: 'user', parts: [text('stays'), text('short')] }])
    expect(draft.edits()).toEqual([shows('b', text('short'), 1)])
    expect([draft.surplus('budget'), draft.surplus('target'), draft.excess('budget')]).toEqual([0, 0, []])
  })

  it.each<[name: string, index: number, edit: ReplaceEdit]>([
    ['the message is missing', 7, shows('a', text('short'))],
    ['the part is missing', 0, shows('a', text('short'), 1)],
    ['another message is in its place', 0, shows('b', text('short'))],
  ])('is rejected if it does not match: %s', (_name, index, edit) => {
    const messages = [user('a', long)]
    const draft = draftOf(messages)
    expect(draft.replace(index, edit)).toBe(false)
    expect(draft.messages()).toBe(messages)
    expect(draft.edits()).toEqual([])
  })

  it.each<[name: string, was: Part, shown: Part, config: PartialConfig, isTaken: boolean]>([
    ['fewer tokens', text('four'), text('two'), {}, true],
    ['as many tokens', text('éé'), text('ee'), {}, false],
    ['as many tokens and fewer bytes, if bytes are limited', text('éé'), text('ee'), limits(9), true],
    ['as many tokens and as many bytes', text('ee'), text('ff'), limits(9), false],
    ['as many tokens and more bytes', text('ee'), text('éé'), limits(9), false],
    ['more tokens and fewer bytes', text('éé'), text('eee'), limits(9), false],
    ['fewer images and fewer tokens', image, text('a line'), {}, true],
    ['fewer images and as many tokens', image, text('x'.repeat(1500)), {}, true],
    ['fewer images and more tokens', image, text('x'.repeat(1501)), {}, false],
    ['more images and fewer tokens', text('x'.repeat(2000)), image, {}, false],
  ])('is accepted only if it saves something: %s', (_name, was, shown, config, isTaken) => {
    const messages: readonly Message[] = [{ id: 'a', role: 'user', parts: [was] }]
    const draft = draftOf(messages, config)
    expect(draft.replace(0, shows('a', shown))).toBe(isTaken)
    expect(draft.messages()).toEqual(isTaken ? [{ id: 'a', role: 'user', parts: [shown] }] : messages)
    expect(draft.edits()).toEqual(isTaken ? [shows('a', shown)] : [])
  })

  it.each([
    [0, []],
    [1, ['bytes']],
  ])('subtracts its bytes: %d too many are left', (over, expected) => {
    const left = messageBytes(user('a', long)) + partBytes(text('short')) - partBytes(text(long))
    const draft = draftOf([user('a', long)], limits(left - over))
    draft.replace(0, shows('a', text('short')))
    expect(draft.excess('budget')).toEqual(expected)
  })

  it.each([
    [2, []],
    [1, ['images']],
  ])('subtracts its images: %d are allowed', (allowed, expected) => {
    const draft = draftOf([{ id: 'a', role: 'tool', parts: [images(3)] }], limits(null, allowed))
    expect(draft.excess('budget')).toEqual(['images'])
    expect(draft.replace(0, shows('a', images(2)))).toBe(true)
    expect(draft.excess('budget')).toEqual(expected)
  })
})

describe('Q-24 folding messages', () => {
  const messages = ['a', 'b', 'c', 'd', 'e'].map((id) => user(id, long))
  const [a, b, c, d, e] = messages as [Message, Message, Message, Message, Message]
  const short = summary('s', 'short')

  it.each<[name: string, given: readonly FoldEdit[], left: readonly Message[]]>([
    ['into a summary', [folds('b', 'c', short)], [a, short, d, e]],
    ['into nothing', [folds('b', 'b')], [a, c, d, e]],
    ['to the end', [folds('d', 'e', short)], [a, b, c, short]],
    ['with a fold right before them', [folds('b', 'c', short), folds('a', 'a')], [short, d, e]],
    ['with folds right before and after them', [folds('c', 'c', short), folds('d', 'd'), folds('b', 'b')], [a, short, e]],
    ['all but the first, in reverse order', [folds('e', 'e'), folds('c', 'd', short), folds('b', 'b')], [a, short]],
  ])('%s', (_name, given, left) => {
    const draft = draftOf(messages, { context_window: 100 })
    expect(draft.surplus('budget')).toBe(420)
    expect(draft.fold(given)).toBe(true)
    expect(draft.messages()).toEqual(left)
    expect(draft.edits()).toEqual(given)
    expect(draft.surplus('budget')).toBe(Math.max(0, left.reduce((sum, each) => sum + (each === short ? 9 : 104), 0) - 100))
  })

  it.each<[name: string, given: readonly FoldEdit[]]>([
    ['the first message is missing', [folds('?', 'c', short)]],
    ['the last message is missing', [folds('a', '?', short)]],
    ['the last message of a second fold is missing', [folds('a', 'a'), folds('b', '?', short)]],
    ['it ends before it starts', [folds('d', 'b', short)]],
    ['two folds share a message', [folds('a', 'b'), folds('b', 'c')]],
    ['the summary has the same length', [folds('b', 'b', summary('s', long))]],
    ['the summary is longer', [folds('b', 'b', summary('s', `${long}x`))]],
  ])('is rejected if impossible, or if it saves nothing: %s', (_name, given) => {
    const draft = draftOf(messages)
    expect(draft.fold(given)).toBe(false)
    expect(draft.messages()).toBe(messages)
    expect(draft.edits()).toEqual([])
  })

  it('drops replacements of their parts, and no others', () => {
    const draft = draftOf(messages)
    const edits = [shows('a', text('first')), shows('b', text('second')), shows('e', text('last'))]
    edits.forEach((edit, at) => draft.replace([0, 1, 4][at] as number, edit))
    draft.fold([folds('b', 'c', short)])
    expect(draft.replace(2, shows('d', text('after')))).toBe(true)
    expect(draft.messages()).toEqual([user('a', 'first'), short, user('d', 'after'), user('e', 'last')])
    expect(draft.edits()).toEqual([edits[0], edits[2], shows('d', text('after')), folds('b', 'c', short)])
  })

  it.each([
    ['fewer bytes alone save nothing if bytes are not limited', {}, false],
    ['fewer bytes alone are enough if bytes are limited', limits(9), true],
  ])('%s', (_name, config, isTaken) => {
    const draft = draftOf([user('a', 'éé')], config)
    expect(draft.fold([folds('a', 'a', summary('s', 'ee'))])).toBe(isTaken)
  })

  it.each([
    [0, []],
    [1, ['bytes']],
  ])('subtracts their bytes: %d too many are left', (over, expected) => {
    const left = [a, short, d, e].reduce((sum, message) => sum + messageBytes(message), 0)
    const draft = draftOf(messages, limits(left - over))
    expect(draft.excess('budget')).toEqual(['bytes'])
    draft.fold([folds('b', 'c', short)])
    expect(draft.excess('budget')).toEqual(expected)
  })

  it.each([
    [3, []],
    [2, ['images']],
  ])('subtracts their images: %d are allowed', (allowed, expected) => {
    const seen = [2, 2, 3].map((count, at): Message => ({ id: `m${at}`, role: 'tool', parts: [images(count), text(long)] }))
    const draft = draftOf(seen, limits(null, allowed))
    expect(draft.excess('budget')).toEqual(['images'])
    expect(draft.fold([folds('m0', 'm1', short)])).toBe(true)
    expect(draft.excess('budget')).toEqual(expected)
  })
})

it('Q-27 reports the surplus in tokenizer tokens if the provider counts twice as many', () => {
  const usage = { input: 2000, cacheRead: 0, cacheWrite: 0, output: 0 }
  const facts = {
    tokens: letters,
    config: { context_window: 1999, output_reserve: 0 },
    measurements: [{ model: 'm', estimate: 1000, usage, last: 'a' }],
  }
  const draft = createDraft([user('a', 'x'.repeat(997))], facts)
  expect([draft.surplus('budget'), draft.limit('budget'), draft.limit('target')]).toEqual([2, 1999, 1599])
})
