import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'

const { shell } = stringsFor('en')

describe.runIf(isBuilt)('a made-up address', () => {
  const shared = shareInFile(() => startApp(createWorkplace({ 'note.txt': 'here\n' }), '--model', 'offline'))

  it('keeps the valid token if its own is wrong', async () => {
    const app = shared()
    const { page, expectCalm } = await openApp(app)
    await page.goto('about:blank')
    await page.goto(`${app.origin}/#token=${'b'.repeat(43)}`)
    await page.getByText(shell.noTokenTitle).waitFor()
    await page.goto('about:blank')
    await page.goto(app.origin)
    await page.getByRole('textbox', { name: shell.ask }).waitFor()
    expect(page.url()).not.toContain('token')
    expectCalm(/status of 401/)
  })

  it('reports an unknown session if it cannot be decoded', async () => {
    const app = shared()
    const { page, expectCalm } = await openApp(app)
    await page.goto(`${app.origin}/#/chat/%25zz`)
    await page.getByText('There is no session').waitFor()
    expect(await page.getByRole('alert').count()).toBe(1)
    expectCalm(/status of 404/)
  })
})
