import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openWindow } from './open-browser.ts'
import { files, matching, openTab, settings, some, task } from './trimmed-session.ts'

const { diff, inspector, ledger, whatIf } = stringsFor('en')
const { tabs } = inspector
const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`

describe.runIf(isBuilt)('the exported page of a trimmed session', () => {
  it('contains originals, verification and comparison, without the key that a tool printed', async () => {
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
    await openTab(page, tabs.ledger)
    const edit = page.getByRole('button', { name: ledger.open('trim-outdated-commands', '').trim() })
    await edit.nth(1).click()
    await page.getByRole('cell', { name: 'item 30 of 60 is in balance, nothing to do' }).waitFor()
    await page.getByText(ledger.detail.cannotChange).waitFor()
    expect(await page.getByRole('button', { name: ledger.detail.restore, exact: true }).count()).toBe(0)
    await openTab(page, tabs.diff)
    await page.getByText(matching(diff.sum(some, some, some, some))).waitFor()
    await openTab(page, tabs['what-if'])
    await page.getByText(matching(whatIf.compared(some, 'all'))).waitFor()
    await openTab(page, tabs.messages)
    await page.getByRole('listbox').getByRole('option').nth(2).click()
    await page.locator('.message-detail pre').first().waitFor()
    expect(await page.locator('.message-detail').innerText()).toMatch(/key=\S*redacted/i)
    expect({ strangers, asked }).toEqual({ strangers: [], asked: [address] })
  })
})
