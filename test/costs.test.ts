import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { costOfTurn } from '@plimsoll/core/bill'
import { afterAll, describe, expect, it } from 'vitest'
import { findLogs, logPlaces } from '../packages/node/src/logs/find-logs.ts'
import { measureLogs } from '../packages/node/src/logs/measure/measure-logs.ts'
import { priceOfModel } from '../packages/node/src/model/price-of-model.ts'
import figures from './costs/ccusage-figures.json' with { type: 'json' }
import { writeCostLogs } from './costs/cost-logs.ts'
import { differentLongPrompts, differentPrices, longModels, longTokens, pricedDay, pricedModels } from './costs/price-logs.ts'

describe('the bill of recorded logs', () => {
  const home = mkdtempSync(join(tmpdir(), 'plimsoll-costs-'))
  afterAll(() => rmSync(home, { recursive: true, force: true }))

  // `npm run bench -- --only costs` runs ccusage on these logs and writes its figures down.
  it('has the tokens and the cost that ccusage finds, for each agent', async () => {
    writeCostLogs(home)
    const found = await findLogs(logPlaces({ environment: { HOME: home }, platform: 'linux' }))
    const { agents } = await measureLogs(found, { platform: 'linux', workers: 0 })
    expect(agents.map(({ agent }) => agent).toSorted()).toEqual(Object.keys(figures.agents).toSorted())
    for (const { agent, usage, dollars, unpriced } of agents) {
      const { dollars: theirs, ...tokens } = figures.agents[agent as keyof typeof figures.agents]
      expect({ agent, ...usage, unpriced }).toMatchObject({ agent, ...tokens, unpriced: 0 })
      expect(dollars).toBeCloseTo(theirs, 6)
    }
  })

  it('uses the prices that ccusage has, except for the listed models', () => {
    expect(Object.keys(figures.prices)).toEqual(pricedModels)
    const ours = (model: string) => priceOfModel(model, pricedDay) as NonNullable<ReturnType<typeof priceOfModel>>
    expect(differentPrices(figures.prices, ours)).toEqual(figures.different)
  })

  // Providers take the higher price for all tokens of a long prompt; ccusage takes it only for those above the limit, if at all.
  it('takes the price of long prompts from the provider, and lists where ccusage does not', () => {
    expect(Object.keys(figures.long).toSorted()).toEqual(longModels.toSorted())
    const usage = { input: longTokens, cacheRead: longTokens, cacheWrite: 0, output: 0 }
    const ours = (model: string) => costOfTurn(usage, priceOfModel(model, pricedDay))?.dollars ?? Number.NaN
    expect(differentLongPrompts(figures.long, ours)).toEqual(figures.differentLong)
  })
})
