import { describe, expect, it } from 'vitest'
import type { AgentEvent, TurnEnd } from '../../shared/event.ts'
import { type Block, type ChatAction, type ChatState, emptyChat } from './chat-state.ts'
import { reduceChat } from './reduce-chat.ts'

const after = (events: readonly AgentEvent[], from: ChatState = emptyChat): ChatState =>
  events.reduce((state, event) => reduceChat(state, { type: 'event', event, at: 1000 }), from)
const text = (said: string): AgentEvent => ({ type: 'text_delta', data: { text: said } })
const thought = (said: string): AgentEvent => ({ type: 'reasoning_delta', data: { text: said } })
const begun = (callId: string, tool = 'Read'): AgentEvent => ({
  type: 'tool_call_start',
  data: { callId, tool, input: {}, about: 'src/a.ts', access: 'read' },
})
const progress = (callId: string, stage: string, message: string, share: number | null): AgentEvent => ({
  type: 'tool_progress',
  data: { tool: 'Bash', callId, stage, message, progress: share },
})
const ended = (callId: string, metadata: Readonly<Record<string, unknown>> = {}, output = 'a\nb\n'): AgentEvent => ({
  type: 'tool_call_end',
  data: { callId, tool: 'Read', result: { content: { type: 'text', text: output }, metadata }, isError: false, durationMs: 5 },
})
const error = (recovering: boolean): AgentEvent => ({
  type: 'error',
  data: { code: 'CONTEXT_LENGTH_EXCEEDED', message: 'm', suggestion: 's', details: { recovering } },
})
const usage = { input: 10, cacheRead: 90, cacheWrite: 0, output: 5 }
const kinds = ({ blocks }: ChatState) => blocks.map((block) => block?.kind ?? null)

describe('streamed text', () => {
  it.each<[name: string, deltas: readonly string[], printed: readonly string[], open: string]>([
    ['shows the first chunk at once', ['He'], [], 'He'],
    ['prints a paragraph when the next one starts', ['One.\n', '\nTwo'], ['One.\n'], 'Two'],
    ['keeps a paragraph open at a line break', ['One\n', 'two'], [], 'One\ntwo'],
    ['keeps code open at a blank line', ['```\na\n\nb'], [], '```\na\n\nb'],
    ['prints code at a blank line after it', ['```\na\n\nb\n```\n\nend'], ['```\na\n\nb\n```\n'], 'end'],
    ['prints many lines of an unfinished paragraph', ['1\n2\n3\n4\n5\n6\n7\n8\n9\nten'], ['1\n2\n3\n4\n5\n6\n7\n8\n9'], 'ten'],
  ])('%s', (_name, deltas, printed, open) => {
    const state = after(deltas.map(text))
    expect(state.blocks.map((block) => (block as Extract<Block, { kind: 'answer' }>).text)).toEqual(printed)
    expect(state.answer.text).toBe(open)
  })

  it('keeps treating text as code after part of it was printed', () => {
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`).join('\n')
    const state = after([text(`\`\`\`ts\n${lines}`), text('\nmore')])
    expect(state.answer.isCode).toBe(true)
  })

  it('limits the size of the open text, even for one very long line', () => {
    let state = emptyChat
    for (let index = 0; index < 200; index += 1) state = after([text('x'.repeat(1000))], state)
    expect(state.answer.text.length).toBeLessThan(6000)
    const whole = state.blocks.map((block) => (block as Extract<Block, { kind: 'answer' }>).text).join('') + state.answer.text
    expect(whole).toBe('x'.repeat(200_000))
  })

  it('drops the open text when an answer restarts', () => {
    const restarted = { type: 'notification', data: { code: 'answer_restarted', message: 'again', details: null } } as AgentEvent
    const state = after([text('Half an'), restarted, text('Whole')])
    expect([kinds(state), state.answer.text]).toEqual([['notice'], 'Whole'])
  })

  it('shows the last line of reasoning and keeps it as a block', () => {
    const open = after([thought('First.\nSecond'), thought(' goes on')])
    expect(open.reasoning?.line).toBe('Second goes on')
    expect(after([text('Now')], open).blocks).toEqual([{ kind: 'reasoning', last: 'Second goes on', characters: 21 }])
  })
})

