import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { assembleLayers } from '../../../node/src/layers/assemble-layers.ts'
import type { Message } from '../message.ts'
import { workingSessions } from '../testing/working-sessions.ts'
import { countMessage, countMessages, estimator } from './count-tokens.ts'
import { windowFill } from './window-fill.ts'

const text = (id: string, role: Message['role'], content: string): Message => ({
  id,
  role,
  parts: [{ type: 'text', text: content }],
})
const size = (message: Message) => countMessage(message, estimator)
const window = { window: 200_000, reserve: 8192 }

describe('windowFill', () => {
  it('separates layers, user, calls, results by tool, images and summaries', () => {
    const summary: Message = { ...text('s', 'system', 'Earlier: the cart.'), summary: true }
    const asked: Message = {
      id: 'a',
      role: 'assistant',
      parts: [
        { type: 'reasoning', text: 'Let me see it.' },
        { type: 'tool-call', callId: 'c', tool: 'Read', input: { path: 'a.png' } },
      ],
    }
    const image = { type: 'media', mediaType: 'image/png', data: 'x' } as const
    const answered: Message = {
      id: 't',
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'c',
          tool: null,
          content: { type: 'list', items: [{ type: 'text', text: 'a screenshot' }, image] },
        },
      ],
    }
    const messages = assembleLayers({
      system: 'Be brief.',
      rules: 'No tabs.',
      messages: [summary, text('u', 'user', 'Look at it.'), asked, answered],
      announcement: 'Rules changed.',
      recap: 'Todo: 1',
    })
    const [system, rules, , user, , , announcement, recap] = messages as [
      Message,
      Message,
      Message,
      Message,
      Message,
      Message,
      Message,
      Message,
    ]
    const reasoning = estimator.count('Let me see it.')
    expect(windowFill(messages, { ...window, toolTokens: 300 })).toEqual({
      tokens: countMessages(messages, estimator) + 300,
      categories: {
        system: size(system) + size(recap),
        rules: size(rules) + size(announcement),
        tools: 300,
        user: size(user),
        // The frame of the message with reasoning and call.
        assistant: 4,
        reasoning,
        calls: size(asked) - 4 - reasoning,
        results: size(answered) - 1500,
        images: 1500,
        summaries: size(summary),
      },
      results: [{ tool: 'Read', tokens: size(answered) - 1500 }],
      source: 'estimate',
      ...window,
    })
  })

  it('does not treat a user message as a layer for its id', () => {
    expect(windowFill([text('layer:rules', 'user', 'mine')], window).categories).toEqual({ user: 4 + estimator.count('mine') })
  })

  it('scales to what the provider counted, to the last token', () => {
    let scaled = 0
    fc.assert(
      fc.property(workingSessions, fc.nat(900_000), fc.nat(20_000), (messages, tokens, toolTokens) => {
        const fill = windowFill(messages, { ...window, toolTokens, whole: { tokens, source: 'usage' } })
        const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
        expect(sum(Object.values(fill.categories))).toBe(tokens)
        expect(sum(fill.results.map((row) => row.tokens))).toBe(fill.categories.results ?? 0)
        expect([fill.tokens, fill.source]).toEqual([tokens, 'usage'])
        if (fill.results.length > 2) scaled += 1
        const plain = windowFill(messages, { ...window, toolTokens })
        expect(sum(Object.values(plain.categories))).toBe(countMessages(messages, estimator) + toolTokens)
        for (const [name, amount] of Object.entries(plain.categories)) {
          const share = fill.categories[name as keyof typeof fill.categories] ?? 0
          // Each tool may be rounded once.
          expect(Math.abs(share - (amount * tokens) / plain.tokens)).toBeLessThanOrEqual(plain.results.length + 1)
        }
      }),
      { numRuns: 50 },
    )
    expect(scaled).toBeGreaterThan(10)
  })

  it('is empty for an empty request, regardless of the reported count', () => {
    expect(windowFill([], { ...window, whole: { tokens: 50, source: 'usage' } })).toEqual({
      tokens: 0,
      categories: {},
      results: [],
      source: 'usage',
      ...window,
    })
  })
})
