import { describe, expect, it, onTestFinished } from 'vitest'
import { startFakeUpstream } from '../gateway/fake-upstream.ts'
import { createWorkplace, type Running } from '../workplace.ts'
import { openApp, startApp } from './start-app.ts'
import { openTab } from './trimmed-session.ts'

const log = Array.from({ length: 3000 }, (_, index) => `step ${index + 1} of 3000 went as it should`).join('\n')
const question = { role: 'user', content: 'Why does the build take so long?' }
const call = { id: 'call_1', type: 'function', function: { name: 'bash', arguments: '{"command":"make"}' } }
const answered = [
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: log },
]

describe('what went through a gateway, in the browser', () => {
  it('is found among the logs, shows what fills the window, and what was cut with its original', async () => {
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
    await page.getByText('Through the gateway').waitFor()
    await page
      .getByRole('listitem')
      .getByRole('button', { name: /gpt-4o/ })
      .click()
    await page.getByRole('tabpanel', { name: 'Overview' }).waitFor()
    await page.getByText('The gateway kept sizes and numbers, not texts').waitFor()
    await openTab(page, 'Ledger')
    await page.getByText('limit-tool-output').first().waitFor()
    await page.getByRole('button', { name: /^Original and replacement: limit-tool-output/ }).click()
    await page.getByRole('cell', { name: 'step 92 of 3000 went as it should' }).first().waitFor()
    await openTab(page, 'Timeline')
    await openTab(page, 'Messages')
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
