import type { Message, Part } from '@plimsoll/core'
import { sanitizeToolResultForHistory } from '@plimsoll/core/spec'
import type { ResultContent } from '@plimsoll/core/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ChatMessage, LiveState, SessionEvent, SessionSnapshot } from '../../../node/src/shared/server-api.ts'
import { resultImages, type ShownImage } from '../parts/shown-image.ts'
import type { Block } from './blocks.ts'
import { type ConversationState, conversationOf, reduceConversation, rowBlocks, rowCount } from './conversation-state.ts'
import { shownResultText } from './result-text.ts'

const live: LiveState = {
  isBusy: false,
  since: null,
  permission: null,
  model: { name: 'offline', isOffline: true, window: 200_000 },
  mode: 'ask',
  queue: [],
  look: null,
  overflow: null,
  canResume: false,
}

function snapshotOf(messages: readonly Message[], more: Partial<SessionSnapshot> = {}): SessionSnapshot {
  const chat = messages.map((message, number): ChatMessage => ({ number, message, isFolded: false }))
  return {
    id: 's',
    title: null,
    from: null,
    count: chat.length,
    start: 0,
    messages: chat,
    event: 'e-0',
    live,
    troubles: [],
    ...more,
  }
}

function after(state: ConversationState, ...events: readonly SessionEvent[]): ConversationState {
  const next = reduceConversation(state, { type: 'events', events: events.map((event) => ({ event, at: 0 })) })
  if (next === null) throw new Error('expected a state')
  return next
}

const allBlocks = (state: ConversationState): readonly Block[] =>
  Array.from({ length: rowCount(state) }, (_, index) => rowBlocks(state, index) ?? []).flat()

const usage = { input: 1, cacheRead: 0, cacheWrite: 0, output: 1 }
const turnEnd: SessionEvent = {
  type: 'turn_end',
  data: { outcome: 'finished', steps: 1, text: '', usage, cost: { dollars: 0, unpriced: 0 } },
}
const turnStart = (turn: string): SessionEvent => ({
  type: 'turn_start',
  data: { session: 's', turn, model: 'offline', timing: 'auto' },
})
const text = (words: string): SessionEvent => ({ type: 'text_delta', data: { text: words } })
const start = (callId: string, tool = 'bash'): SessionEvent => ({
  type: 'tool_call_start',
  data: { callId, tool, input: { command: 'ls' }, about: 'ls', access: 'run' },
})
const end = (callId: string, words: string): SessionEvent => ({
  type: 'tool_call_end',
  data: { callId, tool: 'bash', result: { content: { type: 'text', text: words } }, isError: false, durationMs: 5 },
})
const notice = (code: 'answer_restarted' | 'retrying'): SessionEvent => ({
  type: 'notification',
  data: { code, message: '', details: null },
})

// A turn as the agent goes through it, from which both the events and the messages in the log follow.
interface Step {
  readonly words: readonly { readonly type: 'text' | 'reasoning'; readonly text: string }[]
  readonly calls: readonly { readonly kind: 'text' | 'read-image' | 'made-image' | 'refused'; readonly words: string }[]
}
interface Turn {
  readonly said: string
  readonly steps: readonly Step[]
}

const wordsOf = fc.string({ minLength: 0, maxLength: 12, unit: fc.constantFrom('a', ' ', '\n', 'é', '*', '`', '龙') })
const step: fc.Arbitrary<Step> = fc.record({
  words: fc.array(fc.record({ type: fc.constantFrom('text', 'reasoning'), text: wordsOf }), { maxLength: 4 }),
  calls: fc.array(fc.record({ kind: fc.constantFrom('text', 'read-image', 'made-image', 'refused'), words: wordsOf }), {
    maxLength: 3,
  }),
})
const turns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({ said: wordsOf, steps: fc.array(step, { minLength: 1, maxLength: 4 }) }),
  {
    minLength: 1,
    maxLength: 3,
  },
)

const base64 = btoa('p'.repeat(6000))
const url = `data:image/png;base64,${base64}`
const sha256 = 'ab'.repeat(32)

interface Outcome {
  readonly live: { readonly content: ResultContent; readonly metadata?: Readonly<Record<string, unknown>> }
  readonly kept: { readonly content: ResultContent; readonly metadata?: Readonly<Record<string, unknown>> }
  readonly isError: boolean
}

