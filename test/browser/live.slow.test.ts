import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { forgetful } from '../../packages/node/src/agent/testing/compacting.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { startLine } from './breakable-line.ts'
import { blocks, done, said } from './follow-chat.ts'
import { pieces, startModel, text } from './scripted-model.ts'
import { openApp, openChat, startApp } from './start-app.ts'
import { configure, say } from './use-chat.ts'

const strings = stringsFor('en')
const { conversation, composer, dialogs, shell } = strings
const files = { 'tides.txt': 'high water at six\n' }

describe.runIf(isBuilt)('a running conversation', () => {
  it('shows an answer before it is complete', async () => {
    const rest = gate()
    const { page, expectCalm } = await begin([pieces({ content: 'The tide ' }, rest.passed, { content: 'turns.' })])
    await say(page, 'What does the tide do?')
    await page.getByText('The tide', { exact: true }).waitFor()
    expect(await page.getByText('turns.').count()).toBe(0)
    rest.open()
    await page.getByText('The tide turns.', { exact: true }).waitFor()
    expectCalm()
  })

  it('collapses reasoning and shows all of it when expanded', async () => {
    const thought = 'The moon pulls, and the sea follows it around the earth.'
    const { page, expectCalm } = await begin([pieces({ reasoning_content: thought }, { content: 'It turns.' })])
    await done(page, 'What does the tide do?')
    const fold = page.locator('.block-reasoning')
    expect(await fold.innerText()).toBe(conversation.thought(String(thought.length)))
    await fold.locator('summary').click()
    await fold.getByText(thought).waitFor()
    expectCalm()
  })

  it('shows the output of a running command', async () => {
    const { page, workplace, expectCalm } = await beginOffline('--mode', 'auto')
    await say(page, 'run `echo ebb; for n in $(seq 1 4000); do [ -e go ] && break; sleep 0.05; done; echo flood`')
    const output = page.locator('.tool-card-output')
    await output.getByText('ebb').waitFor()
    expect(await output.innerText()).toBe('ebb\n')
    writeFileSync(join(workplace.folder, 'go'), '')
    await output.waitFor({ state: 'detached' })
    await page.locator('.tool-card-done summary').first().click()
    await page.locator('.tool-card-body pre', { hasText: 'ebb\nflood' }).waitFor()
    expectCalm()
  })

  it('R004-31 shows the progress of a compaction until it is done', async () => {
    const rest = gate()
    const summary = pieces({ content: forgetful.slice(0, 300) }, rest.passed, { content: forgetful.slice(300) })
    const long = 'with stone from the quarry behind the hill. '.repeat(60)
    const answers = [text(`A quay. ${long}`), text(`A mole. ${long}`), text(`A crane. ${long}`)] as const
    const { page, expectCalm } = await begin([...answers], summary, 'compaction:\n  keep_rounds: 1\n')
    for (const part of ['a quay', 'a mole', 'a crane']) await done(page, `Build ${part}`)
    await page.getByRole('button', { name: composer.menu }).click()
    await page.getByRole('menuitem', { name: composer.commands.compact }).click()
    await page.getByRole('dialog').getByRole('button', { name: dialogs.compact.start }).click()
    const card = page.getByRole('status').filter({ hasText: conversation.compaction.title })
    await card.getByRole('progressbar', { name: conversation.compaction.title }).waitFor()
    await card.getByText(strings.turn.written('300')).waitFor()
    await page.getByText(strings.turn.doing.compacting).waitFor()
    rest.open()
    await page.getByText(strings.turn.roundsFolded(4, 2, 1)).waitFor()
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    expectCalm()
  })
})

describe.runIf(isBuilt)('a second tab', () => {
  it('shows the same, and answers a question for both tabs', async () => {
    const { page, expectCalm } = await beginOffline()
    const other = await page.context().newPage()
    await other.goto(page.url())
    await other.locator('.empty-chat').waitFor()
    await done(page, 'read tides.txt')
    await other.locator('.block-turn').waitFor()
    await say(other, 'run echo in the other tab')
    const [here, there] = [page, other].map((tab) => tab.getByRole('alertdialog'))
    await here?.waitFor()
    await there?.getByRole('button', { name: dialogs.permission.once }).click()
    await here?.waitFor({ state: 'detached' })
    for (const tab of [page, other]) await tab.locator('.block-turn').nth(1).waitFor()
    await expect.poll(() => said(other)).toEqual(['read tides.txt', 'run echo in the other tab'])
    await expect.poll(async () => JSON.stringify(await messagesOn(page))).toBe(JSON.stringify(await messagesOn(other)))
    expectCalm()
  })
})

