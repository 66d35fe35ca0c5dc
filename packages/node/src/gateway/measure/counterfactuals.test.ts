import type { Message } from '@plimsoll/core'
import { costOfTurn, type Usage } from '@plimsoll/core/bill'
import type { ReportedEdit } from '@plimsoll/core/hosts'
import { defaultConfig, emptyLedger } from '@plimsoll/core/policies'
import { countMessage, countMessages, estimator } from '@plimsoll/core/text'
import { chainOfMessages } from '@plimsoll/core/wire'
import { describe, expect, it } from 'vitest'
import { createModelBook } from '../planner/model-book.ts'
import { hashText } from '../planner/understand-request.ts'
import { relayed } from '../testing/planning.ts'
import { type ComparedRequest, type Counterfactuals, createCounterfactuals } from './counterfactuals.ts'

const model = createModelBook({ config: defaultConfig, isWindowSet: false }, '2026-01-01')('claude-opus-5')
const overhead = 2000

/** A provider without a cache that counts packed data twice and everything else 1.3 times. */
function counted(messages: readonly Message[]): Usage {
  const tokens = messages.reduce(
    (sum, message) => sum + countMessage(message, estimator) * (isPacked(message) ? 2 : 1.3),
    overhead * 1.3,
  )
  return { input: Math.round(tokens), cacheRead: 0, cacheWrite: 0, output: 10 }
}

const isPacked = ({ parts }: Message) => parts.some((part) => part.type === 'text' && part.text.includes('QUJD'))
const text = (id: string, content: string): Message => ({ id, role: 'user', parts: [{ type: 'text', text: content }] })
const prose = (id: string) => text(id, `${id} says that the tests have to pass before anyone goes home. `.repeat(40))
const packed = (id: string) => text(id, 'QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(60))
const stub = (message: Message): Message => text(message.id, '[removed]')

interface Turn {
  readonly messages: readonly Message[]
  readonly view: readonly Message[]
}

/** Runs the requests of a conversation: what was paid, what is reported as untrimmed, and what the untrimmed requests really cost. */
function createRun(counterfactuals: Counterfactuals, tenant: string) {
  let before: ComparedRequest['before'] = null
  let number = 0
  let shown: readonly Message[] = []
  const sums = { paid: 0, untrimmed: 0, real: 0 }
  return {
    sums,
    send({ messages, view }: Turn): void {
      number += 1
      const usage = counted(view)
      const paid = costOfTurn(usage, model.price)
      const chains = chainOfMessages(messages, hashText, 'test')
      const { body: _body, ...request } = relayed('anthropic', {}, 'safe', { at: 1_700_000_000_000 + number * 10_000 })
      const edits = messages.flatMap((message, index) => (message === view[index] ? [] : [editOf(message)]))
      const known = before
      const decided: ComparedRequest = {
        request,
        tenant,
        understood: {
          messages,
          leading: 0,
          chains,
          model: 'claude-opus-5',
          prefix: 'prefix',
          overhead,
          offered: () => [],
          isKeptForHour: false,
          doubt: null,
        },
        model,
        before: known,
        firstSeen: messages.map(() => request.at),
        view,
        edits,
        newEdits: edits.filter(({ message }) => !shown.some((each, index) => each.id === message && each === view[index])),
      }
      const untrimmed = counterfactuals.note(decided, usage, paid, 'provider')
      sums.paid += paid?.dollars ?? Number.NaN
      sums.untrimmed += untrimmed?.cost?.dollars ?? Number.NaN
      sums.real += costOfTurn(counted(messages), model.price)?.dollars ?? Number.NaN
      shown = view
      const last = messages.at(-1)?.id ?? null
      const earlier = known?.branch.state.measurements ?? []
      const estimate = countMessages(view, estimator) + overhead
      before = {
        last: messages.length - 1,
        branch: {
          conversation: tenant,
          chain: chains.at(-1) ?? '',
          requests: number,
          at: request.at,
          state: {
            model: 'claude-opus-5',
            edits: [],
            sent: last,
            ledger: { ...emptyLedger, prefix: 'prefix' },
            measurements: [...earlier, { model: 'claude-opus-5', estimate, last, usage }].slice(-20),
          },
        },
      }
    },
  }
}

function editOf({ id }: Message): ReportedEdit {
  return {
    id: `test:${id}`,
    policy: 'test',
    kind: 'replace',
    message: id,
    part: 0,
    tool: null,
    tokensBefore: 1,
    tokensAfter: 0,
    why: '',
    cache: 'free',
  }
}

/** A conversation that grows by two messages with each request. */
function turns(count: number, name: string, shown: (message: Message) => Message): readonly Turn[] {
  const all = Array.from({ length: count * 2 }, (_, index) =>
    index % 4 === 3 ? packed(`${name} ${index}`) : prose(`${name} ${index}`),
  )
  const views = all.map(shown)
  return Array.from({ length: count }, (_, index) => ({
    messages: all.slice(0, index * 2 + 2),
    view: views.slice(0, index * 2 + 2),
  }))
}

const whole = (message: Message) => message
const withoutPacked = (message: Message) => (isPacked(message) ? stub(message) : message)

describe('createCounterfactuals', () => {
  it('returns what was paid, to the last digit, if nothing is trimmed', () => {
    const run = createRun(createCounterfactuals(), 'one')
    for (const turn of turns(8, 'a', whole)) run.send(turn)
    expect(run.sums.untrimmed).toBe(run.sums.paid)
  })

  it('learns how removed content is counted from untrimmed conversations', () => {
    const counterfactuals = createCounterfactuals()
    const held = createRun(counterfactuals, 'held out')
    for (const turn of turns(8, 'a', whole)) held.send(turn)
    const run = createRun(counterfactuals, 'trimmed')
    for (const turn of turns(8, 'b', withoutPacked)) run.send(turn)
    expect(run.sums.paid).toBeLessThan(run.sums.real * 0.8)
    expect(Math.abs(run.sums.untrimmed / run.sums.real - 1)).toBeLessThan(0.03)
  })

  it('measures content that is trimmed late before it is trimmed', () => {
    const run = createRun(createCounterfactuals(), 'late')
    const late = turns(16, 'a', withoutPacked)
    for (const [index, turn] of late.entries()) run.send(index < 8 ? { ...turn, view: turn.messages } : turn)
    expect(Math.abs(run.sums.untrimmed / run.sums.real - 1)).toBeLessThan(0.03)
  })

  it('continues a conversation that it forgot from what the store remembers', () => {
    const counterfactuals = createCounterfactuals({ maxBlocks: 1 })
    const runs = ['one', 'two', 'three'].map((name) => createRun(counterfactuals, name))
    const late = turns(16, 'a', withoutPacked)
    for (const [index, turn] of late.entries())
      for (const run of runs) run.send(index < 8 ? { ...turn, view: turn.messages } : turn)
    for (const { sums } of runs) expect(Math.abs(sums.untrimmed / sums.real - 1)).toBeLessThan(0.03)
  })
})
