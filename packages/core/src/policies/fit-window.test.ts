import { describe, expect, it } from 'vitest'
import type { PartialConfig } from '../config.ts'
import { createConversation } from '../conversation.ts'
import { type BuildViewInput, buildView } from '../engine/build-view.ts'
import { budgetOf } from '../fit/request-size.ts'
import { type Message, resultText } from '../message.ts'
import { checkView } from '../results/invariants.ts'
import { transcriptHandle } from '../results/transcript.ts'
import { calls, deepFreeze, exchange, result, user } from '../testing/messages.ts'
import { handleOf } from '../text/hash.ts'
import { immediate, type Timing } from '../timing/timing.ts'
import { countMessages, estimator } from '../tokens/count-tokens.ts'
import { loadOf } from '../tokens/load.ts'
import { fitWindow } from './fit-window.ts'
import { pairToolCalls } from './pair-tool-calls.ts'
import { specPolicies } from './spec-policies.ts'

/** A text of about this many tokens. */
function text(tokens: number, seed = 'x'): string {
  return `${seed}: ${'one two three four five six seven eight nine ten '.repeat(Math.ceil(tokens / 10))}`
}

function round(id: string, tokens: number): readonly Message[] {
  return [
    user(`${id}u`, `Please do ${id}.`),
    ...exchange(id, 'Bash', { command: `run ${id}` }, text(tokens, id)),
    { id: `${id}a`, role: 'assistant', parts: [{ type: 'text', text: `${id} is done.` }] },
  ]
}

function build(messages: readonly Message[], config: PartialConfig, extra: Partial<BuildViewInput> = {}) {
  const facts = { ...extra.facts, config }
  const built = buildView({ messages: deepFreeze(messages), policies: [pairToolCalls, fitWindow], ...extra, facts })
  const { tokens } = budgetOf(facts)
  return { ...built, limit: tokens, load: loadOf(built.view, facts).tokens }
}

function textsOf(messages: readonly Message[]): string {
  return JSON.stringify(messages)
}

function shownResult(messages: readonly Message[], id: string): string {
  const part = messages.find((message) => message.id === id)?.parts[0]
  return part?.type === 'tool-result' ? resultText(part) : ''
}

describe('R004-34 the window comes from the configuration', () => {
  const messages = [
    user('u', 'fix the cart tests'),
    ...Array.from({ length: 60 }, (_, index) => exchange(`r${index}`, 'Bash', {}, text(3300))).flat(),
  ]

  it('defaults to 200,000 tokens minus the answer', () => {
    expect(build(messages, {})).toMatchObject({ limit: 191_808, report: { overflow: null } })
    expect(build(messages, {}).edits.length).toBeGreaterThan(0)
  })

  it.each<[PartialConfig]>([[{ context_window: 400_000 }], [{ output_reserve: 0, context_window: 210_000 }]])(
    'leaves a request alone that fits: %j',
    (config) => {
      expect(build(messages, config).view).toBe(messages)
    },
  )
})

