import type { Message, Part } from '@plimsoll/core'
import { countMessage, estimator } from '@plimsoll/core/text'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exchange, user } from '../../../core/src/testing/messages.ts'
import { createO200kTokenizer } from '../model/tokens.ts'
import { overheadTokens } from './bill/both-sides.ts'
import { type PriceRow, priceRows } from './bill/price-rows.ts'
import type { GateName } from './gates.ts'
import { findNeeds } from './needs/find-needs.ts'
import { type PolicySet, policySets } from './policy-sets.ts'
import type { RecordedSession } from './record-session.ts'
import { replaySession } from './replay-session.ts'
import type { SessionRun } from './session-run.ts'
import { costOf } from './summarise-price.ts'
import { recorded, says } from './testing/recorded.ts'
import { overheadOf } from './view-source.ts'

const rowNamed = (name: string) => priceRows.find((row) => row.name === name) as PriceRow
const setNamed = (name: string) => policySets.find((set) => set.name === name) as PolicySet

function replayed(session: RecordedSession, set: PolicySet, rows: readonly PriceRow[] = [rowNamed('r.05')]): SessionRun {
  return replaySession({ session, needs: findNeeds(session), set, rows, tokens: estimator, isCalibrated: false })
}

/** Seconds before each request, and the lines of each result. */
const turn = fc.record({ pause: fc.constantFrom(1, 1, 60, 299, 301, 4000), lines: fc.integer({ min: 0, max: 400 }) })
const turns = fc.array(turn, { minLength: 2, maxLength: 40 })
const fewTurns = fc.array(turn, { maxLength: 17 })
/** Long enough without a pause that editing cached content is worth it. */
const manyTurns = fc.array(fc.record({ pause: fc.constant(1), lines: fc.integer({ min: 280, max: 320 }) }), {
  minLength: 60,
  maxLength: 70,
})

function sessionOf(list: readonly { readonly pause: number; readonly lines: number }[]): RecordedSession {
  let at = 0
  const messages: Message[] = [user('u', 'Look at all of it.', at)]
  for (const [index, { pause, lines }] of list.entries()) {
    at += pause * 1000
    const text = Array.from({ length: lines }, (_, line) => `${index} line ${line % 37} value_${line}`).join('\n')
    for (const message of exchange(
      `r${index}`,
      index % 3 === 0 ? 'Read' : 'Bash',
      { command: `run ${index}`, file_path: `${index}.ts` },
      text,
      { at },
    ))
      messages.push(message)
  }
  return recorded(...messages, says('end', 'Done.'))
}

