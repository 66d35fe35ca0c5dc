import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createWorkplace } from '../workplace.ts'
import { startImageService } from './image-service.ts'
import { openApp, startApp } from './start-app.ts'
import { barWidth, configure, imageWidths, newChat, say } from './use-chat.ts'

describe('a conversation in the browser', () => {
  it('R002-11 R002-27 R002-31 R002-33 shows a progress bar while an image is generated, then the image, also after a restart', async () => {
    const service = await startImageService(320, 200)
    const workplace = createWorkplace({ 'notes.txt': 'high water at six\n' })
    configure(workplace, `images:\n  model: flux-schnell\n  url: ${service.url}\nagent:\n  mode: auto\n`)
    const app = await startApp(workplace, '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    await newChat(page)
    await say(page, 'read notes.txt; draw a lighthouse')

    await service.asked
    const bar = page.getByRole('progressbar')
    await bar.waitFor()
    const first = Number(await bar.getAttribute('aria-valuenow'))
    await expect.poll(async () => Number(await bar.getAttribute('aria-valuenow'))).toBeGreaterThan(first)
    expect(await barWidth(page)).toMatch(/^\d+(\.\d+)?%$/)
    service.finish()

    await page.locator('main img').first().waitFor()
    await expect.poll(() => imageWidths(page)).toEqual([320])
    await page.getByText('Read', { exact: true }).first().waitFor()
    const url = page.url()

    // The log has no base64: the image is in the blob store.
    const [session] = readdirSync(workplace.sessions)
    const log = readFileSync(join(workplace.sessions, session ?? '', 'log.jsonl'), 'utf8')
    expect(/[A-Za-z0-9+/]{2000}/.test(log)).toBe(false)

    expectCalm()
    await page.close()
    expect(await app.stop()).toBe(0)
    const again = await startApp(workplace, '--model', 'offline')
    const { page: later, expectCalm: laterCalm } = await openApp(again, {}, new URL(url).hash)
    await later.locator('main img').first().waitFor()
    await expect.poll(() => imageWidths(later)).toEqual([320])
    laterCalm()
  })
})
