import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { estimator } from '@plimsoll/core/text'
import { expect, it, onTestFinished } from 'vitest'
import { priceRows } from './bill/price-rows.ts'
import { ownCaseOf } from './own-case.ts'
import type { PolicySet } from './policy-sets.ts'
import { countedOnce, runJob } from './replay-job.ts'
import { recordedFile } from './testing/recorded-file.ts'

it('counts each text once, like the given tokenizer', () => {
  const asked: string[] = []
  const tokens = countedOnce({ name: 'letters', count: (text) => asked.push(text) && text.length })
  expect(['one', 'three', 'one', '', ''].map(tokens.count)).toEqual([3, 5, 3, 0, 0])
  expect([tokens.name, asked]).toEqual(['letters', ['one', 'three', '']])
})

it('detects a set that shows other bytes in a second run', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'plimsoll-job-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'log.json')
  writeFileSync(path, recordedFile(4))
  let runs = 0
  const setOf = (name: string, isFickle: boolean): PolicySet => ({
    name,
    policies: [],
    timing: 'immediate',
    dependsOnPrices: false,
    transform: () => {
      runs += isFickle ? 1 : 0
      const text = 'cut '.repeat(runs * 10)
      return (messages) =>
        messages.map((message) =>
          message.role === 'tool'
            ? {
                ...message,
                parts: message.parts.map((part) =>
                  part.type === 'tool-result' ? { ...part, content: { type: 'text', text } as const } : part,
                ),
              }
            : message,
        )
    },
  })
  const job = { path, sessions: [{ number: 0, name: 'one', requests: 4, at: 0 }] }
  const sets = [setOf('steady', false), setOf('fickle', true)]
  const context = { asked: { sets, rows: priceRows.slice(0, 1) }, tokens: estimator, common: new Set<string>() }
  const broken: unknown[] = []
  for await (const { runs = [] } of runJob(job, context))
    for (const { brokenGates } of runs) broken.push(brokenGates?.includes('same-bytes') === true)
  expect(broken).toEqual([false, true])
})

it('bills a session at the price of its day, and at the user’s own price before that', () => {
  const inputOn = (day: string, prices = {}) => ownCaseOf('codex', 'gemini-4-argon', { day, prices }).row?.input
  expect([inputOn('2026-11-20'), inputOn('2026-12-20')]).toEqual([2, 4])
  expect(inputOn('2026-12-20', { 'gemini-*': { input: 7, output: 8 } })).toBe(7)
  expect(ownCaseOf('codex', 'nobody-knows-1')).toMatchObject({ isPriced: false, price: 'r.10', row: { name: 'r.10' } })
})