describe('Q-24 R004-27 the ladder makes every request fit', () => {
  it('folds rounds before it touches the ten latest', () => {
    const messages = Array.from({ length: 14 }, (_, index) => round(`r${index}`, index < 4 ? 2000 : 200)).flat()
    const { edits, load, limit, view } = build(messages, { context_window: 10_000 })
    expect(edits).toMatchObject([{ kind: 'fold', first: 'r0u', last: 'r3a', into: { role: 'system', summary: true } }])
    expect(view.slice(1)).toEqual(messages.slice(16))
    expect(load).toBeLessThanOrEqual(limit * 0.8)
    expect(textsOf(view)).toContain(`recall ${transcriptHandle(messages.slice(0, 16))}`)
  })

  it('shows digests in ten rounds that are too large together', () => {
    const messages = Array.from({ length: 10 }, (_, index) => round(`r${index}`, 2000)).flat()
    const { edits, load, limit } = build(messages, { context_window: 20_000 })
    expect(new Set(edits.map(({ kind }) => kind))).toEqual(new Set(['replace']))
    expect(edits[0]).toMatchObject({ message: 'r0' })
    expect(load).toBeLessThanOrEqual(limit * 0.8)
  })

  it('keeps fewer rounds if that is not enough, but always the running one', () => {
    const messages = Array.from({ length: 10 }, (_, index) => [
      user(`u${index}`, `Do ${index}.`),
      { id: `a${index}`, role: 'assistant' as const, parts: [{ type: 'text' as const, text: text(800, `answer ${index}`) }] },
    ]).flat()
    const { view, load, limit, report } = build(messages, { context_window: 4000 })
    expect(report.overflow).toBe(null)
    expect(load).toBeLessThanOrEqual(limit)
    expect(view.at(-1)).toBe(messages.at(-1))
    expect(view.filter(({ role }) => role === 'user').length).toBeLessThan(10)
  })

  it.each([
    ['that succeeded', {}],
    ['that all failed', { isError: true }],
  ])('makes one round fit with 500 calls %s', (_name, extra) => {
    const messages = [
      user('u', 'Fix everything.'),
      ...Array.from({ length: 500 }, (_, index) =>
        exchange(`r${index}`, 'Bash', { command: `step ${index}` }, text(400, `out ${index}`), extra),
      ).flat(),
    ]
    const { view, load, limit, report } = build(messages, { context_window: 32_000 })
    expect(report.overflow).toBe(null)
    expect(load).toBeLessThanOrEqual(limit * 0.8)
    expect(checkView(view)).toEqual([])
    expect(view[0]).toBe(messages[0])
    // The model still has to answer the newest result.
    expect(view.at(-1)).toBe(messages.at(-1))
  })

  it('cuts a result larger than the window', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      index === 9000 ? 'ERROR: disk is full' : `line ${index} of the log`,
    )
    const messages = [
      user('u', 'Read it.'),
      ...exchange('big', 'Read', { path: 'a.log' }, lines.join('\n')),
      ...exchange('next', 'Bash', {}, 'ok'),
    ]
    const { view, report, load, limit } = build(messages, { context_window: 20_000 })
    expect(report.overflow).toBe(null)
    expect(load).toBeLessThanOrEqual(limit)
    expect(shownResult(view, 'big')).toContain(handleOf(lines.join('\n')))
    expect(view.at(-1)).toBe(messages.at(-1))
  })

  it('cuts an unseen result larger than the window, keeping its end and failures', () => {
    const lines = Array.from({ length: 20_000 }, (_, index) =>
      index === 9000 ? 'ERROR: disk is full' : `line ${index} of the log`,
    )
    const before = Array.from({ length: 3 }, (_, index) => round(`r${index}`, 100)).flat()
    const messages = [...before, user('u', 'Read it.'), ...exchange('big', 'Read', { path: 'a.log' }, lines.join('\n'))]
    const { view, report, load, limit } = build(messages, { context_window: 20_000 }, { sent: 'u' })
    expect(report.overflow).toBe(null)
    expect(load).toBeLessThanOrEqual(limit)
    const shown = shownResult(view, 'big')
    expect(shown).toContain('ERROR: disk is full')
    expect(shown).toContain('line 19999 of the log')
    expect(shown).toContain(`recall ${handleOf(lines.join('\n'))}`)
    // The earlier rounds fit next to it and stay unchanged.
    expect(view.slice(0, before.length)).toEqual(before)
  })

  it('shrinks failures and unseen results last', () => {
    const messages = [
      user('u', 'fix the cart tests'),
      ...exchange('failed', 'Bash', {}, text(2000, 'Error: it broke')),
      ...exchange('fine', 'Bash', {}, text(2000, 'fine')),
      ...exchange('unseen', 'Bash', {}, text(2000, 'unseen')),
      ...exchange('newest', 'Bash', {}, text(2000, 'newest')),
    ]
    const touched = (context_window: number) => {
      const { edits } = build(messages, { context_window, output_reserve: 0 }, { sent: 'fine' })
      return edits.flatMap((edit) => (edit.kind === 'replace' ? [edit.message] : []))
    }
    expect(touched(8300)).toEqual(['fine'])
    expect(touched(6200)).toEqual(['fine', 'failed'])
    expect(touched(3000)).toEqual(expect.arrayContaining(['fine', 'failed', 'unseen']))
  })

  it('shows pinned messages in full while anything else can be shrunk', () => {
    const messages = [...round('a', 2000), ...round('b', 2000), ...round('c', 2000)]
    const { view } = build(messages, { context_window: 4500, output_reserve: 0 }, { facts: { pins: ['a'] } })
    expect(view).toContain(messages[2])
  })
})