function outcomeOf({ kind, words }: Step['calls'][number]): Outcome {
  const plain = { content: { type: 'text', text: words } } as const
  const blob = { sha256, bytes: 6000 }
  switch (kind) {
    case 'text':
      return { live: plain, kept: plain, isError: false }
    case 'refused':
      return { live: { ...plain, metadata: { refused: true } }, kept: { ...plain, metadata: { refused: true } }, isError: true }
    case 'read-image': {
      const content = (data: unknown): ResultContent => ({
        type: 'list',
        items: [
          { type: 'text', text: words },
          { type: 'media', mediaType: 'image/png', data },
        ],
      })
      const metadata = { path: 'a.png', mediaType: 'image/png', blob }
      return { live: { content: content({ url }), metadata }, kept: { content: content({ blob }), metadata }, isError: false }
    }
    case 'made-image': {
      const value = { success: true, output: words, metadata: { imageBase64: url, imagePath: 'b.png' } }
      const metadata = { imagePath: 'b.png', mediaType: 'image/png', blob }
      return {
        live: { content: { type: 'json', value }, metadata },
        kept: { content: { type: 'json', value: sanitizeToolResultForHistory(value) }, metadata },
        isError: false,
      }
    }
  }
}

interface Told {
  readonly events: readonly SessionEvent[]
  readonly messages: readonly Message[]
}

function tell(list: readonly Turn[]): Told {
  const events: SessionEvent[] = []
  const messages: Message[] = []
  const keep = (role: Message['role'], parts: readonly Part[]) => {
    messages.push({ id: `m${messages.length}`, role, parts })
    return `m${messages.length - 1}`
  }
  for (const { said, steps } of list) {
    const id = keep('user', [{ type: 'text', text: said }])
    events.push({ type: 'said', data: { text: said, message: null } }, turnStart(id))
    for (const { words, calls } of steps) {
      for (const { type, text: spoken } of words)
        for (const piece of spoken.match(/[^]{1,3}/gu) ?? [])
          events.push({ type: type === 'text' ? 'text_delta' : 'reasoning_delta', data: { text: piece } })
      // The same ids in every step, as some servers name them.
      const parts = calls.map(
        (_, index): Part => ({ type: 'tool-call', callId: `call_${index}`, tool: 'bash', input: { command: 'ls' } }),
      )
      keep('assistant', [...words, ...parts])
      events.push({
        type: 'usage',
        data: { what: 'answer', usage, cost: null, total: { dollars: 0, unpriced: 1 }, firstMs: null, durationMs: 1 },
      })
      calls.forEach((_, index) => events.push(start(`call_${index}`)))
      calls.map(outcomeOf).forEach(({ live: result, isError }, index) => {
        events.push(
          {
            type: 'tool_progress',
            data: { tool: 'bash', callId: `call_${index}`, stage: 'output', message: 'x\n', progress: null },
          },
          { type: 'tool_call_end', data: { callId: `call_${index}`, tool: 'bash', result, isError, durationMs: 3 } },
        )
      })
      calls.map(outcomeOf).forEach(({ kept, isError }, index) => {
        keep('tool', [{ type: 'tool-result', callId: `call_${index}`, tool: 'bash', ...kept, ...(isError ? { isError } : {}) }])
      })
    }
    events.push(turnEnd)
  }
  return { events, messages }
}

/** The visible content of a block, live or stored; an image by its path once it is stored. */
function seen(block: Block): readonly unknown[] {
  const image = ({ mediaType, path }: ShownImage) => ({ mediaType, path })
  switch (block.kind) {
    case 'user':
      return [{ said: block.text, id: block.id }]
    case 'answer':
    case 'reasoning':
      return block.text.trim() === '' ? [] : [{ [block.kind]: block.text }]
    case 'call': {
      const { call } = block
      const result = call.result === null ? null : shownResultText(call.result)
      const images = call.result === null ? [] : resultImages(call.result.content, call.result.metadata).map(image)
      return [{ call: call.callId, tool: call.tool, input: call.input, about: call.about, status: call.status, result, images }]
    }
    case 'broken':
    case 'compaction':
    case 'error':
    case 'notice':
    case 'summary':
    case 'turn':
      return []
  }
}

