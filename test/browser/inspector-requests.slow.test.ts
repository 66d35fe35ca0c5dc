import { readdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'

const file = (name: string) =>
  Array.from({ length: 400 }, (_, index) => `line ${index} of ${name}, long enough to be worth something`).join('\n')

/** A session in which the first of two reads of a file is trimmed. */
async function openSession(tab: string): Promise<{ readonly page: Page; readonly expectCalm: () => void }> {
  const workplace = createWorkplace({ 'a.txt': file('a'), 'plimsoll.yaml': 'repeated_reads: { keep_latest: 1 }\n' })
  await workplace.task('read a.txt; read a.txt; run echo done', '--model', 'offline', '--mode', 'auto')
  const [session = ''] = readdirSync(workplace.sessions)
  const app = await startApp(workplace, '--model', 'offline')
  return openApp(app, {}, `/inspect/${session}/${tab}`)
}

describe.runIf(isBuilt)('requests and edits in the inspector', () => {
  it('are walked through by keyboard: the request whose cache broke, what it says of it, and the comparison with the one before', async () => {
    const { page, expectCalm } = await openSession('timeline')
    const cursor = page.getByRole('slider', { name: 'Chosen request' })
    await cursor.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => cursor.getAttribute('aria-valuenow')).toBe('1')
    const broken = page.getByText(
      /First changed: message \d+ \(result of Read: a\.txt\) by trim-repeated-reads; [\d,]+ tokens were paid for again\./,
    )
    for (const request of [2, 3]) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: `Request ${request} of 3` }).waitFor()
    }
    await broken.waitFor()
    const compare = page.getByRole('button', { name: 'Compare with the one before' })
    await compare.focus()
    await page.keyboard.press('Enter')
    await page.getByText('1 changed').waitFor()
    await page.getByText(/The cache holds up to here: about [\d,]+ tokens/).waitFor()
    await expect.poll(() => page.getByText('proven byte for byte', { exact: true }).count()).toBe(2)
    expectCalm()
  })

  it('an edit shows its original and is restored from the ledger', async () => {
    const { page, expectCalm } = await openSession('ledger')
    await page
      .getByRole('button', { name: /^Original and replacement: trim-repeated-reads/ })
      .first()
      .click()
    await page.getByRole('cell', { name: /line 7 of a, long enough to be worth something/ }).waitFor()
    await page.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByText('This edit is no longer in force: the original is shown.').waitFor()
    await page.getByRole('row', { name: /withdrawn/ }).waitFor()
    expectCalm()
  })

  it('what-if compares policies side by side and says that it is simulated', async () => {
    const { page, expectCalm } = await openSession('what-if')
    await page.getByText(/These numbers are simulated, over \d+ requests/).waitFor()
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.count()).toBe(6)
    await page.getByRole('checkbox', { name: /^spec-immediate/ }).check()
    await page.getByRole('combobox', { name: 'Add a price …' }).selectOption('r.05')
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('heading', { name: /^At r\.05/ }).waitFor()
    await expect.poll(() => rows.count()).toBe(14)
    expectCalm()
  })
})
