import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'

describe.runIf(isBuilt)('the language of the web app', () => {
  it('can be chosen on the page, and the choice survives a reload', async () => {
    // No model is configured, so the first screen shows the offline notice.
    const app = await startApp(createWorkplace({ 'notes.txt': 'nothing\n' }))
    const { page, expectCalm } = await openApp(app)
    const [english, chinese] = [stringsFor('en').shell, stringsFor('zh').shell]
    await page.getByRole('heading', { name: english.welcome }).waitFor()
    await page.getByText(stringsFor('en').turn.offline).waitFor()
    await page.getByLabel(english.language).selectOption('zh')
    await page.getByRole('heading', { name: chinese.welcome }).waitFor()
    await page.getByText(stringsFor('zh').turn.offline).waitFor()
    expect(await page.getByText(stringsFor('en').turn.offline).count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: chinese.welcome }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.getByLabel(chinese.language).selectOption('en')
    await page.getByRole('heading', { name: english.welcome }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expectCalm()
  })
})
