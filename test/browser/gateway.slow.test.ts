import { describe, expect, it, onTestFinished } from 'vitest'
import { stringsFor as nodeStringsFor } from '../../packages/node/src/strings/strings-for.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { startFakeUpstream } from '../gateway/fake-upstream.ts'
import { createWorkplace, type Running } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'
import { openTab } from './trimmed-session.ts'

const { inspector, ledger, messageDetail, messageList, sessions } = stringsFor('en')
const { tabs } = inspector
const log = Array.from({ length: 3000 }, (_, index) => `step ${index + 1} of 3000 went as it should`).join('\n')
const question = { role: 'user', content: 'Why does the build take so long?' }
const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }
const answered = [
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: log },
]

describe('gateway traffic in the browser', () => {
  it('is listed with the logs, shows what fills the window and each edit with its original, and lets a user hide a result', async () => {
    const upstream = await startFakeUpstream(() => ({ text: 'Because it does.' }))
    onTestFinished(() => upstream.close())
    const workplace = createWorkplace({ 'readme.md': 'nothing' })
    const gateway = workplace.start('gateway', '--json', '--port', '0', '--trim', 'safe', '--upstream', upstream.url)
    const port = await portOf(gateway)
    for (const messages of [[question], [question, ...answered]]) await ask(port, messages)
    process.kill(gateway.pid, 'SIGINT')
    expect((await gateway.ended).code).toBe(0)
    expect(upstream.exchanges[1]?.body.length).toBeLessThan(log.length)

    const app = await startApp(workplace, '--model', 'offline')
    const { page, expectCalm } = await openApp(app, {}, '/logs')
    await page
      .getByRole('listitem')
      .getByRole('button', { name: /gpt-4o/ })
      .filter({ hasText: sessions.logScreen.gateway })
      .click()
    await page.getByRole('tabpanel', { name: tabs.overview }).waitFor()
    await page.getByText(nodeStringsFor('en').server.inspecting.textNotKept).waitFor()
    await openTab(page, tabs.ledger)
    await page.getByText('limit-tool-output').first().waitFor()
    await page.getByRole('button', { name: ledger.open('limit-tool-output', '').trim() }).click()
    await page.getByRole('cell', { name: 'step 92 of 3000 went as it should' }).first().waitFor()
    await openTab(page, tabs.timeline)
    await openTab(page, tabs.messages)
    await page.getByRole('listbox', { name: messageList.list }).focus()
    await page.keyboard.press('Home')
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await page.getByRole('heading', { name: messageDetail.title('1') }).waitFor()
    expect([await button(messageDetail.hide).count(), await button(messageDetail.pin).count()]).toEqual([0, 0])
    for (const _ of answered) await page.keyboard.press('ArrowDown')
    const hidden = async () => (await workplace.run('gateway', 'hide')).stdout.trim()
    await button(messageDetail.hide).click()
    await page.getByText(/^Removes [\d,]+ tokens from each request\./).waitFor()
    expect(await hidden()).toMatch(/^3 {2}bash {2}[\d,]+ tokens$/)
    await button(messageDetail.hideNow).click()
    await button(messageDetail.unhide).waitFor()
    expect(await hidden()).toMatch(/tokens {2}hidden$/)
    await button(messageDetail.unhide).click()
    await button(messageDetail.hide).waitFor()
    expect(await hidden()).toMatch(/tokens$/)
    expectCalm()
  })
})

async function portOf(gateway: Running): Promise<number> {
  await gateway.printed(/\n/)
  return (JSON.parse(gateway.text().split('\n')[0] ?? '') as { readonly port: number }).port
}

async function ask(port: number, messages: readonly unknown[]): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer key-of-a-test' },
    body: JSON.stringify({ model: 'gpt-4o', messages, tools: [{ type: 'function', function: { name: 'bash' } }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
