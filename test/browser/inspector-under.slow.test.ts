import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { replay } from '../../packages/node/src/strings/english/replay.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { findProblems } from './find-problems.ts'
import { openWindow } from './open-browser.ts'
import { openApp, startApp } from './start-app.ts'
import { matching, openTab, some, trimmedSession } from './trimmed-session.ts'

const { diff, fill, inspector, ledger, shell, timeline } = stringsFor('en')
const { tabs, under } = inspector
const place = { 'notes.txt': 'nothing yet\n' }
const example = new URL('../../packages/node/example/conversation.json', import.meta.url)

describe.runIf(isBuilt)('a session under a policy set in the browser', () => {
  const shared = shareInFile(() => startApp(createWorkplace(place), '--model', 'offline'))

  it('is the first example: every edit with its original one click away, and nothing to restore', async () => {
    const { page, expectCalm } = await openApp(shared())
    await page.getByRole('link', { name: shell.example }).click()
    await simulated(page, 'economy')
    expect(await shownChoice(page).inputValue()).toBe('economy')
    await openTab(page, tabs.ledger)
    await page.getByText(/^(\d+) of \1 edits$/).waitFor()
    await page
      .getByRole('button', { name: ledger.open('cut-long-output', '').trim() })
      .first()
      .click()
    await page.getByText(ledger.detail.isSimulated).waitFor()
    for (const name of [ledger.detail.restore, ledger.detail.pin])
      expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
    await openTab(page, tabs.timeline)
    await page.getByText(matching(timeline.detail.simulated(timeline.detail.reported(some, some, some, some)))).waitFor()
    await openTab(page, tabs.diff)
    await page.getByRole('heading', { name: diff.titleSimulated }).waitFor()
    expectCalm()
  })

  it('is chosen in the header with the keyboard, kept in the address, and left again', async () => {
    const { page, expectCalm } = await openApp(shared(), {}, '/inspect/example/ledger')
    await page.getByText(matching(ledger.foreign(some))).waitFor()
    await page.getByRole('button', { name: ledger.showUnder('economy') }).click()
    await simulated(page, 'economy')
    await shownChoice(page).focus()
    await page.keyboard.press('ArrowUp')
    await simulated(page, 'spec')
    expect(await page.evaluate('document.activeElement?.value')).toBe('spec')
    expect(new URL(page.url()).hash).toBe('#/inspect/example@spec/ledger')
    await page.reload()
    await simulated(page, 'spec')
    await page.getByRole('heading', { name: ledger.title, exact: true }).waitFor()
    await page.goBack()
    await simulated(page, 'economy')
    await page.getByRole('button', { name: under.back }).click()
    await page.getByText(matching(ledger.foreign(some))).waitFor()
    await expect.poll(() => page.getByText(under.simulated('economy')).count()).toBe(0)
    expectCalm()
  })

  it('is rejected if the set is unknown, with a way back', async () => {
    const { page, expectCalm } = await openApp(shared(), {}, '/inspect/example@nonsense/overview')
    await page.getByText(replay.unknownPolicySet('"nonsense"', '')).waitFor()
    await page.getByRole('button', { name: under.back }).click()
    await page.getByRole('region', { name: fill.title }).waitFor()
    expectCalm(/400/)
  })

  it('does not change a Plimsoll session, which can still be continued', async () => {
    const session = await trimmedSession()
    const { edits } = await session.inspection()
    const { page, expectCalm } = await session.open('ledger')
    await shownChoice(page).selectOption('rolling-mask-10')
    await simulated(page, 'rolling-mask-10')
    await page.getByRole('link', { name: inspector.openChat }).waitFor()
    await shownChoice(page).selectOption('')
    await page.getByText(ledger.count(`${edits.length}`, `${edits.length}`)).waitFor()
    expect((await session.inspection()).edits).toEqual(edits)
    expectCalm()
  })

  it.each([
    ['light', 1280, 'en-US'],
    ['dark', 360, 'zh-CN'],
  ] as const)('is accessible and fits: %s, %i, %s', async (colorScheme, width, locale) => {
    const { page, expectCalm } = await openApp(
      shared(),
      { colorScheme, viewport: { width, height: 800 }, locale },
      '/inspect/example@economy/ledger',
    )
    await page.locator('.under-banner').waitFor()
    expect(await findProblems(page)).toEqual([])
    expectCalm()
  })

  it('can be exported as a page that needs no server', async () => {
    const workplace = createWorkplace(place)
    copyFileSync(example, join(workplace.folder, 'log.json'))
    const written = await workplace.run('inspect', 'log.json', '--under', 'economy', '--html', 'out.html', '--policies', 'none')
    expect([written.code, written.stdout]).toEqual([0, ''])
    const { context, strangers } = await openWindow()
    const page = await context.newPage()
    await page.goto(pathToFileURL(join(workplace.folder, 'out.html')).href)
    await simulated(page, 'economy')
    expect(await page.getByLabel(under.label, { exact: true }).count()).toBe(0)
    await openTab(page, tabs.ledger)
    await page
      .getByRole('button', { name: ledger.open('cut-long-output', '').trim() })
      .first()
      .click()
    await page.getByText(ledger.detail.isSimulated).waitFor()
    expect(strangers).toEqual([])
  })
})

async function simulated(page: Page, policies: string): Promise<void> {
  await page.getByText(under.simulated(policies)).waitFor()
}

function shownChoice(page: Page): Locator {
  return page.getByLabel(under.label, { exact: true })
}
