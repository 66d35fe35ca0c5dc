import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { priceRows } from '../replay/bill/price-rows.ts'
import { policySets } from '../replay/policy-sets.ts'
import { recordedFile } from '../replay/testing/recorded-file.ts'
import { stringsFor } from '../strings/strings-for.ts'
import { createWhatIf, whatIf } from './what-if.ts'
import { type WhatIfError, whatIfChoices } from './what-if-choices.ts'

const question = { policies: ['economy', 'spec-immediate'], prices: ['r.05', 'r.10'] }

describe('whatIf', () => {
  it('answers with raw first, one row for each set and price', async () => {
    const answer = await whatIf(logOf(recordedFile(12)), question)
    expect(answer).toMatchObject({
      prices: ['r.10', 'r.05'],
      requests: 13,
      hasTimes: true,
      isCalibrated: false,
      overhead: 20_000,
    })
    expect(answer.rows.map(({ policies, price }) => [policies, price])).toEqual([
      ['raw', 'r.10'],
      ['raw', 'r.05'],
      ['spec-immediate', 'r.10'],
      ['spec-immediate', 'r.05'],
      ['economy', 'r.10'],
      ['economy', 'r.05'],
    ])
    for (const { prompts, peak, bill, effective, parts } of answer.rows) {
      expect([prompts.length, Math.max(...prompts)]).toEqual([13, peak])
      const { recalls, ...paid } = parts
      expect(Object.values(paid).reduce((sum, part) => sum + part, 0)).toBeCloseTo(bill, 10)
      expect(bill + recalls).toBe(effective)
    }
    const [raw] = answer.rows
    // Prompts grow from request to request.
    expect(raw?.prompts).toEqual(raw?.prompts.toSorted((one, other) => one - other))
    expect(raw?.inView).toBe(1)
  })

  it('samples many requests evenly, including the first and the last', async () => {
    const { rows } = await whatIf(logOf(recordedFile(500)), { policies: ['raw'], prices: ['r.05'] })
    const [raw] = rows
    expect([raw?.prompts.length, raw?.prompts.at(-1)]).toEqual([400, raw?.peak])
  })

  it('compares the default sets if none are named', async () => {
    const { rows, prices } = await whatIf(logOf(recordedFile(3)), { policies: [], prices: [] })
    expect([rows.map(({ policies }) => policies), prices]).toEqual([['raw', 'spec', 'economy', 'gateway-economy'], ['session']])
  })

  it('rejects unknown names and lists the known ones', async () => {
    const log = logOf(recordedFile(3))
    const english = stringsFor('en')
    const refused = (given: typeof question) => whatIf(log, given).catch((error: unknown) => (error as WhatIfError).text(english))
    const { policies, prices } = whatIfChoices()
    const sentence = english.command.sentence(english.replay.unknownPolicySet('"economi"', policies.join(', ')))
    expect(await refused({ policies: ['economi'], prices: [] })).toBe(`${sentence} ${english.command.didYouMean('economy')}`)
    expect(await refused({ policies: [], prices: ['\u001b[31m'] })).toContain(
      english.replay.unknownPriceRow('"\\u001b[31m"', prices.join(', ')),
    )
  })

  it('reports why there is nothing to replay', async () => {
    const said = (locale: string) => (error: unknown) => [
      (error as WhatIfError).code,
      (error as WhatIfError).text(stringsFor(locale)),
    ]
    const silent = logOf(JSON.stringify({ messages: [{ role: 'user', content: 'hello' }] }))
    expect(await whatIf(silent, question).catch(said('en'))).toEqual([
      'nothing-to-replay',
      stringsFor('en').inspect.nothingToReplay,
    ])
    expect(await whatIf({ path: '/nonexistent/log.jsonl', number: 0 }, question).catch(said('zh'))).toEqual([
      'cannot-replay',
      stringsFor('zh').inspect.cannotReplay('not-found'),
    ])
  })

  it('reports its progress, and stops on abort', async () => {
    const stop = new AbortController()
    const shares: number[] = []
    const answer = whatIf(logOf(recordedFile(30)), question, {
      progress(share) {
        shares.push(share)
        stop.abort(new Error('enough'))
      },
      signal: stop.signal,
    })
    await expect(answer).rejects.toThrow('enough')
    expect(shares).toHaveLength(1)
    expect(shares[0]).toBeGreaterThan(0)
    expect(shares[0]).toBeLessThan(1)
  })
})

describe('createWhatIf', () => {
  it('answers the same question from memory until the file changes', async () => {
    const ask = createWhatIf()
    const log = logOf(recordedFile(3))
    const first = await ask(log, question)
    expect(await ask(log, { ...question, policies: question.policies.toReversed() })).toBe(first)
    writeFileSync(log.path, recordedFile(6))
    expect((await ask(log, question)).requests).toBe(7)
  })

  it('keeps a limited number of answers, and continues after a failure', async () => {
    const ask = createWhatIf(1)
    const log = logOf(recordedFile(3))
    const prices = (name: string) => ({ policies: ['raw'], prices: [name] })
    const first = await ask(log, prices('r.10'))
    await ask({ ...log, number: 7 }, prices('r.10')).catch(() => undefined)
    await ask(log, prices('r.05'))
    const again = await ask(log, prices('r.10'))
    expect([again === first, again]).toEqual([false, first])
  })
})

describe('whatIfChoices', () => {
  it('lists the names of plimsoll replay', () => {
    const { policies, prices } = whatIfChoices()
    expect({ policies, prices }).toEqual({
      policies: policySets.map(({ name }) => name),
      prices: ['session', ...priceRows.map(({ name }) => name)],
    })
  })
})

function logOf(content: string): { readonly path: string; readonly number: number } {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-what-if-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log.json')
  writeFileSync(path, content)
  return { path, number: 0 }
}
