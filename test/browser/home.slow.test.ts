import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'

const { shell } = stringsFor('en')

describe.runIf(isBuilt)('the first screen without a key or a log', () => {
  it('shows what fills the example’s window and what trimming saves, and links to every edit', async () => {
    const app = await startApp(createWorkplace({ 'notes.txt': 'nothing yet\n' }), '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    await page.getByText('of 200,000 tokens').first().waitFor()
    const savings = page.locator('.home-savings')
    await savings.waitFor()
    const [untrimmed, trimmed] = (await savings.locator('dd').allInnerTexts()).map((text) => Number(text.replace('$', '')))
    const share = Math.round((1 - (trimmed ?? 0) / (untrimmed ?? 0)) * 100)
    expect({ untrimmed: (untrimmed ?? 0) > 1, share: share > 50 && share < 100 }).toEqual({ untrimmed: true, share: true })
    await page.getByRole('link', { name: shell.exampleTrimmed }).click()
    await page.locator('.ledger-list .ledger-rule').first().waitFor()
    expect(page.url()).toContain('#/inspect/example@economy/ledger')
    expectCalm()
  })

  it('shows the user’s own session instead of the example once there is one', async () => {
    const app = await startApp(createWorkplace({ 'tides.txt': 'high water at six\n' }), '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    await page.getByRole('textbox', { name: shell.ask }).fill('read tides.txt')
    await page.getByRole('button', { name: shell.begin }).click()
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    await page.evaluate("location.hash = '/'")
    await page.getByText(shell.latestSession('read tides.txt')).waitFor()
    expect(await page.locator('.home-savings').count()).toBe(0)
    expectCalm()
  })
})
