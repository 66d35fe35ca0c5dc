import type { Config } from '@plimsoll/core/policies'
import { describe, expect, it } from 'vitest'
import type { AnswerUsage } from './measure-session.ts'
import { type SpendingRecord, spendingOf } from './spending.ts'
import { lastDays } from './spending-now.ts'
import { createSpendingSum } from './spending-sum.ts'

const noBudget: Config['budget'] = { day: null, week: null, month: null }
const hour = 3_600_000
/** Wednesday noon of the user's time zone. */
const now = new Date(2026, 10, 18, 12).getTime()
const model = 'claude-opus-4-5'

/** A million tokens written to the cache for five minutes: $6.25. */
const answer = (at: number, id = 0, output = 0): AnswerUsage => [at, 0, 0, 0, 1_000_000, output, 0, id, 0, 0, 0]

function spent(answers: readonly AnswerUsage[], budget = noBudget, agent = 'Claude Code', at = now) {
  const sum = createSpendingSum(at)
  sum.add({ models: [model], answers: [...answers] }, agent)
  return spendingOf(JSON.parse(JSON.stringify(sum.finish())) as SpendingRecord, at, budget)
}

describe('spending', () => {
  it('adds up today, the week from Monday, the month and the last hour in the time zone of the user', () => {
    const { today, week, month, lastHour } = spent([
      answer(now - hour / 2),
      answer(new Date(2026, 10, 18, 0, 5).getTime()),
      answer(new Date(2026, 10, 17, 23, 55).getTime()),
      answer(new Date(2026, 10, 16).getTime()),
      answer(new Date(2026, 10, 15, 23).getTime()),
      answer(new Date(2026, 9, 31).getTime()),
    ])
    expect([today, week, month].map(({ dollars, requests }) => [dollars, requests])).toEqual([
      [12.5, 2],
      [25, 4],
      [31.25, 5],
    ])
    expect(lastHour).toBe(6.25)
  })

  it('has each of the last fourteen days, with an hour more or less in some of them', () => {
    const days = { '2026-03-29': { dollars: 2, requests: 1, unpriced: 0 } }
    const shown = lastDays({ days }, new Date(2026, 2, 30, 0, 10).getTime())
    expect([shown.length, shown[0]?.day, shown.at(-1)?.day]).toEqual([14, '2026-03-17', '2026-03-30'])
    expect(shown.filter(({ dollars }) => dollars > 0)).toEqual([{ day: '2026-03-29', dollars: 2 }])
    expect(new Set(shown.map(({ day }) => day)).size).toBe(14)
  })

  it('is zero without answers', () => {
    expect(spent([])).toMatchObject({ today: { dollars: 0, state: 'no-budget' }, lastHour: 0, block: null })
  })

  it('counts an answer once that is in two logs, as the log with more of it reports it', () => {
    const sum = createSpendingSum(now)
    for (const output of [100_000, 200_000, 0]) sum.add({ models: [model], answers: [answer(now - 1, 7, output)] }, 'pi')
    expect(spendingOf(sum.finish(), now, noBudget).today).toMatchObject({ dollars: 11.25, requests: 1 })
  })

  it('says how many answers have no price', () => {
    const sum = createSpendingSum(now)
    sum.add({ models: ['nobody-knows-1'], answers: [answer(now - 1)] }, 'pi')
    expect(spendingOf(sum.finish(), now, noBudget).today).toMatchObject({ dollars: 0, requests: 1, unpriced: 1 })
  })

  it.each([
    [8, 'ok'],
    [7.8, 'near'],
    [6.25, 'over'],
    [0, 'over'],
  ] as const)('compares $6.25 with a budget of $%s: %s', (day, state) => {
    const { today, week } = spent([answer(now - 1)], { ...noBudget, day })
    expect([today.state, week.state]).toEqual([state, 'no-budget'])
  })
})

describe('the current five-hour block', () => {
  const at = (hours: number, minutes = 0) => new Date(2026, 10, 18, hours, minutes).getTime()
  const block = (answers: readonly number[], agent = 'Claude Code') =>
    spent(
      answers.map((time) => answer(time)),
      noBudget,
      agent,
    ).block

  it('starts at the hour of its first request and has tokens, cost, time left and rates', () => {
    expect(block([at(9, 30), at(11)])).toEqual({
      start: new Date(at(9)).toISOString(),
      end: new Date(at(14)).toISOString(),
      dollars: 12.5,
      requests: 2,
      unpriced: 0,
      tokens: 2_000_000,
      secondsLeft: 2 * 3600,
      dollarsPerHour: 5,
      tokensPerHour: 800_000,
    })
  })

  it('starts again five hours after the start of the last one', () =>
    expect(block([at(5, 59), at(9, 59), at(10, 1), at(11)])).toMatchObject({
      start: new Date(at(10)).toISOString(),
      requests: 2,
    }))

  it('starts again after five idle hours', () => expect(block([at(1), at(6, 1)])).toBeNull())

  it('has the same start, however long ago requests without a pause began', () => {
    const day = 24
    const answers = Array.from({ length: 60 }, (_, index) => at(9 - 2 * day) + index * hour)
    expect(block(answers)?.start).toBe(new Date(at(11)).toISOString())
  })

  it('is over when its time has passed, and counts Claude Code alone', () => {
    expect(block([at(6, 30)])).toBeNull()
    expect(block([at(11)], 'Codex')).toBeNull()
  })
})
