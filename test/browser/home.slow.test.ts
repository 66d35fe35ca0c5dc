import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'

const { shell, spending } = stringsFor('en')

/** A session of Claude Code with one request of just now. */
function claudeLog(): string {
  const common = {
    sessionId: '0442a060-edc3-4307-bddb-11a2951fd1a1',
    timestamp: new Date().toISOString(),
    cwd: '/tides',
    version: '2.0.0',
  }
  const usage = { input_tokens: 1_000_000, output_tokens: 1_000_000, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }
  const answer = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content: [{ type: 'text', text: 'At six.' }],
    usage,
  }
  return [
    { ...common, type: 'user', uuid: 'u1', parentUuid: null, message: { role: 'user', content: 'When is high water?' } },
    { ...common, type: 'assistant', uuid: 'a1', parentUuid: 'u1', requestId: 'req_1', message: answer },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('')
}

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

  it('shows the user’s own session instead of the example once there is one, and what all agents spent', async () => {
    const files = {
      'tides.txt': 'high water at six\n',
      '../.claude/projects/tides/0442a060-edc3-4307-bddb-11a2951fd1a1.jsonl': claudeLog(),
      '../config/plimsoll/config.yaml': 'budget: { day: 10, week: 1000 }\n',
    }
    const app = await startApp(createWorkplace(files), '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    const spent = page.getByRole('region', { name: spending.title })
    await spent.getByText(spending.over(spending.today, '$10.00')).waitFor()
    // A million input tokens of Opus 5.5 cost $4, a million output tokens $20.
    expect(await spent.locator('dd').first().innerText()).toContain('$24.00')
    await spent.getByText(spending.ofBudget('$1,000', '2.4%')).waitFor()
    const sessions = page.getByRole('region', { name: spending.sessions })
    await sessions.getByText('When is high water?').waitFor()
    await sessions.getByText('Claude Code · claude-opus-5-5 · /tides').waitFor()
    // The example is for users without logs.
    expect(await page.getByRole('heading', { name: shell.latestExample }).count()).toBe(0)
    await sessions.getByRole('button').click()
    await page.getByRole('heading', { name: 'When is high water?' }).waitFor()
    await page.evaluate("location.hash = '/logs'")
    await page.locator('.log-table-cost', { hasText: '$24.00' }).waitFor()
    await page.evaluate("location.hash = '/'")
    await page.getByRole('textbox', { name: shell.ask }).fill('read tides.txt')
    await page.getByRole('button', { name: shell.begin }).click()
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    await page.evaluate("location.hash = '/'")
    await page.getByText(shell.latestSession('read tides.txt')).waitFor()
    expect(await page.locator('.home-savings').count()).toBe(0)
    expectCalm()
  })
})
