import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openWindow } from './open-browser.ts'
import { files, openTab, settings, task } from './trimmed-session.ts'

const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`

describe.runIf(isBuilt)('the page of a session in which something was trimmed', () => {
  it('has the originals, the proof and the comparison in it, without the key that a tool printed', async () => {
    const workplace = createWorkplace({ ...files, '.keys': `key=${key}\n`, 'plimsoll.yaml': settings })
    await workplace.task(`run cat .keys; ${task}`, '--model', 'offline', '--mode', 'auto')
    expect((await workplace.run('inspect', 'last', '--html', 'out.html')).code).toBe(0)
    expect(workplace.read('out.html')).not.toContain(key.slice(0, 30))

    const { context, strangers } = await openWindow()
    const page = await context.newPage()
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    const address = pathToFileURL(join(workplace.folder, 'out.html')).href
    await page.goto(address)
    await openTab(page, 'Ledger')
    const edit = page.getByRole('button', { name: /^Original and replacement: trim-outdated-commands, message/ })
    await edit.nth(1).click()
    await page.getByRole('cell', { name: 'item 30 of 60 is in balance, nothing to do' }).waitFor()
    await page.getByText('This session can only be looked at here').waitFor()
    expect(await page.getByRole('button', { name: 'Restore', exact: true }).count()).toBe(0)
    await openTab(page, 'Diff')
    await page.getByText(/ the same · \d+ changed · /).waitFor()
    await openTab(page, 'What if')
    await page.getByText(/These numbers are simulated, over \d+ requests/).waitFor()
    await openTab(page, 'Messages')
    await page.getByRole('listbox').getByRole('option').nth(2).click()
    await page.locator('.message-detail pre').first().waitFor()
    expect(await page.locator('.message-detail').innerText()).toMatch(/key=\S*redacted/i)
    expect({ strangers, asked }).toEqual({ strangers: [], asked: [address] })
  })
})
