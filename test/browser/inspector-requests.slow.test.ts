import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Inspection } from '../../packages/node/src/shared/inspection/inspection.ts'
import { type InspectorTab, inspectRoute } from '../../packages/web/src/parts/routes.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { askServer } from './ask-server.ts'
import { settled } from './settled.ts'
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

/** Adds up how far content moves that nobody moved, as browsers measure it. */
const watchShifts = `window.shifted = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
}).observe({ type: 'layout-shift' })`

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
    await page.keyboard.type('LINE 97 of a')
    // Both reads, and nothing else.
    await page
      .getByRole('status')
      .filter({ hasText: find.found('2') })
      .waitFor()
    await expect.poll(() => page.locator('.timeline-chart .lucide-search').count()).toBeGreaterThan(0)
    await page.getByRole('list', { name: timeline.legend }).getByText(timeline.marks.hits).waitFor()
    await page.keyboard.press('Enter')
    const mark = page.locator('.message-detail mark').first()
    await mark.waitFor()
    expect(await mark.textContent()).toBe('line 97 of a')
    // It is far down in the message, which is scrolled to it.
    await expect.poll(async () => ((await mark.boundingBox())?.y ?? 0) < 800).toBe(true)
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

  it('are compared with what was sent, not with what would have been sent without trimming', async () => {
    const { app, session } = shared()
    const api = askServer(app)
    const recorded = await api.json<Inspection>(`/inspect/${session}/inspection`)
    const simulated = await api.json<Inspection>(`/inspect/${session}/inspection?under=economy`)
    expect(recorded.edits.length).toBeGreaterThan(0)
    expect(simulated.recorded?.fill).toEqual(recorded.fill)
    // What no policy changes is equal.
    for (const category of ['system', 'tools', 'user', 'calls'] as const)
      expect([category, simulated.fill.categories[category]]).toEqual([category, recorded.fill.categories[category]])
    expect(simulated.recorded?.cost.dollars).toBeCloseTo(recorded.session.cost.dollars, 6)
  })

  it('appear on a phone without anything moving: the hull, the findings and the table have their place at once', async () => {
    const { app, session } = shared()
    const { page, expectCalm } = await openApp(app, { viewport: { width: 390, height: 800 }, locale: 'zh-CN' }, '/logs')
    await page.evaluate(watchShifts)
    await page.evaluate(`location.hash = ${JSON.stringify(inspectRoute(session))}`)
    await page.locator('.load-line-table').waitFor()
    await page.locator('.treemap-tiles button').first().waitFor()
    await settled(page)
    expect(await page.evaluate<number>('window.shifted')).toBeLessThan(0.02)
    // The hull fits, and what is written on it is not cut off.
    const cut = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('.load-line-tag')]
      .filter((tag) => tag.getBoundingClientRect().right > innerWidth || tag.scrollWidth > tag.clientWidth + 1)
      .map((tag) => tag.textContent)`)
    expect(cut).toEqual([])
    expectCalm()
  })

  it('are saved as a redacted page with the same content, which opens from a file and has no links', async () => {
    const { page, expectCalm } = await openTab(shared(), 'overview')
    await page.locator('.load-line-table').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: inspector.savePage }).click(),
    ])
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-page-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const path = join(folder, download.suggestedFilename())
    await download.saveAs(path)
    const saved = await page.context().newPage()
    await saved.goto(pathToFileURL(path).href)
    const asked: string[] = []
    saved.on('request', (request) => asked.push(request.url()))
    // There is no list of sessions next to it.
    const widths = await Promise.all(
      [page, saved].map((one) => one.evaluate<number>("document.querySelector('.inspector-panel').clientWidth")),
    )
    await saved.setViewportSize({ width: 1280 + (widths[0] ?? 0) - (widths[1] ?? 0), height: 800 })
    for (const tab of ['overview', 'timeline', 'ledger'] as const) {
      const texts = await Promise.all(
        [page, saved].map(async (one) => {
          await one.getByRole('tab', { name: inspector.tabs[tab], exact: true }).click()
          await settled(one)
          return one.getByRole('tabpanel').innerText()
        }),
      )
      expect([tab, texts[1]]).toEqual([tab, texts[0]])
    }
    expect([await saved.locator('a[href]').count(), asked]).toEqual([0, []])
    // On paper there is the content alone.
    await saved.emulateMedia({ media: 'print' })
    expect(await saved.locator('.session-search').isVisible()).toBe(false)
    expect(await saved.locator('.ledger-sums').isVisible()).toBe(true)
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
