import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createConversation } from '../conversation.ts'
import { type Edit, replaceEdit } from '../edit.ts'
import type { Message, Part } from '../message.ts'
import { economyPolicies } from '../policies/economy-policies.ts'
import { referenceTo } from '../results/references.ts'
import { exchange, result, user } from '../testing/messages.ts'
import { emptyLedger } from '../timing/ledger.ts'
import { countMessage, estimator } from '../tokens/count-tokens.ts'
import { buildView } from './build-view.ts'

const terms = { read: 0.025, write: 1.25, lifetimeSeconds: 300 }
const page = (name: string, lines: number) =>
  Array.from({ length: lines }, (_, line) => `${name} ${line}: ${'abcdefgh'.slice(line % 5)} value_${name}_${line * 7}`).join(
    '\n',
  )

/** A provider's bill for one list of messages after the other, in tokens of input. */
function createBill() {
  let before: readonly string[] = []
  let sum = 0
  return {
    send(messages: readonly Message[]) {
      const keys = messages.map((message) => JSON.stringify(message))
      let same = 0
      while (same < before.length && before[same] === keys[same]) same += 1
      for (const [index, message] of messages.entries())
        sum += countMessage(message, estimator) * (index < same ? terms.read : terms.write)
      before = keys
    },
    sum: () => sum,
  }
}

/** A conversation in which files are read over and over, now and then with a change in between. */
function play(pages: readonly string[]) {
  const conversation = createConversation({ policies: economyPolicies, timing: 'economic', model: 'm' })
  const [own, untrimmed] = [createBill(), createBill()]
  const messages: Message[] = []
  const add = (role: Message['role'], part: Part) => messages.push({ id: `m${messages.length}`, role, parts: [part] })
  let worst = 0
  let widest = 0
  add('user', { type: 'text', text: 'Begin.' })
  for (const [index, text] of pages.entries()) {
    const callId = `c${index}`
    add('assistant', { type: 'tool-call', callId, tool: 'view_page', input: { page: index } })
    add('tool', { type: 'tool-result', callId, tool: 'view_page', content: { type: 'text', text }, isError: false })
    const list = messages.slice()
    const prepared = conversation.next(list, { now: index * 1000, prefix: 'p', cache: terms })
    conversation.accepted()
    own.send(prepared.messages)
    untrimmed.send(list)
    const saved = untrimmed.sum() - own.sum()
    widest = Math.max(widest, Math.abs(conversation.state().ledger.bank - saved))
    worst = Math.max(worst, -saved / untrimmed.sum())
  }
  return { saved: untrimmed.sum() - own.sum(), worst, widest }
}

it('leaves a rewrite that the savings do not cover, because lines that were to be shown above have to be shown in full', () => {
  const text = page('alpha', 300)
  const messages = [
    user('ask', 'look'),
    ...exchange('first', 'Bash', { command: 'a' }, text),
    ...exchange('second', 'Bash', { command: 'b' }, text),
  ]
  const short = (message: string, shown: string, rest: object = {}) =>
    ({ ...replaceEdit('mine', message, 0, result(message, `call-${message}`, shown).parts[0] as never, 'why'), ...rest }) as Edit
  const lines = text.split('\n')
  const refers = [referenceTo(0, 'first.0', 0, lines)]
  const policy = { name: 'mine', plan: () => [short('first', 'short'), short('second', 'as above', { refers })] }
  const view = (bank: number) =>
    buildView({
      messages: [...messages, user('next', 'go on')],
      sent: 'second',
      timing: 'economic',
      policies: [policy],
      facts: { now: 1, cache: terms },
      ledger: { ...emptyLedger, debts: { 'first.0': 1e6, 'second.0': 1e6 }, bank },
    })
  const [poor, rich] = [view(1000), view(1e6)]
  expect(poor.view.slice(0, -1)).toEqual(messages)
  expect(poor.report.timing?.decision).toBe('bank')
  expect(poor.ledger.bank).toBe(1000)
  expect(rich.edits.map((edit) => edit.kind === 'replace' && edit.message)).toEqual(['first'])
  const before = countMessage(messages[4] as Message, estimator)
  expect(rich.ledger.bank).toBeLessThan(
    1e6 - before * (terms.write - terms.read) + countMessage(messages[2] as Message, estimator),
  )
})

it('counts as saved what is saved, and risks no more than a quarter of a percent beyond it', () => {
  const [a, b] = [page('alpha', 300), page('beta', 250)]
  const pages = [a, b, a.replace('alpha 20:', 'alpha twenty:'), b.slice(3000), page('gamma', 40), 'done', 'go on', 'ok']
  let saving = 0
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pages), { minLength: 15, maxLength: 40, size: 'max' }), (read) => {
      const { saved, worst, widest } = play(read)
      if (saved > 5000) saving += 1
      expect(widest).toBeLessThan(1)
      expect(worst).toBeLessThan(0.0026)
    }),
    { numRuns: 25 },
  )
  expect(saving).toBeGreaterThan(10)
})
