import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ManagedRequest, manage, requestOf, type Step, usesOf } from '../testing/managed-requests.ts'

const step: fc.Arbitrary<Step> = fc.record(
  {
    tool: fc.constantFrom('read', 'search', 'write'),
    text: fc.integer({ min: 0, max: 60 }).map((count) => 'some words of a result. '.repeat(count)),
    reasoning: fc.constantFrom('a thought', 'another thought'),
  },
  { requiredKeys: ['text'] },
)
const names = fc.subarray(['read', 'search', 'write'])
const options = fc.record(
  {
    trigger: fc.record({ type: fc.constantFrom('input_tokens', 'tool_uses'), value: fc.constantFrom(0, 2, 100) }),
    keep: fc.record({ type: fc.constant('tool_uses'), value: fc.integer({ min: 0, max: 6 }) }),
    clear_at_least: fc.record({ type: fc.constant('input_tokens'), value: fc.constantFrom(0, 50, 400) }),
    exclude_tools: names,
    clear_tool_inputs: fc.oneof(fc.boolean(), names),
  },
  { requiredKeys: [] },
)
const turns = fc.option(fc.record({ type: fc.constant('thinking_turns'), value: fc.integer({ min: 1, max: 3 }) }), { nil: 'all' })
const conversation = fc.record({ steps: fc.array(step, { maxLength: 14 }), options, turns })

type Example = { steps: Step[]; options: Record<string, unknown>; turns: unknown }
/** Covers every case regardless of chance: cleared, kept and excluded uses, and reasoning of old turns. */
const given: Example = {
  steps: [
    { text: 'u', reasoning: 'a thought' },
    { text: 'v' },
    ...Array.from(
      { length: 6 },
      (_, index): Step => ({ tool: index % 2 === 0 ? 'read' : 'search', text: 'words '.repeat(300), reasoning: 'a thought' }),
    ),
  ],
  options: {
    trigger: { type: 'tool_uses', value: 2 },
    keep: { type: 'tool_uses', value: 2 },
    clear_at_least: { type: 'input_tokens', value: 400 },
    exclude_tools: ['search'],
    clear_tool_inputs: true,
  },
  turns: { type: 'thinking_turns', value: 1 },
}

function askedFor({
  steps,
  options: clearing,
  turns: keep,
}: {
  steps: readonly Step[]
  options: object
  turns: unknown
}): ManagedRequest {
  return requestOf(steps, {
    edits: [
      { type: 'clear_thinking_20251015', keep },
      { type: 'clear_tool_uses_20250919', ...clearing },
    ],
  })
}

function reasoningOf({ messages }: ManagedRequest): readonly unknown[] {
  return messages
    .flatMap(({ content }) => (Array.isArray(content) ? (content as readonly Record<string, unknown>[]) : []))
    .flatMap(({ type, signature }) => (type === 'thinking' ? [signature] : []))
}

describe('whatever is asked for', () => {
  it('kept and excluded uses stay whole, all calls and results stay where they are, and what is told is what was done', () => {
    let cleared = 0
    let excluded = 0
    let forgotten = 0
    fc.assert(
      fc.property(conversation, (asked) => {
        const request = askedFor(asked)
        const { managed, sent, sentText } = manage(request)
        const before = Object.entries(usesOf(request))
        const after = usesOf(sent)
        expect(Object.keys(after)).toEqual(before.map(([id]) => id))
        const reported = managed?.applied?.find(({ type }) => type === 'clear_tool_uses_20250919')
        const keep = (asked.options.keep as { value: number } | undefined)?.value ?? 3
        const exclude = new Set(asked.options.exclude_tools as string[] | undefined)
        let changed = 0
        for (const [place, [id, use]] of before.entries()) {
          const isExcluded = exclude.has(asked.steps[Number(id.slice(1))]?.tool ?? '')
          if (isExcluded || place >= before.length - keep) expect(after[id]).toEqual(use)
          else if (JSON.stringify(after[id]) !== JSON.stringify(use)) changed += 1
          if (isExcluded && place < before.length - keep && reported !== undefined) excluded += 1
        }
        expect(changed).toBe(reported !== undefined && 'cleared_tool_uses' in reported ? reported.cleared_tool_uses : 0)
        const least = (asked.options.clear_at_least as { value: number } | undefined)?.value ?? 0
        if (reported !== undefined) expect(reported.cleared_input_tokens).toBeGreaterThanOrEqual(least)
        if (changed > 0) cleared += 1
        expect(sent.messages.map(({ role }) => role)).toEqual(request.messages.map(({ role }) => role))
        expect(sent.messages.every(({ role, content }) => role === 'user' || (content as unknown[]).length > 0)).toBe(true)
        expect(reasoningOf(sent).at(-1)).toBe(reasoningOf(request).at(-1))
        if (reasoningOf(sent).length < reasoningOf(request).length) forgotten += 1
        expect(JSON.parse(sentText)).toEqual(sent)
      }),
      { examples: [[given as never]] },
    )
    expect([cleared > 0, excluded > 0, forgotten > 0]).toEqual([true, true, true])
  })

  it('asked for again of what went out, nothing more goes', () => {
    let cleared = 0
    fc.assert(
      fc.property(conversation, (asked) => {
        const request = askedFor(asked)
        const first = manage(request)
        const again: ManagedRequest = { ...first.sent, context_management: request['context_management'] }
        const second = manage(again)
        expect(second.managed).toMatchObject({ edits: [], applied: [] })
        cleared += first.managed?.applied?.length ?? 0
      }),
      { examples: [[given as never]] },
    )
    expect(cleared).toBeGreaterThan(1)
  })
})
