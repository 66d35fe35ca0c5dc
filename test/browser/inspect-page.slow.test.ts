import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt, type Workplace } from '../workplace.ts'
import { openWindow } from './open-browser.ts'
import { matching, some } from './trimmed-session.ts'

const { inspector, page: pageStrings } = stringsFor('en')

const key = `sk-ant-api03-${'aB3dE5fG7h'.repeat(9)}-AA`
const image = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** Content that would run if it became part of the page. */
const hostile = [
  '</script><script>window.hurt = 1</script>',
  '<!-- <script>',
  '<img src="https://example.org/x.png" onerror="window.hurt = 1">',
  '![remote](https://example.org/y.png)',
  '\u001b[31mred\u001b[0m and \u202etxt.exe\u202c',
  '\u2028\u2029',
].join('\n')

describe.runIf(isBuilt)('the page of one session', () => {
  it('opens without a server, loads nothing, and shows hostile content as text', async () => {
    const workplace = createWorkplace({ 'log.json': logOf(hostile) })
    const written = await workplace.run('inspect', 'log.json', '--html', 'out.html')
    expect([written.code, written.stdout]).toEqual([0, ''])
    const { page, expectCalm } = await openPage(workplace)
    await page.getByRole('tab').first().waitFor()
    for (const tab of await page.getByRole('tab').all()) await tab.click()
    await page.getByRole('tab', { name: inspector.tabs.messages }).click()
    await page.getByText('window.hurt = 1').first().waitFor()
    expect(await page.evaluate('window.hurt')).toBeUndefined()
    expect(await page.locator('script').count()).toBe(2)
    expect(await page.locator('img[src^="http"]').count()).toBe(0)
    expectCalm()
  })

  it('redacts keys, passwords and home folders, and reports how many', async () => {
    const workplace = createWorkplace({ 'log.json': logOf(`the key is ${key}, the file /home/ada/x`) })
    await workplace.run('inspect', 'log.json', '--html', 'out.html')
    const text = workplace.read('out.html')
    expect([text.includes(key.slice(0, 30)), text.includes('/home/ada')]).toEqual([false, false])
    const { page, expectCalm } = await openPage(workplace)
    await page
      .getByRole('note')
      .getByText(matching(pageStrings.redacted(some, some)))
      .waitFor()
    expectCalm()
  })

  it('warns in red that nothing was redacted', async () => {
    const workplace = createWorkplace({ 'log.json': logOf(`the key is ${key}`) })
    await workplace.run('inspect', 'log.json', '--html', 'out.html', '--no-redact')
    expect(workplace.read('out.html')).toContain(key)
    const { page } = await openPage(workplace)
    const note = page.getByRole('note')
    await note.getByText(pageStrings.notRedacted).waitFor()
    const color = String(await page.evaluate("getComputedStyle(document.querySelector('[role=note]')).color"))
    const [red = 0, green = 0, blue = 0] = (color.match(/\d+/g) ?? []).map(Number)
    expect([red > 2 * green, red > 2 * blue]).toEqual([true, true])
  })

  it('shows a Plimsoll session in Chinese and in the dark theme', async () => {
    const workplace = createWorkplace({ 'notes.txt': 'a note\n', 'plimsoll.yaml': 'locale: zh-CN\n' })
    await workplace.task('read notes.txt', '--model', 'offline')
    await workplace.run('inspect', 'last', '--html', 'out.html')
    const { page, expectCalm } = await openPage(workplace, { colorScheme: 'dark' })
    const { tabs } = stringsFor('zh').inspector
    for (const name of Object.values(tabs)) {
      await page.getByRole('tab', { name, exact: true }).click()
      await page.getByRole('tabpanel', { name, exact: true }).waitFor()
    }
    expect(await page.evaluate('[document.documentElement.dataset.theme, document.documentElement.lang]')).toEqual([
      'dark',
      'zh-CN',
    ])
    await page.goBack()
    await expect.poll(() => page.getByRole('tab', { selected: true }).textContent()).toBe(tabs.diff)
    expectCalm()
  })

  it('reports what is wrong with a damaged page', async () => {
    const workplace = createWorkplace({ 'log.json': logOf('hello') })
    await workplace.run('inspect', 'log.json', '--html', 'out.html')
    writeFileSync(join(workplace.folder, 'out.html'), workplace.read('out.html').replace('{"version":1', '{"version":9'))
    const { page, expectCalm } = await openPage(workplace)
    await page.getByRole('alert').getByText(pageStrings.otherVersion('9')).waitFor()
    expectCalm()
  })

  it('is readable only by its owner, and never overwrites a file', async () => {
    const workplace = createWorkplace({ 'log.json': logOf('hello') })
    await workplace.run('inspect', 'log.json', '--html', 'out.html')
    const path = join(workplace.folder, 'out.html')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    const before = readFileSync(path, 'utf8')
    const again = await workplace.run('inspect', 'log.json', '--html', 'out.html', '--no-redact')
    expect([again.code, readFileSync(path, 'utf8') === before]).toEqual([1, true])
    const forced = await workplace.run('inspect', 'log.json', '--html', 'out.html', '--no-redact', '--force')
    expect([forced.code, readFileSync(path, 'utf8') === before]).toEqual([0, false])
  })
})

async function openPage(
  { folder }: Workplace,
  options: Parameters<typeof openWindow>[0] = {},
): Promise<{ readonly page: Page; readonly expectCalm: () => void }> {
  const { context, strangers } = await openWindow(options)
  const page = await context.newPage()
  const address = pathToFileURL(join(folder, 'out.html')).href
  const troubles: string[] = []
  const asked: string[] = []
  page.on('pageerror', (error) => troubles.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') troubles.push(message.text())
  })
  page.on('request', (request) => {
    if (!/^(?:data|blob):/.test(request.url())) asked.push(request.url().split('#')[0] ?? '')
  })
  await page.goto(address)
  return {
    page,
    expectCalm() {
      expect({ troubles, strangers, asked }).toEqual({ troubles: [], strangers: [], asked: [address] })
    },
  }
}

/** A conversation with this text in every field that can have one. */
function logOf(text: string): string {
  const call = { id: 'call-1', type: 'function', function: { name: 'read_file', arguments: JSON.stringify({ path: text }) } }
  return JSON.stringify({
    model: 'gpt-5.5',
    messages: [
      { role: 'system', content: text },
      {
        role: 'user',
        content: [
          { type: 'text', text },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${image}` } },
        ],
      },
      { role: 'assistant', content: text, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call-1', content: text },
      { role: 'assistant', content: 'done' },
    ],
  })
}
