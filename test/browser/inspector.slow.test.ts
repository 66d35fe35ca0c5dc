import { join } from 'node:path'
import { modelStringsIn } from '@plimsoll/core/text'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { claudeLines, linesOf } from '../../packages/node/src/logs/testing/recordings.ts'
import { recordedFile } from '../../packages/node/src/replay/testing/recorded-file.ts'
import type { WhatIf } from '../../packages/node/src/shared/inspection/embedded-inspection.ts'
import type { Inspection, SentRequest } from '../../packages/node/src/shared/inspection/inspection.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace } from '../workplace.ts'
import { sayTo } from './ask-server.ts'
import { openApp, startApp } from './start-app.ts'
import { matching, openTab, printed, some, trimmedSession } from './trimmed-session.ts'

const number = (value: number) => value.toLocaleString('en-US')
const strings = stringsFor('en')
const { inspector, ledger, loadLine, messageDetail, prices, sessions, shell, treemap, whatIf } = strings
const { tabs } = inspector

describe('the inspector in the browser', () => {
  const shared = shareInFile(trimmedSession)

  it('shows the load line with the numbers of the API, which add up to the window', async () => {
    const session = shared()
    const { page, expectCalm } = await session.open()
    const { fill } = await session.inspection()
    const table = page.getByRole('region', { name: strings.fill.title }).getByRole('table')
    const rows = await cells(table)
    const tokens = (name: string) => Number((rows.get(name)?.[0] ?? '').replaceAll(',', ''))
    const categories = ['system', 'tools', 'user', 'assistant', 'reasoning', 'calls', 'results'] as const
    expect(categories.map((category) => tokens(strings.fill.categories[category]))).toEqual(
      categories.map((category) => fill.categories[category]),
    )
    expect(fill.results.map(({ tool }) => [tool, tokens(tool)])).toEqual(
      fill.results.map(({ tool, tokens: many }) => [tool, many]),
    )
    const sums = [loadLine.total, loadLine.freeRow, loadLine.reserveRow]
    const [loaded, free, reserve] = sums.map(tokens)
    expect([loaded, reserve, tokens(loadLine.windowRow)]).toEqual([fill.tokens, fill.reserve, fill.window])
    expect((loaded ?? 0) + (free ?? 0) + (reserve ?? 0)).toBe(fill.window)
    const shares = sums.map((name) => Number.parseFloat(rows.get(name)?.[1] ?? ''))
    expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 0)
    await page.getByRole('heading', { name: `${number(fill.tokens)} of 200,000 tokens` }).waitFor()
    expect(fill.source).toBe('usage')
    await page.getByText(loadLine.counted).waitFor()
    expectCalm()
  })

  it('drills down from all messages to one, and back, with the keyboard alone', async () => {
    const session = shared()
    const { page, expectCalm } = await session.open()
    const map = page.getByRole('region', { name: treemap.title })
    await map.getByRole('button', { name: /^Tool results:/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => trail(map)).toEqual(['All', 'Tool results'])
    await expect.poll(() => focused(page)).toMatch(/^Read: /)
    await reach(page, /^Bash: /)
    await page.keyboard.press('Enter')
    await expect.poll(() => trail(map)).toEqual(['All', 'Tool results', 'Bash'])
    await page.keyboard.press('Escape')
    await expect.poll(() => trail(map)).toEqual(['All', 'Tool results'])
    await reach(page, /^Bash: /)
    await page.keyboard.press('Enter')
    await expect.poll(() => focused(page)).toMatch(/^Message \d+ · Bash: /)
    const chosen = Number(/\d+/.exec(await focused(page))?.[0])
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/messages\/\d+$/)
    await page.getByRole('heading', { name: `Message ${chosen}` }).waitFor()
    await page.getByText('item 1 of 60 is in balance').first().waitFor()
    await page.goBack()
    await map.waitFor()
    expectCalm()
  })

  it('shows for every edit exactly what the tool printed', async () => {
    const session = shared()
    const { page, expectCalm } = await session.open('ledger')
    await openEdit(page, 'trim-outdated-commands')
    await expect.poll(() => originalLines(page)).toEqual(expect.arrayContaining(printed.split('\n')))
    const lines = await originalLines(page)
    const { edits } = await session.inspection()
    const edit = edits.find(({ policy }) => policy === 'trim-outdated-commands')
    const { before } = await session.api.json<{ readonly before: string }>(`/inspect/${session.id}/edits/${edit?.id}`)
    expect(lines.join('\n')).toBe(before.replace(/\n$/, ''))
    expectCalm()
  })

  it('restores an original: the next request sends it in full, and it stays pinned', async () => {
    const session = await trimmedSession()
    const { page, expectCalm } = await session.open('ledger')
    const before = await session.inspection()
    const edit = before.edits.find(({ policy }) => policy === 'trim-outdated-commands')
    await openEdit(page, 'trim-outdated-commands')
    expect(await sentText(session, before, edit?.message)).not.toContain('item 30 of 60')
    await page.getByRole('button', { name: ledger.detail.restore, exact: true }).click()
    await page.getByText(ledger.detail.isPinned).waitFor()

    await session.api.command(session.id, 'turn', { text: 'list' })
    await expect.poll(async () => (await session.inspection()).requests.length).toBeGreaterThan(before.requests.length + 1)
    const after = await session.inspection()
    expect(await sentText(session, after, edit?.message)).toContain(printed)
    expect(after.session.pins).toEqual([edit?.message])

    // The page has followed the change.
    await fact(page, inspector.header.requests, String(after.requests.length))
    await openTab(page, tabs.diff)
    await page.getByLabel(strings.diff.first, { exact: true }).fill(String(before.requests.length))
    await page.locator('.diff-changed .diff-text-added', { hasText: 'item 30 of 60 is in balance' }).waitFor()
    expectCalm()
  })

  it('pins and unpins a message', async () => {
    const session = await trimmedSession()
    const { page, expectCalm } = await session.open('messages')
    await page.getByRole('listbox', { name: strings.messageList.list }).focus()
    await page.keyboard.press('Home')
    await page.getByRole('button', { name: messageDetail.pin, exact: true }).click()
    await page.getByRole('button', { name: messageDetail.unpin, exact: true }).waitFor()
    const { session: pinned, messages } = await session.inspection()
    expect(pinned.pins).toEqual([messages.ids[0]])
    await page.getByRole('option', { name: /pinned/ }).waitFor()
    await page.getByRole('button', { name: messageDetail.unpin, exact: true }).click()
    await page.getByRole('button', { name: messageDetail.pin, exact: true }).waitFor()
    expect((await session.inspection()).session.pins).toEqual([])
    expectCalm()
  })

  it('hides a result after it has said what that costs, and shows it again', async () => {
    const session = await trimmedSession()
    const { messages } = await session.inspection()
    const place = messages.categories.indexOf('results')
    const { page, expectCalm } = await session.open('messages')
    await page.getByRole('listbox', { name: strings.messageList.list }).focus()
    await page.keyboard.press('Home')
    expect(await page.getByRole('button', { name: messageDetail.hide, exact: true }).count()).toBe(0)
    for (let step = 0; step < place; step += 1) await page.keyboard.press('ArrowDown')
    await page.getByRole('button', { name: messageDetail.hide, exact: true }).click()
    await page.getByText(/^Removes [\d,]+ tokens from each request\./).waitFor()
    expect((await session.inspection()).session.hides).toBeUndefined()
    await page.getByRole('button', { name: messageDetail.hideNow, exact: true }).click()
    await page.getByRole('button', { name: messageDetail.unhide, exact: true }).waitFor()
    expect((await session.inspection()).session.hides).toEqual([messages.ids[place]])
    await page.getByRole('button', { name: messageDetail.unhide, exact: true }).click()
    await page.getByRole('button', { name: messageDetail.hide, exact: true }).waitFor()
    expect((await session.inspection()).session.hides).toBeUndefined()
    expectCalm()
  })

  it('compares two requests exactly as sent, and marks them as verified', async () => {
    const session = shared()
    const { requests } = await session.inspection()
    const { page, expectCalm } = await session.open('diff')
    const broken = requests.findIndex((request) => request.broken?.policy === 'trim-repeated-reads')
    await page.getByLabel(strings.diff.first, { exact: true }).fill(String(broken))
    await page.getByLabel(strings.diff.second, { exact: true }).fill(String(broken + 1))
    await expect.poll(() => page.getByText(strings.diff.proven, { exact: true }).count()).toBe(2)
    const [one, other] = await Promise.all([sent(session, requests[broken - 1]?.id), sent(session, requests[broken]?.id)])
    const same = one.messages.filter((message, place) => JSON.stringify(message) === JSON.stringify(other.messages[place])).length
    const changed = one.messages.length - same
    expect(changed).toBe(1)
    await page.getByText(strings.diff.sum(`${same}`, '1', '0', `${other.messages.length - one.messages.length}`)).waitFor()
    const step = page.locator('.diff-changed')
    expect(await step.locator('.diff-text-added').allTextContents()).toHaveLength(1)
    await step.getByRole('cell', { name: modelStringsIn('english').repeatedRead }).waitFor()
    await step.getByRole('cell', { name: /export const step1 = \(value\) => value \+ 1$/ }).waitFor()
    await page.getByText(matching(strings.diff.endOfCache(some))).waitFor()
    expectCalm()
  })

  it('shows the costs with other policies, with the numbers of `plimsoll replay`', async () => {
    const session = shared()
    const log = `${session.workplace.sessions}/${session.id}/log.jsonl`
    const { stdout } = await session.workplace.run('replay', log, '--json', '--policies', 'spec,economy', '--prices', 'r.10')
    const replayed = (JSON.parse(stdout) as Replayed).policySets.map(({ name, prices: [price] }) => [
      name,
      price?.bill,
      price?.effective,
    ])
    const { page, expectCalm } = await session.open('what-if')
    await page.getByRole('checkbox', { name: /^spec(?!-)/ }).check()
    await page.getByRole('combobox', { name: whatIf.addPrice }).selectOption('r.10')
    await page.getByRole('button', { name: whatIf.compare, exact: true }).click()
    const table = page.getByRole('group', { name: whatIf.priceNames['r.10'] ?? '' }).getByRole('table')
    // The earlier comparison stays until the new one has rows, which come set by set.
    await expect.poll(async () => new Set((await cells(table)).keys())).toEqual(new Set([whatIf.set, 'raw', 'spec', 'economy']))
    const rows = await cells(table)
    const dollars = (value: number | undefined) => `$${(value ?? 0).toFixed(4)}`
    expect(replayed.map(([name]) => [name, ...(rows.get(String(name)) ?? []).slice(0, 2)])).toEqual(
      replayed.map(([name, bill, effective]) => [name, dollars(bill as number), dollars(effective as number)]),
    )
    const answer = await session.api.json<WhatIf>(`/inspect/${session.id}/what-if`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ policies: ['spec', 'economy'], prices: ['r.10'] }),
    })
    expect(answer.rows.map(({ policies }) => [policies, rows.get(policies)?.[3]])).toEqual(
      answer.rows.map(({ policies, peak }) => [policies, number(peak)]),
    )
    expectCalm()
  })

  it('opens the log of another agent from disk, names its format, and bills it at prices that are typed', async () => {
    const workplace = createWorkplace({ 'shop.jsonl': linesOf(claudeLines) })
    const app = await startApp(workplace, '--model', 'offline')
    const { page, expectCalm } = await openApp(app, {}, '/logs')
    await page.getByText(sessions.logScreen.empty).waitFor()
    await page.locator('input[type=file]').setInputFiles(join(workplace.folder, 'shop.jsonl'))
    await page.getByText(inspector.header.logOf('Claude Code')).waitFor()
    const form = page.getByRole('form', { name: prices.of('claude-x') })
    await form.getByLabel(prices.parts.input, { exact: true }).fill('1000')
    await form.getByLabel(prices.parts.output).fill('0')
    await page.keyboard.press('Enter')
    await page.getByText('prices:\n  "claude-x": { input: 1000, output: 0 }').waitFor()
    await page.reload()
    await page.getByText(prices.typed).waitFor()
    expect(await page.locator('.inspector-facts').innerText()).toMatch(/\$\d/)
    await openTab(page, tabs.messages)
    await page.getByRole('option', { name: /The basket shows the wrong total/ }).click()
    // A foreign log is read-only.
    await page.getByRole('region', { name: messageDetail.title('1') }).waitFor()
    expect(await page.getByRole('button', { name: messageDetail.pin, exact: true }).count()).toBe(0)
    await openTab(page, tabs.ledger)
    await page.getByText(ledger.foreign('Claude Code')).waitFor()
    expectCalm()
  })

  it('shows how far a long comparison and a simulation are, and cancels both', async () => {
    const workplace = createWorkplace({ 'long.json': recordedFile(1500) })
    const app = await startApp(workplace, '--model', 'offline')
    const { page, expectCalm } = await openApp(app, {}, '/logs')
    await page.locator('input[type=file]').setInputFiles(join(workplace.folder, 'long.json'))
    await openTab(page, tabs['what-if'])
    const progress = page.getByRole('progressbar')
    const share = async () => Number(await progress.getAttribute('value'))
    const isMoving = async () => {
      await expect.poll(async () => (await share()) > 0 && (await share()) < 1).toBe(true)
    }
    await page.getByRole('button', { name: whatIf.compare, exact: true }).click()
    await isMoving()
    await page.getByRole('button', { name: whatIf.cancel, exact: true }).click()
    await page.getByText(whatIf.cancelled).waitFor()
    await page.getByRole('combobox', { name: inspector.under.label }).selectOption('spec')
    await isMoving()
    await page.getByRole('button', { name: whatIf.cancel, exact: true }).click()
    await expect.poll(() => progress.count()).toBe(0)
    await expect.poll(() => page.getByRole('combobox', { name: inspector.under.label }).inputValue()).toBe('')
    expectCalm()
  })

  it('shows an example before the first chat', async () => {
    const app = await startApp(createWorkplace({ 'notes.txt': 'nothing yet\n' }), '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    await page.getByRole('heading', { name: shell.latestExample }).waitFor()
    await page.getByRole('link', { name: shell.example }).click()
    for (const name of Object.values(tabs)) await openTab(page, name)
    await page.getByText(matching(whatIf.estimated(some, some))).waitFor()
    expectCalm()
  })

  it('follows a session that continues', async () => {
    const session = await trimmedSession()
    const { requests } = await session.inspection()
    const { page, expectCalm } = await session.open('timeline')
    await page.getByRole('heading', { name: `Request ${requests.length} of ${requests.length}` }).waitFor()
    await sayTo(session.api, session.id, 'list')
    await page.getByRole('heading', { name: `of ${requests.length + 2}` }).waitFor()
    await fact(page, inspector.header.requests, String(requests.length + 2))
    expectCalm()
  })
})