describe.runIf(isBuilt)('a lost connection', () => {
  it('is reported, reconnects automatically, and misses or repeats no event', async () => {
    const gates = [gate(), gate()]
    const answer = pieces(
      { content: 'one ' },
      () => gates[0]?.passed(),
      { content: 'two ' },
      () => gates[1]?.passed(),
      { content: 'three' },
    )
    const model = await startModel([answer, text('four')])
    const line = await startLine(await startApp(createWorkplace(files), ...model.options))
    const { page, expectCalm } = await openChat(line.app)
    await say(page, 'Count')
    await page.getByText('one', { exact: true }).waitFor()
    line.cut()
    await page.getByText(shell.connectionLost).waitFor()
    gates[0]?.open()
    line.restore()
    await page.getByText('one two', { exact: true }).waitFor()
    await page.getByText(shell.connectionLost).waitFor({ state: 'detached' })
    gates[1]?.open()
    await page.getByText('one two three', { exact: true }).waitFor()
    await done(page, 'Go on')
    await expect.poll(() => messagesOn(page)).toEqual(['You\nCount', 'Answer\none two three', 'You\nGo on', 'Answer\nfour'])
    expect(model.requests).toHaveLength(2)
    expectCalm(/ERR_|Failed to load resource/)
  })

  it('recovers after a server restart and shows missed events once', async () => {
    const { page, app, workplace, expectCalm } = await beginOffline()
    await done(page, 'read tides.txt')
    expect(await app.stop()).toBe(0)
    await page.getByText(shell.connectionLost).waitFor()
    const port = new URL(app.origin).port
    const again = await startApp(workplace, '--model', 'offline', '--token', app.token, '--port', port)
    const { page: other } = await openApp(again, {}, new URL(page.url()).hash)
    await other.locator('.user-message').waitFor()
    await done(other, 'list')
    await expect.poll(() => said(page)).toEqual(['read tides.txt', 'list'])
    await page.getByText(shell.connectionLost).waitFor({ state: 'detached' })
    await expect.poll(async () => JSON.stringify(await messagesOn(page))).toBe(JSON.stringify(await messagesOn(other)))
    expectCalm(/ERR_|Failed to load resource/)
  })
})

describe.runIf(isBuilt)('a page that is loaded again', () => {
  it('shows the same as before, at the same places', async () => {
    const { page, expectCalm } = await beginOffline('--mode', 'auto')
    await done(page, 'read tides.txt; run sleep 0.2; list')
    await done(page, 'run exit 3')
    const before = await blocks(page)
    expect(before.length).toBeGreaterThan(6)
    await page.reload()
    await page.locator('.block-turn').nth(1).waitFor()
    await expect.poll(() => blocks(page)).toEqual(before)
    expectCalm()
  })
})

/** A promise that the test resolves. */
function gate(): { readonly open: () => void; readonly passed: () => Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { open: resolve, passed: () => promise }
}

async function begin(answers: Parameters<typeof startModel>[0], summary?: Parameters<typeof startModel>[1], settings = '') {
  const model = await startModel(answers, summary)
  const workplace = createWorkplace(files)
  configure(workplace, settings)
  const app = await startApp(workplace, ...model.options)
  const { page, expectCalm } = await openChat(app)
  return { page, model, workplace, expectCalm }
}

async function beginOffline(...options: readonly string[]) {
  const workplace = createWorkplace(files)
  const app = await startApp(workplace, '--model', 'offline', ...options)
  const { page, expectCalm } = await openChat(app)
  return { page, app, workplace, expectCalm }
}

/** Messages and results, without durations and costs. */
async function messagesOn(page: Page): Promise<readonly string[]> {
  const all = await blocks(page)
  return all
    .map(({ text: shown }) => shown.replaceAll(/\d+(?:\.\d+)? m?s\b/g, 'a while').replaceAll(/\n+/g, '\n'))
    .filter((shown) => !/\d requests?\b/.test(shown) && shown !== '')
}