describe('tool calls', () => {
  it('run in parallel and are printed as they end', () => {
    const state = after([begun('1'), begun('2'), ended('2')])
    expect([state.calls.map(({ callId }) => callId), kinds(state)]).toEqual([['1'], ['call']])
  })

  it('show the last lines of their output while they run', () => {
    const pieces = ['a\nb\n', 'c\nd\ne\nf', 'g\n'].map((piece) => progress('1', 'output', piece, null))
    expect(after([begun('1'), ...pieces]).calls[0]?.output).toEqual(['b', 'c', 'd', 'e', 'fg', ''])
  })

  it('R002-22 R002-27 show the progress of any tool', () => {
    const [call] = after([begun('1', 'image_generate'), progress('1', 'generating', '生成中... 5s', 34)]).calls
    expect([call?.message, call?.progress]).toEqual(['生成中... 5s', 34])
  })

  it('keep only the part of a result that their card shows', () => {
    const diff = '--- a\n+++ a\n@@ -1,2 +1,2 @@\n-old\n+new\n+newer\n same\n'
    const state = after([begun('1'), ended('1', { diff, secret: 'x'.repeat(1_000_000) }, 'y'.repeat(1_000_000))])
    const [block] = state.blocks
    expect(block).toMatchObject({
      kind: 'call',
      about: 'src/a.ts',
      summary: { added: 2, removed: 1, diff: ['-old', '+new', '+newer'] },
    })
    expect(JSON.stringify(state).length).toBeLessThan(5000)
  })

  it('disappear with their turn if they never ended', () => {
    const end: AgentEvent = {
      type: 'turn_end',
      data: { outcome: 'cancelled', steps: 1, text: '', usage, cost: { dollars: 0.5, unpriced: 0 } },
    }
    const state = after([begun('1'), end])
    expect([state.calls, kinds(state), state.turns]).toEqual([[], ['turn'], [{ steps: 1, usage, dollars: 0.5, unpriced: 0 }]])
  })
})

describe('the time of a turn', () => {
  it('is without the time that questions waited for the user, also if one follows the other', () => {
    const dialog = { kind: 'choices', lines: [], choices: [], dismiss: 0 } as const
    const end: TurnEnd = { outcome: 'finished', steps: 1, text: '', usage, cost: { dollars: 0, unpriced: 0 } }
    const actions: readonly ChatAction[] = [
      { type: 'busy', since: 1000 },
      { type: 'dialog', dialog, at: 2000 },
      { type: 'dialog', dialog: { ...dialog }, at: 7000 },
      { type: 'dialog', dialog: null, at: 9000 },
      { type: 'event', event: { type: 'turn_end', data: end }, at: 9500 },
    ]
    expect(actions.reduce(reduceChat, emptyChat).blocks).toEqual([{ kind: 'turn', end, durationMs: 1500 }])
  })
})

describe('a conversation that is too long', () => {
  it('is not an error while it is being shortened', () => {
    const state = after([text('Ha'), error(true)])
    expect([state.isRecovering, kinds(state), state.answer.text]).toEqual([true, [], ''])
  })

  it('is an error if it cannot be shortened', () => {
    const state = after([error(true), error(false)])
    expect([state.isRecovering, kinds(state)]).toEqual([false, ['error']])
  })
})

describe('compaction', () => {
  const start: AgentEvent = {
    type: 'compaction_start',
    data: { rounds: { folded: 3, kept: 2 }, messages: 9, tokens: 900, writer: 'model' },
  }
  const written: AgentEvent = { type: 'compaction_progress', data: { written: 420 } }
  const end: AgentEvent = {
    type: 'compaction_end',
    data: { outcome: 'compacted', kept: 'summary', tokensBefore: 1000, tokensAfter: 300 },
  }

  it('R004-31 shows progress while it runs', () =>
    expect(after([start, written]).compaction).toMatchObject({ written: 420, start: { messages: 9 } }))

  it('R004-31 adds a block with its result', () => {
    const state = after([start, written, end])
    expect([state.compaction, kinds(state)]).toEqual([null, ['compaction']])
  })
})

describe('the meter', () => {
  it('uses the provider’s token counts', () => {
    const told: AgentEvent = {
      type: 'usage',
      data: { what: 'answer', usage, cost: null, total: { dollars: 1.5, unpriced: 2 }, firstMs: 1, durationMs: 2 },
    }
    expect(after([told]).meter).toEqual({
      ...emptyChat.meter,
      last: { usage, at: 1000 },
      dollars: 1.5,
      unpriced: 2,
    })
  })

  it('counts side requests in the cost but not in the cache state', () => {
    const beside: AgentEvent = {
      type: 'usage',
      data: { what: 'summary', usage, cost: null, total: { dollars: 2, unpriced: 0 }, firstMs: null, durationMs: 2 },
    }
    expect(after([beside]).meter).toMatchObject({ last: null, dollars: 2, unpriced: 0 })
  })

  it('counts keep-alive requests, which show that the cache is still warm', () => {
    const cost = { dollars: 0.25, parts: { input: 0, cacheRead: 0.25, cacheWrite: 0, output: 0 } } as const
    const kept = (what: 'keep-alive', dollars: number): AgentEvent => {
      return { type: 'usage', data: { what, usage, cost, total: { dollars, unpriced: 0 }, firstMs: null, durationMs: 2 } }
    }
    expect(after([kept('keep-alive', 1), kept('keep-alive', 2)]).meter).toEqual({
      ...emptyChat.meter,
      last: { usage, at: 1000 },
      dollars: 2,
      keepAlive: { times: 2, dollars: 0.5 },
    })
  })
})

describe('memory', () => {
  it('keeps only an empty slot for a printed block', () => {
    const state = reduceChat(after([text('One.\n\n'), text('Two.\n\n')]), { type: 'printed' })
    expect(state.blocks).toEqual([null, null])
    expect(reduceChat(state, { type: 'printed' })).toBe(state)
  })
})
