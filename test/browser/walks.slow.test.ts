import { appendFileSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt, type Workplace } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'
import { say } from './use-chat.ts'

const logs = 28

/** Sessions of Claude Code, a minute apart, each with its own word and a higher cost. */
function writeLogs({ folder }: Workplace): readonly string[] {
  return Array.from({ length: logs }, (_, number) => {
    const path = join(folder, `../.claude/projects/tides/00000000-0000-4000-8000-0000000000${String(number + 10)}.jsonl`)
    const at = Date.now() - (logs - number) * 60_000 - 300_000
    const common = { sessionId: `s${number}`, timestamp: new Date(at).toISOString(), cwd: '/tides', version: '2.0.0' }
    const usage = {
      input_tokens: 10_000 * (number + 1),
      output_tokens: 100,
      cache_read_input_tokens: 0,
      cache_creation_input_tokens: 0,
    }
    const content = [{ type: 'text', text: `The lighthouse of harbour${number} is lit.` }]
    const answer = { id: `msg_${number}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5', content, usage }
    const lines = [
      {
        ...common,
        type: 'user',
        uuid: 'u',
        parentUuid: null,
        message: { role: 'user', content: `Which lights are on? ${number}` },
      },
      { ...common, type: 'assistant', uuid: 'a', parentUuid: 'u', requestId: `r${number}`, message: answer },
    ]
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
    utimesSync(path, at / 1000, at / 1000)
    return path
  })
}

/** Whether nothing on the page has to be scrolled sideways. */
const isNarrow = (page: Page) => page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth')

/** Runs in the page: how far its content has moved so far. */
const layoutShift = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) sum += entry.value
  }).observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(sum), 50)
})`

describe.runIf(isBuilt)('a walk through the app', () => {
  it.each(['en', 'zh-CN'])('with 28 logs, an agent that is running, a phone and a killed server, in %s', async (locale) => {
    const { shell, spending, sessions, conversation, inspector } = stringsFor(locale)
    const { logScreen } = sessions
    const workplace = createWorkplace({ 'tides.txt': 'high water at six\n' })
    const paths = writeLogs(workplace)
    const app = await startApp(workplace, '--model', 'offline', '--mode', 'auto')
    const { page, expectCalm } = await openApp(app, { locale })

    // A new user: what was spent, on which sessions, and no example.
    await page.getByRole('region', { name: spending.title }).waitFor()
    const dearest = page.getByRole('region', { name: spending.sessions }).getByRole('button')
    expect(await dearest.first().innerText()).toContain('Which lights are on? 27')
    expect(await page.getByRole('heading', { name: shell.latestExample }).count()).toBe(0)
    // What comes later moved nothing that was there.
    await page.locator('.home-cards').waitFor()
    expect(await page.evaluate(layoutShift)).toBeLessThan(0.02)
    await page.getByRole('link', { name: sessions.logs, exact: true }).click()
    await page.getByText(logScreen.found(String(logs)), { exact: true }).waitFor()
    const rows = page.locator('.log-table-log')
    await rows.filter({ hasText: 'Which lights are on? 27' }).waitFor()
    await page.getByRole('searchbox', { name: logScreen.search }).fill('LIGHTHOUSE harbour13')
    await page.getByText(logScreen.found('1'), { exact: true }).waitFor()
    const hit = page.locator('.log-table-hit', { hasText: 'The lighthouse of harbour13 is lit.' })
    await hit.waitFor()
    expect(await hit.locator('mark').allInnerTexts()).toEqual(['lighthouse', 'harbour13'])

    // An agent that is running: its log comes first, and says so.
    await page.getByRole('searchbox', { name: logScreen.search }).fill('')
    const again = { type: 'user', uuid: 'v', parentUuid: 'a', sessionId: 's3', timestamp: new Date().toISOString() }
    appendFileSync(paths[3] ?? '', `${JSON.stringify({ ...again, message: { role: 'user', content: 'And the buoys?' } })}\n`)
    await page.locator('.log-table-live', { hasText: logScreen.live }).waitFor()

    // A phone.
    await page.setViewportSize({ width: 390, height: 844 })
    for (const place of ['/logs', '/']) {
      await page.evaluate(`location.hash = ${JSON.stringify(place)}`)
      await page
        .locator(place === '/' ? '.home-spending' : '.log-table-log')
        .first()
        .waitFor()
      expect(await isNarrow(page)).toBe(true)
      if (place === '/') continue
      // The title is above the rest.
      const tops = ['.log-table-name', '.log-table-folder', '.log-table-facts'].map(async (part) => {
        const box = await page.locator(part).first().boundingBox()
        return box?.y ?? 0
      })
      const [name = 0, ...rest] = await Promise.all(tops)
      for (const top of rest) expect(top).toBeGreaterThan(name)
    }
    // A session there: what fills its window, over time, and its messages.
    await dearest.first().click()
    for (const [tab, shown] of [
      ['overview', '.load-line svg'],
      ['timeline', '.timeline-detail'],
      ['ledger', '.ledger-empty'],
      ['messages', '.message-list'],
      ['diff', '.inspector-panel p'],
      ['what-if', '.what-if-table'],
    ] as const) {
      const button = page.getByRole('tab', { name: inspector.tabs[tab], exact: true })
      await button.waitFor()
      // Without scrolling to it.
      const { x = 0, width = 0 } = (await button.boundingBox()) ?? {}
      expect([x >= 0, x + width <= 390], tab).toEqual([true, true])
      await button.click()
      await page.locator(shown).first().waitFor()
      expect(await isNarrow(page), tab).toBe(true)
    }
    // As if another set of policies had been active, and back.
    const choice = page.getByLabel(inspector.under.label, { exact: true })
    await choice.selectOption('economy')
    await page.locator('.two-sides').waitFor()
    expect(await isNarrow(page)).toBe(true)
    await page.getByRole('button', { name: inspector.under.back, exact: true }).click()
    await page.locator('.two-sides').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: shell.menu, exact: true }).click()
    await page.getByRole('link', { name: shell.title, exact: true }).click()

    // A killed server, seen on the phone.
    await page.getByRole('textbox', { name: shell.ask }).fill('read tides.txt')
    await page.getByRole('button', { name: shell.begin }).click()
    await page.locator('.block-turn').waitFor()
    await say(page, 'run `echo at sea; while [ -e tides.txt ]; do sleep 0.1; done`')
    await page.locator('.tool-card-output').getByText('at sea').waitFor()
    expect(await isNarrow(page)).toBe(true)
    process.kill(app.process.pid, 'SIGKILL')
    await page.getByText(shell.connectionLost).waitFor()
    await startApp(workplace, '--model', 'offline', '--mode', 'auto', '--port', new URL(app.origin).port)
    await page.getByText(conversation.interrupted).waitFor()
    await page.getByRole('button', { name: conversation.goOn, exact: true }).waitFor()
    expect(await page.locator('.notice').count()).toBe(1)
    expectCalm(/ERR_|Failed to load resource/)
  })
})