interface Replayed {
  readonly policySets: readonly {
    readonly name: string
    readonly prices: readonly { readonly bill: number; readonly effective: number }[]
  }[]
}

type Trimmed = Awaited<ReturnType<typeof trimmedSession>>

/** The rows of a table by their first cell, without advice and icons. */
async function cells(table: Locator): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await table.locator('tr').all()
  const read = rows.map(async (row) => {
    const [head = '', ...others] = await row.locator('th, td').allInnerTexts()
    return [(head.split('\n')[0] ?? '').trim(), others.map((text) => text.trim())] as const
  })
  return new Map(await Promise.all(read))
}

/** Waits until the header shows this value. */
async function fact(page: Page, name: string, value: string): Promise<void> {
  const facts = page.locator('.inspector-facts > div')
  await expect.poll(async () => (await facts.filter({ hasText: name }).locator('dd').textContent()) ?? '').toBe(value)
}

function trail(map: Locator): Promise<readonly string[]> {
  return map.locator('nav li > :is(button, [aria-current])').allTextContents()
}

function focused(page: Page): Promise<string> {
  return page.evaluate("document.activeElement?.querySelector('.visually-hidden')?.textContent ?? ''")
}

/** Moves with the arrow keys until a tile of that name has the focus. */
async function reach(page: Page, name: RegExp): Promise<void> {
  for (const key of ['ArrowRight', 'ArrowDown', 'ArrowLeft', 'ArrowUp', 'ArrowRight', 'ArrowDown']) {
    for (let step = 0; step < 4; step += 1) {
      if (name.test(await focused(page))) return
      await page.keyboard.press(key)
    }
  }
  expect(await focused(page)).toMatch(name)
}

async function openEdit(page: Page, rule: string): Promise<void> {
  const row = page.getByRole('button', { name: ledger.open(rule, '').trim() }).first()
  await row.click()
  await page.locator('.ledger-detail table').waitFor()
}

/** The lines on the side of the original. */
function originalLines(page: Page): Promise<readonly string[]> {
  return page.locator('.ledger-detail tbody tr > td:nth-child(3)').allTextContents()
}

function sent({ api, id }: Trimmed, request: string | undefined): Promise<SentRequest> {
  return api.json(`/inspect/${id}/requests/${request}`)
}

/** A message as the last request sent it. */
async function sentText(session: Trimmed, { requests }: Inspection, message: string | undefined): Promise<string> {
  const { messages } = await sent(session, requests.at(-1)?.id)
  const found = messages.find(({ id }) => id === message)
  return JSON.stringify(found?.parts ?? null).replaceAll('\\n', '\n')
}