describe('reduceConversation', () => {
  it('R002-11 R002-31 shows live, from complete results, what a snapshot taken afterwards shows: texts, calls, results, pictures', () => {
    const reached = { images: 0, refused: 0, texts: 0 }
    fc.assert(
      fc.property(turns, (list) => {
        const { events, messages } = tell(list)
        const told = after(conversationOf(snapshotOf([])), ...events)
        const kept = conversationOf(snapshotOf(messages))
        const shown = allBlocks(told).flatMap(seen)
        expect(shown).toEqual(allBlocks(kept).flatMap(seen))
        for (const { steps } of list)
          for (const { calls, words } of steps) {
            reached.images += calls.filter(({ kind }) => kind.endsWith('image')).length
            reached.refused += calls.filter(({ kind }) => kind === 'refused').length
            reached.texts += words.length
          }
      }),
    )
    expect(Math.min(...Object.values(reached))).toBeGreaterThan(20)
  })

  it('continues from a snapshot taken between any two stored messages as if it had followed from the start', () => {
    const messages: readonly Message[] = [
      { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'List both folders.' }] },
      {
        id: 'm1',
        role: 'assistant',
        parts: [
          { type: 'tool-call', callId: 'a', tool: 'bash', input: { command: 'ls src' } },
          { type: 'tool-call', callId: 'b', tool: 'bash', input: { command: 'ls test' } },
        ],
      },
      {
        id: 'm2',
        role: 'tool',
        parts: [{ type: 'tool-result', callId: 'a', tool: 'bash', content: { type: 'text', text: 'cart.ts' } }],
      },
    ]
    const busy = conversationOf(snapshotOf(messages, { live: { ...live, isBusy: true } }))
    const statuses = (state: ConversationState) =>
      allBlocks(state).flatMap((block) => (block.kind === 'call' ? [`${block.call.callId} ${block.call.status}`] : []))
    expect(statuses(busy)).toEqual(['a done', 'b running'])
    // Events that the snapshot already includes are repeated.
    const said: SessionEvent = { type: 'said', data: { text: 'List both folders.', message: 'm0' } }
    const next = after(busy, said, start('b'), end('b', 'cart.test.ts'), text('Both have one file.'))
    expect(statuses(next)).toEqual(['a done', 'b done'])
    expect(allBlocks(next).at(-1)).toMatchObject({ kind: 'answer', text: 'Both have one file.' })
    expect(statuses(conversationOf(snapshotOf(messages)))).toEqual(['a done', 'b missing'])
  })

  it('drops a partial answer when it restarts, and keeps earlier messages', () => {
    const state = after(
      conversationOf(snapshotOf([])),
      text('first'),
      start('a'),
      end('a', 'x'),
      { type: 'reasoning_delta', data: { text: 'hm' } },
      text('half of'),
      notice('retrying'),
      notice('answer_restarted'),
      text('whole'),
    )
    expect(allBlocks(state).map((block) => ('text' in block ? block.text : block.kind))).toEqual([
      'first',
      'call',
      'notice',
      'notice',
      'whole',
    ])
  })

  it('keeps a partial answer until a restart is reported', () => {
    const state = after(conversationOf(snapshotOf([])), text('half of'), notice('retrying'), text(' an answer'))
    expect(allBlocks(state).map((block) => ('text' in block ? block.text : block.kind))).toEqual(['half of an answer', 'notice'])
  })

  it('ignores events of a call that has ended', () => {
    const done = after(conversationOf(snapshotOf([])), start('a'), end('a', 'x'))
    const late: SessionEvent = {
      type: 'tool_progress',
      data: { tool: 'bash', callId: 'a', stage: 'output', message: 'late', progress: null },
    }
    expect(after(done, late, end('a', 'again')).blocks).toEqual(done.blocks)
  })

  it('marks the partial text of a failed answer as lost', () => {
    const state = after(conversationOf(snapshotOf([])), turnStart('m0'), text('half'), {
      ...turnEnd,
      data: { ...turnEnd.data, outcome: 'failed' },
    })
    expect(allBlocks(state)[0]).toEqual({ kind: 'answer', key: 'live 0', text: 'half', isOpen: false, isLost: true })
  })

  it('R002-18 shows no error while a request that was too long is repaired, and reports it if that fails', () => {
    const error = (recovering: boolean): SessionEvent => ({
      type: 'error',
      data: { code: 'CONTEXT_LENGTH_EXCEEDED', message: 'too long', suggestion: null, details: { recovering } },
    })
    const recovering = after(conversationOf(snapshotOf([])), error(true))
    expect([recovering.isRecovering, recovering.blocks]).toEqual([true, []])
    expect(after(recovering, text('on')).isRecovering).toBe(false)
    const failed = after(recovering, error(false))
    expect([failed.isRecovering, failed.blocks.map(({ kind }) => kind)]).toEqual([false, ['error']])
  })

  it('R004-31 follows a compaction from its start to its result', () => {
    const folded = { rounds: { folded: 3, kept: 2 }, messages: 12, tokens: 9000, writer: 'model' } as const
    const running = after(
      conversationOf(snapshotOf([])),
      { type: 'compaction_start', data: folded },
      { type: 'compaction_progress', data: { written: 400 } },
    )
    expect(running.blocks).toEqual([{ kind: 'compaction', key: 'live 0', start: folded, written: 400, end: null }])
    const done = { outcome: 'compacted', kept: 'summary', tokensBefore: 9000, tokensAfter: 900 } as const
    expect(after(running, { type: 'compaction_end', data: done }).blocks).toEqual([
      { kind: 'compaction', key: 'live 0', start: folded, written: 400, end: done },
    ])
  })

  it('R002-22 keeps the last progress of any tool, and no more of its output than can be shown', () => {
    const progress = (stage: string, message: string, share: number | null): SessionEvent => ({
      type: 'tool_progress',
      data: { tool: 'image_generate', callId: 'a', stage, message, progress: share },
    })
    const pieces = Array.from({ length: 40 }, (_, index) => progress('output', `${index} ${'x'.repeat(10_000)}\n`, null))
    const state = after(
      conversationOf(snapshotOf([])),
      start('a', 'image_generate'),
      progress('init', 'model', 5),
      progress('generating', 'making', 30),
      ...pieces,
    )
    const [block] = state.blocks
    if (block?.kind !== 'call') throw new Error('expected a call')
    expect(block.call.progress).toEqual({ stage: 'generating', message: 'making', progress: 30 })
    expect(block.call.output.length).toBeLessThanOrEqual(120_000)
    expect(block.call.output.endsWith('x\n')).toBe(true)
    expect(after(state, end('a', 'ok')).blocks[0]).toMatchObject({ call: { progress: null, output: '', status: 'done' } })
  })

  it('returns the same state for the same snapshot, regardless of the state before', () => {
    const snapshot = snapshotOf([{ id: 'm0', role: 'user', parts: [{ type: 'text', text: 'hello' }] }])
    const busy = after(conversationOf(snapshotOf([])), text('words'), notice('retrying'))
    expect(reduceConversation(busy, { type: 'snapshot', snapshot })).toEqual(conversationOf(snapshot))
  })

  it('shows older messages once their page is loaded', () => {
    const older: readonly ChatMessage[] = Array.from({ length: 100 }, (_, number) => ({
      number,
      message: { id: `m${number}`, role: 'user', parts: [{ type: 'text', text: `${number}` }] },
      isFolded: false,
    }))
    const latest: ChatMessage = { number: 100, message: { id: 'm100', role: 'user', parts: [] }, isFolded: false }
    const state = conversationOf(snapshotOf([], { count: 101, start: 100, messages: [latest] }))
    expect([rowCount(state), rowBlocks(state, 7)]).toEqual([101, null])
    const next = reduceConversation(state, { type: 'page', page: 0, messages: older })
    expect(next === null ? null : rowBlocks(next, 7)).toEqual([{ kind: 'user', key: 'm7', id: 'm7', text: '7', images: [] }])
  })

  it('shows a summary, a result without a call, and messages outside of the conversation as such', () => {
    const state = conversationOf(
      snapshotOf([
        { id: 's', role: 'system', parts: [{ type: 'text', text: 'rules' }] },
        { id: 'm0', role: 'user', parts: [{ type: 'text', text: 'older' }], summary: true },
        {
          id: 'm1',
          role: 'tool',
          parts: [{ type: 'tool-result', callId: 'x', tool: 'grep', content: { type: 'text', text: 'r' } }],
        },
      ]),
    )
    expect(allBlocks(state).map((block) => (block.kind === 'call' ? [block.call.tool, block.call.status] : block.kind))).toEqual([
      'summary',
      ['grep', 'done'],
    ])
  })
})

it('keeps a call whose id is a property of every object', () => {
  const call = (callId: string): Part => ({ type: 'tool-call', callId, tool: 'Read', input: {} })
  const result: Part = { type: 'tool-result', callId: 'constructor', tool: 'Read', content: { type: 'text', text: 'read' } }
  const state = conversationOf(
    snapshotOf(
      [
        { id: 'a', role: 'assistant', parts: [call('constructor'), call('__proto__')] },
        { id: 't', role: 'tool', parts: [result] },
      ],
      { live: { ...live, isBusy: true } },
    ),
  )
  const shown = (rowBlocks(state, 0) ?? []).map((block) =>
    block.kind === 'call' ? [block.call.callId, block.call.status] : null,
  )
  expect(shown).toEqual([
    ['constructor', 'done'],
    ['__proto__', 'running'],
  ])
})
