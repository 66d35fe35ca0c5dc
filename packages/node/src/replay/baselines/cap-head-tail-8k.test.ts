import type { Message } from '@plimsoll/core'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { capHeadTail8k } from './cap-head-tail-8k.ts'
import { toolRound } from './testing/tool-rounds.ts'

describe('cap-head-tail-8k', () => {
  it('leaves 8,000 characters unchanged', () => {
    expect(capHeadTail8k.plan(toolRound('a', 'x'.repeat(8000)), {})).toEqual([])
  })

  it('keeps head and tail of a longer text', () => {
    const [edit] = capHeadTail8k.plan(toolRound('a', `${'h'.repeat(9000)}${'t'.repeat(9000)}`), {})
    const shown = edit?.kind === 'replace' && edit.with.type === 'tool-result' ? edit.with.content : null
    const mark = '\n[18000 characters, the middle left out]\n'
    expect(shown).toEqual({ type: 'text', text: `${'h'.repeat(3979)}${mark}${'t'.repeat(3979)}` })
  })

  it('keeps images next to a long text', () => {
    const image = { type: 'media', mediaType: 'image/png', data: 'AA' } as const
    const message: Message = {
      id: 'a',
      role: 'tool',
      parts: [
        {
          type: 'tool-result',
          callId: 'a',
          tool: null,
          content: { type: 'list', items: [image, { type: 'text', text: 'x'.repeat(9000) }] },
        },
      ],
    }
    const [edit] = capHeadTail8k.plan([message], {})
    const shown = edit?.kind === 'replace' && edit.with.type === 'tool-result' ? edit.with.content : null
    expect(shown?.type === 'list' ? shown.items.map(({ type }) => type) : null).toEqual(['text', 'media'])
  })

  it('never shows half a character, nor more than 8,000', () => {
    let cuts = 0
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 3999, max: 4200 }), (before, pairs) => {
        const [edit] = capHeadTail8k.plan(toolRound('a', `${'a'.repeat(before)}${'😀'.repeat(pairs)}`), {})
        const shown = edit?.kind === 'replace' && edit.with.type === 'tool-result' ? edit.with.content : null
        if (shown?.type !== 'text') return
        cuts += 1
        expect(shown.text.isWellFormed()).toBe(true)
        expect(shown.text.length).toBeLessThanOrEqual(8000)
      }),
    )
    expect(cuts).toBeGreaterThan(50)
  })
})