describe('any session', () => {
  it('costs untrimmed what the sum over its requests says', () => {
    let misses = 0
    fc.assert(
      fc.property(turns, (list) => {
        const session = sessionOf(list)
        const rows = [rowNamed('r.05'), rowNamed('r.05-1h'), rowNamed('r.05-warm')]
        const run = replayed(session, setNamed('raw'), rows)
        for (const [index, { input, output, read, write, rules, isWarm }] of rows.entries()) {
          let dollars = 0
          let before = 0
          let last = 0
          for (const { length, at, output: answer } of session.steps) {
            const prompt =
              overheadTokens +
              (session.segments[0] ?? []).slice(0, length).reduce((sum, message) => sum + countMessage(message, estimator), 0)
            const isThere = isWarm || at - last <= (rules.lifetimeSeconds ?? 0) * 1000
            const cached = isThere ? before : 0
            if (before > 0 && !isThere) misses += 1
            dollars += (cached * read + (prompt - cached) * write + answer * output) / 1e6
            before = prompt
            last = at
          }
          expect(costOf(run.bills[index] as SessionRun['bills'][number])).toBeCloseTo(dollars, 9)
          expect(input).toBe(4)
        }
      }),
      { numRuns: 18 },
    )
    expect(misses).toBeGreaterThan(10)
  })

  it('costs trimmed at most one percent more in every price row, the recall tool included', async () => {
    const tokens = await createO200kTokenizer()
    const reached = { rewritten: 0, short: 0 }
    fc.assert(
      fc.property(fc.oneof(turns, fewTurns, manyTurns), (list) => {
        const session = sessionOf(list)
        // A long session is enough for a few rows.
        const rows = session.steps.length < 20 ? priceRows : ['r.10', 'r.025', 'r.05-1h'].map(rowNamed)
        const bills = (name: string) =>
          replaySession({ session, needs: [], set: setNamed(name), rows, tokens, isCalibrated: false })
        const raw = bills('raw')
        const told = session.steps.length * (overheadOf({ canRecall: true }, tokens) - overheadTokens)
        for (const name of ['economy', 'spec']) {
          const run = bills(name)
          for (const [index, bill] of run.bills.entries()) {
            reached.rewritten += bill.rewrittenTokens
            const untrimmed = raw.bills[index] as typeof bill
            // A row that caches in steps reads up to one less after any edit, however much that saves.
            const { rules, input, read } = rows[index] as PriceRow
            const isTrimmed = bill.promptTokens !== untrimmed.promptTokens + told
            const rounding = isTrimmed ? (session.steps.length * (rules.step - 1) * (input - read)) / 1e6 : 0
            expect(costOf(bill)).toBeLessThanOrEqual(costOf(untrimmed) * 1.01 + rounding)
          }
          expect(run.brokenGates ?? []).toEqual([])
        }
        if (session.steps.length < 20) reached.short += 1
      }),
      { numRuns: 15 },
    )
    expect(reached.rewritten).toBeGreaterThan(0)
    expect(reached.short).toBeGreaterThan(3)
  })
})

describe('replaySession', () => {
  const session = recorded(
    user('u', 'Never touch main.ts.'),
    ...[0, 1, 2, 3].flatMap((index) => exchange(`r${index}`, 'Bash', { command: `run ${index}` }, `a long result ${index}`)),
    says('end', 'Done.'),
  )
  const others = { policies: [], timing: 'immediate', dependsOnPrices: false } as const
  const withParts = (change: (part: Part, message: Message, length: number) => Part): PolicySet => ({
    ...others,
    name: 'made',
    transform: () => (messages) =>
      messages.map((message) => {
        const parts = message.parts.map((part) => change(part, message, messages.length))
        return parts.every((part, index) => part === message.parts[index]) ? message : { ...message, parts }
      }),
  })
  const cut = (part: Part, text: string): Part =>
    part.type === 'tool-result' ? { ...part, content: { type: 'text', text } } : part

  it.each<[GateName, PolicySet]>([
    ['pairs', { ...others, name: 'made', transform: () => (messages) => messages.filter(({ role }) => role !== 'tool') }],
    ['user-text', withParts((part) => (part.type === 'text' ? { ...part, text: part.text.toUpperCase() } : part))],
    ['user-rules', { ...others, name: 'made', transform: () => (messages) => messages.filter(({ role }) => role !== 'user') }],
    ['prefix', withParts((part, _, length) => cut(part, `[${length}]`))],
    ['characters', withParts((part) => cut(part, '\u001b[31mcut'))],
    ['recall', { ...withParts((part) => cut(part, 'cut; recall 0123456789ab')), canRecall: true }],
  ])('reports the broken gate %s', (gate, set) => expect(replayed(session, set).brokenGates).toContain(gate))
})

it('bills a row whose provider caches nothing by its own reports, regardless of other rows', () => {
  const session = sessionOf(Array.from({ length: 40 }, () => ({ pause: 1, lines: 300 })))
  const uncached = rowNamed('gemini-4-argon-uncached')
  const alone = replayed(session, setNamed('economy'), [uncached])
  const together = replayed(session, setNamed('economy'), [rowNamed('gemini-4-argon'), uncached])
  expect(together.bills[1]).toEqual(alone.bills[0])
})
