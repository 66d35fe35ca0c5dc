import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { checkLanguage } from './check-language.ts'
import { everyScreen } from './every-screen.ts'
import { findProblems, findTooWide } from './find-problems.ts'
import { openWindow } from './open-browser.ts'
import { openApp, startApp } from './start-app.ts'
import { files, settings, task } from './trimmed-session.ts'

const height = 800

describe.runIf(isBuilt)('every screen', () => {
  const shared = shareInFile(everyScreen)

  // Axe takes most of the time; two runs see each theme, language and width. Each screen must fit both widths.
  it.each([
    { colorScheme: 'light', locale: 'en-US', language: 'en', width: 1280, otherWidth: 360 },
    { colorScheme: 'dark', locale: 'zh-CN', language: 'zh', width: 360, otherWidth: 1280 },
  ] as const)(
    'is accessible and fits, in one language: $colorScheme, $locale, $width pixels and $otherWidth',
    async ({ colorScheme, locale, language, width, otherWidth }) => {
      const { app, screens } = shared()
      const { page } = await openApp(app, { colorScheme, locale, viewport: { width, height }, reducedMotion: 'reduce' })
      const texts = checkLanguage(language)
      const found: string[] = []
      for (const { name, show } of screens) {
        await show(page, stringsFor(locale))
        for (const problem of [...(await findProblems(page)), ...(await texts.find(page))]) found.push(`${name}: ${problem}`)
        // With reduced motion nothing moves, not even too briefly to be seen.
        if ((await page.evaluate('document.getAnimations().length')) !== 0) found.push(`${name}: something moves`)
        await page.setViewportSize({ width: otherWidth, height })
        for (const problem of await findTooWide(page)) found.push(`${name}, ${otherWidth} pixels: ${problem}`)
        await page.setViewportSize({ width, height })
      }
      expect(found).toEqual([])
      expect(screens.length).toBeGreaterThan(25)
      // The screens do contain strings of their own language.
      expect(texts.seen()).toBeGreaterThan(150)
      expect(await page.locator('html').getAttribute('lang')).toBe(language === 'zh' ? 'zh-CN' : 'en')
    },
  )

  const exported = shareInFile(async () => {
    const workplace = createWorkplace({ ...files, 'plimsoll.yaml': settings })
    await workplace.task(task, '--model', 'offline', '--mode', 'auto')
    expect((await workplace.run('inspect', 'last', '--html', 'out.html')).code).toBe(0)
    return pathToFileURL(join(workplace.folder, 'out.html')).href
  })

  it.each([
    ['light', 1280],
    ['dark', 360],
  ] as const)('is accessible in the page of one session: %s, %d pixels', async (colorScheme, width) => {
    const { context } = await openWindow({ colorScheme, viewport: { width, height }, reducedMotion: 'reduce' })
    const page = await context.newPage()
    await page.goto(exported())
    const found: string[] = []
    for (const name of Object.values(stringsFor('en').inspector.tabs)) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByRole('tabpanel', { name, exact: true }).waitFor()
      for (const trouble of await findProblems(page)) found.push(`${name}: ${trouble}`)
    }
    expect(found).toEqual([])
  })

  it('is accessible without an access token', async () => {
    const app = await startApp(createWorkplace(files), '--model', 'offline')
    const { context } = await openWindow({ viewport: { width: 360, height } })
    const page = await context.newPage()
    await page.goto(app.origin)
    await page.getByRole('heading', { name: stringsFor('en').shell.noTokenTitle }).waitFor()
    expect(await findProblems(page)).toEqual([])
  })
})