describe('Q-24 old calls and images', () => {
  it('shortens huge arguments of a call to valid ones that name the original', () => {
    const content = text(5000)
    const asJson = JSON.stringify({ path: 'a.ts', content, lines: [1, 2], edits: [{ old: 'x', new: content }] })
    const messages = [
      user('u', 'Write it.'),
      calls('c1', ['1', 'Write', asJson]),
      result('r1', '1', 'ok'),
      calls('c2', ['2', 'Write', { path: 'b.ts', content }]),
      result('r2', '2', 'ok'),
      ...exchange('last', 'Bash', {}, 'ok'),
    ]
    const { view, report } = build(messages, { context_window: 6000 })
    expect(report.overflow).toBe(null)
    const inputs = view.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'tool-call' ? [part.input] : [])))
    const first = JSON.parse(inputs[0] as string)
    expect(first).toMatchObject({ path: 'a.ts', lines: [1, 2], edits: [{ old: 'x' }] })
    expect(first.content).toContain(`recall ${handleOf(asJson)}`)
    expect(inputs[1]).toMatchObject({
      path: 'b.ts',
      content: expect.stringContaining(`recall ${handleOf(JSON.stringify({ path: 'b.ts', content }))}`),
    })
  })

  const image = (id: string): readonly Message[] => [
    {
      id,
      role: 'user',
      parts: [
        { type: 'text', text: `see ${id}` },
        {
          type: 'media',
          mediaType: 'image/png',
          data: { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(4000)}` } },
        },
      ],
    },
    { id: `${id}a`, role: 'assistant', parts: [{ type: 'text', text: 'Seen.' }] },
  ]

  it.each([
    ['limited by number', { max_images: 5, max_bytes: null }],
    ['limited by bytes', { max_images: null, max_bytes: 30_000 }],
  ])('replaces the oldest images with a line of text if they are %s', (_name, request_limits) => {
    const messages = Array.from({ length: 8 }, (_, index) => image(`p${index}`)).flat()
    const { view, report } = build(messages, { request_limits })
    expect(report.overflow).toBe(null)
    const kept = view.flatMap(({ role, parts }) => (role === 'user' ? [parts[1]?.type === 'media'] : []))
    expect(kept).toEqual(kept.toSorted((a, b) => Number(a) - Number(b)))
    expect(kept.filter(Boolean).length).toBeLessThanOrEqual(5)
    expect(kept.at(-1)).toBe(true)
    expect(view[0]?.parts).toEqual([
      { type: 'text', text: 'see p0' },
      { type: 'text', text: expect.stringMatching(/^\[image\/png omitted, 4\.0 KB; recall [0-9a-f]{12}\]$/) },
    ])
  })
})

describe('Q-24b fit-window before every call, also within a round', () => {
  it('repeats the edits that made one request fit in the next ones, byte for byte', () => {
    const conversation = createConversation({ policies: [pairToolCalls, fitWindow] })
    const facts = { config: { context_window: 6000 } }
    const messages: Message[] = [user('u', 'Long work.')]
    let [fired, before] = [0, '']
    let known = new Set<string>()
    for (let step = 0; step < 120; step += 1) {
      messages.push(...exchange(`s${step}`, 'Bash', { command: `step ${step}` }, text(150 + (step % 7) * 40, `out ${step}`)))
      const { messages: view, report } = conversation.next(messages.slice(), facts)
      expect(report.overflow).toBe(null)
      expect(report.load.tokens).toBeLessThanOrEqual(budgetOf(facts).tokens)
      const made = report.edits.map(({ id }) => id).filter((id) => !known.has(id))
      if (made.length > 0) fired += 1
      else expect(JSON.stringify(view).startsWith(before.slice(0, -1))).toBe(true)
      before = JSON.stringify(view)
      known = new Set(report.edits.map(({ id }) => id))
      conversation.accepted()
    }
    expect(fired).toBeGreaterThan(3)
    expect(fired).toBeLessThan(40)
  })

  it('replaces the oldest summaries with their handles in a very long conversation', () => {
    const conversation = createConversation({ policies: [pairToolCalls, fitWindow] })
    const facts = { config: { context_window: 4000 } }
    const messages: Message[] = []
    const firsts = new Set<string>()
    for (let step = 0; step < 400; step += 1) {
      if (step % 40 === 0) messages.push(user(`u${step}`, `Do ${step}. ${text(60)}`))
      messages.push(...exchange(`s${step}`, 'Bash', { command: `step ${step}` }, text(200, `out ${step}`)))
      const { messages: view, report } = conversation.next(messages.slice(), facts)
      expect(report.overflow).toBe(null)
      for (const message of view) {
        const [part] = message.parts
        if (message.summary === true && part?.type === 'text') firsts.add(part.text.split(' ').slice(1, 3).join(' '))
      }
      conversation.accepted()
    }
    expect([...firsts]).toEqual(expect.arrayContaining(['📌 Archived', 'summaries hidden;']))
  })

  it('does not count a summary as new again, so that the cache after it stays valid', () => {
    const conversation = createConversation({ policies: [pairToolCalls, fitWindow], timing: 'auto' })
    const facts = { config: { context_window: 6000 }, cache: { read: 0.1, write: 1.25, lifetimeSeconds: 300 } }
    const messages: Message[] = [user('u', 'Long work.')]
    let [summaries, folds] = [0, 0]
    for (let step = 0; step < 40; step += 1) {
      messages.push(...exchange(`s${step}`, 'Bash', { command: `step ${step}` }, text(300, `out ${step}`)))
      const { messages: view, report } = conversation.next(messages.slice(), { ...facts, now: step * 1000 })
      expect([null, 'first', 'full']).toContain(report.timing?.cold)
      const shown = view.filter(({ summary }) => summary === true).length
      if (shown > summaries) folds += 1
      summaries = shown
      conversation.accepted()
    }
    expect(folds).toBeGreaterThan(2)
  })

  it('Q-27 reports the tokens of the view, also when earlier summaries are folded again', () => {
    const conversation = createConversation({ policies: [pairToolCalls, fitWindow] })
    const facts = { config: { context_window: 4000 } }
    const messages: Message[] = [user('u', 'Long work.')]
    let folded = 0
    for (let step = 0; step < 250; step += 1) {
      messages.push(...exchange(`s${step}`, 'Bash', { command: `step ${step}` }, text(200, `out ${step}`)))
      const { messages: view, report, edits } = conversation.next(messages.slice(), facts)
      const shown = countMessages(view, estimator)
      expect([report.tokensAfter, report.load.estimate]).toEqual([shown, shown])
      const made = new Set(edits.flatMap((edit) => (edit.kind === 'fold' && edit.into !== null ? [edit.into.id] : [])))
      folded = edits.filter((edit) => edit.kind === 'fold' && made.has(edit.first)).length
      conversation.accepted()
    }
    expect(folded).toBeGreaterThan(1)
  })

  it('does not apply an active edit to another message with the same id', () => {
    const facts = { config: { context_window: 3000 } }
    const list = (said: string) => [
      user('u', 'fix the cart tests'),
      ...exchange('1', 'Bash', {}, text(2000, said)),
      ...exchange('2', 'Bash', {}, text(1000, said)),
    ]
    const { edits } = build(list('first'), facts.config)
    const again = build(list('second'), facts.config, { edits })
    expect(textsOf(again.view)).not.toContain('first')
    expect(again.report.overflow).toBe(null)
  })
})

it('Q-24b does not apply an active fold to other messages with the same ids', () => {
  const rounds = (said: string) =>
    Array.from({ length: 6 }, (_, index) => round(`r${index}`, 10))
      .flat()
      .map((message, index) => (message.role === 'user' ? user(message.id, `${said} ${index} ${text(300)}`) : message))
  const { edits } = build(rounds('first'), { context_window: 1500 })
  expect(edits.some((edit) => edit.kind === 'fold')).toBe(true)
  const again = build(rounds('second'), { context_window: 100_000 }, { edits })
  expect(again.edits).toEqual([])
  expect(build(rounds('first'), { context_window: 100_000 }, { edits }).edits).toEqual(
    edits.filter(({ kind }) => kind === 'fold'),
  )
})

describe('Q-27 fit-window and the load', () => {
  const messages = [user('u', 'fix the cart tests'), ...exchange('a', 'Bash', {}, text(6000)), ...exchange('b', 'Bash', {}, 'ok')]
  const config = { context_window: 10_000, output_reserve: 0 }

  it("uses the provider's count if it exceeds the estimate", () => {
    const estimate = loadOf(messages, {}).estimate
    const usage = { input: 2 * estimate, cacheRead: 0, cacheWrite: 0, output: 0 }
    const measurements = [{ model: 'm', estimate, usage, last: 'b' }]
    expect(build(messages, config).edits).toEqual([])
    const { edits, report } = build(messages, config, { facts: { measurements } })
    expect(edits.length).toBe(1)
    expect(report.load).toMatchObject({ source: 'usage', factor: 2 })
  })

  it('Q-27b includes the overhead', () => {
    const { edits, report } = build(messages, config, { facts: { overhead: 5000 } })
    expect(edits.length).toBe(1)
    expect(report.load.tokens).toBeLessThanOrEqual(8000)
  })
})

describe('Q-24 a request that cannot fit', () => {
  it('names the parts that could not be shrunk, largest first', () => {
    const messages: readonly Message[] = [
      { id: 's', role: 'system', parts: [{ type: 'text', text: text(2000) }] },
      user('u', text(6000)),
      ...exchange('a', 'Bash', { command: 'ls' }, text(900)),
    ]
    const { report, view, limit } = build(messages, { context_window: 4000 }, { facts: { overhead: 700 } })
    expect(report.overflow).toMatchObject({ tokens: report.load.tokens, limit, images: 0 })
    expect(report.overflow?.parts.slice(0, 3)).toMatchObject([
      { message: 'u', part: 0, role: 'user', tool: null, why: 'user messages are never changed' },
      { message: 's', role: 'system', why: 'system messages are never changed' },
      { message: null, tokens: 700 },
    ])
    expect(view[1]).toBe(messages[1])
  })

  it('is reported only if fit-window runs', () => {
    const { report } = build([user('u', text(6000))], { context_window: 1000 }, { policies: [pairToolCalls] })
    expect(report.overflow).toBe(null)
    expect(report.load.tokens).toBeGreaterThan(1000)
  })

  it.each([Number.NaN, 'many' as unknown as number])('is not reported for a window of %s', (context_window) =>
    expect(build([user('u', text(6000))], { context_window }).report.overflow).toBe(null),
  )
})

describe('fit-window, held back edits', () => {
  const waitAll: Timing = (input) => ({ ...immediate(input), apply: [], waiting: input.proposals })
  const messages = [...round('a', 2000), ...round('b', 2000)].map((message) => ({ ...message, at: 0 }))
  const facts = { now: 86_400_000, config: { outdated_commands: { keep_recent: 0 } } }

  it('stay held back as long as the request fits', () => {
    expect(buildView({ messages, policies: specPolicies, timing: waitAll, facts }).edits).toEqual([])
  })

  it('apply before anything else is removed', () => {
    const config = { ...facts.config, context_window: 3000 }
    const built = buildView({ messages, policies: specPolicies, timing: waitAll, facts: { ...facts, config } })
    expect(built.edits.map(({ policy }) => policy)).toEqual(['trim-outdated-commands', 'trim-outdated-commands'])
    expect(built.report.waiting).toEqual([])
  })
})
