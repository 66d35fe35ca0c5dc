import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { chooseFor, done, said, sessionIn } from './follow-chat.ts'
import { openChat, startApp } from './start-app.ts'
import { newChat, say } from './use-chat.ts'

const { conversation, sessions, shell } = stringsFor('en')
const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`
const files = { 'tides.txt': 'high water at six\n', 'ships.txt': 'the Foam sails at noon\n', 'key.txt': `the key is ${key}\n` }

describe.runIf(isBuilt)('a session in the browser', () => {
  it('is rewound permanently to before a message, whose text returns to the field', async () => {
    const { page, expectCalm } = await begin()
    await done(page, 'read tides.txt')
    await done(page, 'read ships.txt')
    await chooseFor(page, 'read ships.txt', conversation.message.rewind)
    await expect.poll(() => said(page)).toEqual(['read tides.txt'])
    await expect.poll(() => page.locator('main textarea').inputValue()).toBe('read ships.txt')
    await expect.poll(() => page.getByText('ships.txt lines').count()).toBe(0)
    await page.reload()
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    await expect.poll(() => said(page)).toEqual(['read tides.txt'])
    await expect.poll(() => page.locator('main textarea').inputValue()).toBe('read ships.txt')
    expectCalm()
  })

  it('is forked before a message, and does not change itself', async () => {
    const { page, expectCalm } = await begin()
    await done(page, 'read tides.txt')
    await done(page, 'read ships.txt')
    const original = page.url()
    await chooseFor(page, 'read ships.txt', conversation.message.fork)
    await page.getByRole('link', { name: conversation.from.fork }).waitFor()
    expect(page.url()).not.toBe(original)
    await expect.poll(() => said(page)).toEqual(['read tides.txt'])
    await done(page, 'read key.txt')
    await page.getByRole('link', { name: conversation.from.fork }).click()
    await page.waitForURL(original)
    await expect.poll(() => said(page)).toEqual(['read tides.txt', 'read ships.txt'])
    expectCalm()
  })

  it('is found by its messages and tool results', async () => {
    const { page, expectCalm } = await begin()
    await done(page, 'read tides.txt')
    await newChat(page)
    await page.locator('.empty-chat').waitFor()
    await done(page, 'read ships.txt')
    await expect.poll(() => titles(page)).toEqual(['read ships.txt', 'read tides.txt'])
    await page.getByRole('button', { name: sessions.newChat }).focus()
    await page.keyboard.press('/')
    await page.keyboard.type('HIGH water')
    await expect.poll(() => titles(page)).toEqual(['read tides.txt'])
    await page.getByRole('searchbox').fill('not in any session')
    await page.getByText(sessions.noMatch('not in any session')).waitFor()
    await page.getByRole('searchbox').fill('')
    await expect.poll(() => titles(page)).toEqual(['read ships.txt', 'read tides.txt'])
    expectCalm()
  })

  it('is saved to a file, with secrets only on request', async () => {
    const { page, expectCalm } = await begin()
    await done(page, 'read key.txt')
    const save = async (isRedacted: boolean) => {
      await page.getByRole('button', { name: sessions.actionsOf('read key.txt') }).click()
      await page.getByRole('menuitem', { name: sessions.export }).click()
      const dialog = page.getByRole('dialog', { name: sessions.exporting.title })
      await dialog.getByRole('checkbox', { name: sessions.exporting.redact }).setChecked(isRedacted)
      const saved = page.waitForEvent('download')
      await dialog.getByRole('button', { name: sessions.exporting.save }).click()
      const download = await saved
      expect(download.suggestedFilename()).toMatch(/^plimsoll-[\w-]+\.md$/)
      await dialog.waitFor({ state: 'detached' })
      return text(await download.createReadStream())
    }
    const [redacted, whole] = [await save(true), await save(false)]
    expect([redacted.includes('the key is'), redacted.includes(key)]).toEqual([true, false])
    expect(whole).toContain(`the key is ${key}`)
    expectCalm()
  })

  it('is deleted only after confirmation', async () => {
    const { page, workplace, expectCalm } = await begin()
    await done(page, 'read tides.txt')
    const folder = join(workplace.sessions, sessionIn(page))
    const ask = async () => {
      await page.getByRole('button', { name: sessions.actionsOf('read tides.txt') }).click()
      await page.getByRole('menuitem', { name: sessions.remove }).click()
      return page.getByRole('alertdialog', { name: sessions.removal.title })
    }
    const first = await ask()
    await first.getByRole('button', { name: sessions.cancel }).click()
    await first.waitFor({ state: 'detached' })
    expect([await titles(page), existsSync(folder)]).toEqual([['read tides.txt'], true])
    const second = await ask()
    await second.getByRole('button', { name: sessions.removal.confirm }).click()
    await page.getByText(sessions.empty, { exact: true }).waitFor()
    await expect.poll(() => [existsSync(folder), new URL(page.url()).hash]).toEqual([false, '#/'])
    expectCalm()
  })

  it('keeps every acknowledged message when the server is killed during a command, and continues', async () => {
    const { page, app, workplace, expectCalm } = await begin('--mode', 'auto')
    await done(page, 'read tides.txt')
    const command = 'echo at sea; while [ -e tides.txt ]; do sleep 0.1; done'
    await say(page, `run \`${command}\``)
    await page.locator('.tool-card-output').getByText('at sea').waitFor()
    app.process.kill()
    await page.getByText(shell.connectionLost).waitFor()
    // One sentence for all that cannot be reached.
    expect(await page.locator('.notice').allTextContents()).toEqual([
      `${shell.connectionLost} ${shell.connectionLostAbout.replaceAll('`', '')}`,
    ])
    // The orphaned command ends on its own.
    rmSync(join(workplace.folder, 'tides.txt'))
    // The token is that of the user, so that the page needs no new address.
    await startApp(workplace, '--model', 'offline', '--mode', 'auto', '--port', new URL(app.origin).port)
    await page.getByText(shell.connectionLost).waitFor({ state: 'detached' })
    await expect.poll(() => said(page)).toEqual(['read tides.txt', `run \`${command}\``])
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    // The end of the first turn is shown again, and the second one can be continued.
    await page.locator('.block-turn').waitFor()
    await page.getByText(conversation.interrupted).waitFor()
    await page.getByRole('button', { name: conversation.goOn, exact: true }).click()
    await page.getByText(conversation.interrupted).waitFor({ state: 'detached' })
    await page.locator('.block-turn').nth(1).waitFor()
    await done(page, 'read ships.txt')
    await page.getByText('ships.txt lines 1-1 of 1').waitFor()
    expectCalm(/ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|Failed to load resource/)
  })
})

async function begin(...options: readonly string[]) {
  const workplace = createWorkplace(files)
  const app = await startApp(workplace, '--model', 'offline', ...options)
  const { page, expectCalm } = await openChat(app)
  return { page, app, workplace, expectCalm }
}

function titles(page: Page): Promise<readonly string[]> {
  return page.locator('.session-row-title').allInnerTexts()
}
