import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type InspectorTab, inspectRoute } from '../../packages/web/src/parts/routes.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { type OpenApp, openApp, type StartedApp, startApp } from './start-app.ts'
import { matching, some } from './trimmed-session.ts'

const { diff, find, inspector, ledger, requests, timeline, whatIf } = stringsFor('en')

const file = (name: string) =>
  Array.from({ length: 400 }, (_, index) => `line ${index} of ${name}, long enough to be worth something`).join('\n')

/** A session in which the first of two reads of a file is trimmed. */
async function startSession(): Promise<{ readonly app: StartedApp; readonly session: string }> {
  const workplace = createWorkplace({ 'a.txt': file('a'), 'plimsoll.yaml': 'repeated_reads: { keep_latest: 1 }\n' })
  await workplace.task('read a.txt; read a.txt; run echo done', '--model', 'offline', '--mode', 'auto')
  const [session = ''] = readdirSync(workplace.sessions)
  return { app: await startApp(workplace, '--model', 'offline'), session }
}

function openTab({ app, session }: Awaited<ReturnType<typeof startSession>>, tab: InspectorTab): Promise<OpenApp> {
  return openApp(app, {}, inspectRoute(session, tab))
}

describe.runIf(isBuilt)('requests and edits in the inspector', () => {
  const shared = shareInFile(startSession)

  it('lead by keyboard from the request that broke the cache to the reason and the comparison with the previous request', async () => {
    const { page, expectCalm } = await openTab(shared(), 'timeline')
    const cursor = page.getByRole('slider', { name: timeline.cursor })
    await cursor.focus()
    await page.keyboard.press('Home')
    await expect.poll(() => cursor.getAttribute('aria-valuenow')).toBe('1')
    const changed = requests.message(some, requests.resultOf('Read: a.txt'))
    const broken = page.getByText(matching(timeline.detail.changedBy(changed, 'trim-repeated-reads', some)))
    for (const request of [2, 3]) {
      await page.keyboard.press('ArrowRight')
      await page.getByRole('heading', { name: timeline.detail.title(`${request}`, '3') }).waitFor()
    }
    await broken.waitFor()
    const compare = page.getByRole('button', { name: timeline.detail.compare })
    await compare.focus()
    await page.keyboard.press('Enter')
    await page.getByText(matching(diff.sum(some, '1', some, some))).waitFor()
    await page.getByText(matching(diff.endOfCache(some))).waitFor()
    await expect.poll(() => page.getByText(diff.proven, { exact: true }).count()).toBe(2)
    expectCalm()
  })

  it('are found by a search with the keyboard, marked in the timeline and in the message; the selection is in the address', async () => {
    const { page, expectCalm } = await openTab(shared(), 'timeline')
    await page.getByRole('slider', { name: timeline.cursor }).waitFor()
    await page.keyboard.press('f')
    await page.keyboard.type('LINE 7 of a')
    // Both reads, and nothing else.
    await page
      .getByRole('status')
      .filter({ hasText: find.found('2') })
      .waitFor()
    await expect.poll(() => page.locator('.timeline-chart .lucide-search').count()).toBeGreaterThan(0)
    await page.keyboard.press('Enter')
    await page.locator('.message-detail mark').first().waitFor()
    expect(await page.locator('.message-detail mark').first().textContent()).toBe('line 7 of a')
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBe(2)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('listbox').getByRole('option').count()).toBeGreaterThan(5)
    await page.getByRole('tab', { name: inspector.tabs.timeline }).click()
    const chart = page.getByRole('slider', { name: timeline.cursor })
    const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    await page.mouse.move(x + 70, y + 120)
    await page.locator('.timeline-tip').getByText(timeline.detail.title('1', '3')).waitFor()
    await page.mouse.down()
    await page.mouse.up()
    await page.getByRole('heading', { name: timeline.detail.title('1', '3') }).waitFor()
    expect(new URL(page.url()).hash).toMatch(/timeline\/0$/)
    expect(width).toBeGreaterThan(200)
    await page.reload()
    await page.getByRole('heading', { name: timeline.detail.title('1', '3') }).waitFor()
    expectCalm()
  })

  it('show the original of an edit and restore it', async () => {
    const { page, expectCalm } = await openTab(await startSession(), 'ledger')
    await page
      .getByRole('button', { name: ledger.open('trim-repeated-reads', '').trim() })
      .first()
      .click()
    await page.getByRole('cell', { name: /line 7 of a, long enough to be worth something/ }).waitFor()
    await page.getByRole('button', { name: ledger.detail.restore, exact: true }).click()
    await page.getByText(ledger.detail.isWithdrawn).waitFor()
    await page.getByRole('row', { name: ledger.states.withdrawn }).waitFor()
    expectCalm()
  })

  it('compare policies side by side, at the session’s own prices first', async () => {
    const { page, expectCalm } = await openTab(shared(), 'what-if')
    await page.getByText(matching(whatIf.compared(some, 'all'))).waitFor()
    await page.getByRole('heading', { name: whatIf.priceNames['session'] ?? '' }).waitFor()
    const rows = page.getByRole('table').getByRole('row')
    await expect.poll(() => rows.count()).toBe(3)
    await page.getByRole('checkbox', { name: /^spec-immediate/ }).check()
    await page.getByRole('combobox', { name: whatIf.addPrice }).selectOption('r.05')
    await page.getByRole('button', { name: whatIf.compare, exact: true }).click()
    await page.getByText(matching(whatIf.simulated(some, some))).waitFor()
    await page.getByRole('heading', { name: whatIf.priceNames['r.05'] ?? '' }).waitFor()
    await expect.poll(() => rows.count()).toBe(8)
    expectCalm()
  })
})
