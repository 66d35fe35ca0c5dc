import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { openSession } from '../../packages/node/src/session/open-session.ts'
import { chatRoute, inspectorTabs, inspectRoute } from '../../packages/web/src/parts/routes.ts'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt, type Workplace } from '../workplace.ts'
import { done } from './follow-chat.ts'
import { openWindow } from './open-browser.ts'
import { call, pieces, startModel, text } from './scripted-model.ts'
import { openApp, openChat, startApp } from './start-app.ts'
import { say } from './use-chat.ts'

const { conversation, shell } = stringsFor('en')

/** Content that would run, load or hide something if it became part of the page. */
const hostile = [
  '<script>window.hurt = 1</script>',
  '<img src="http://127.0.0.2/x.png" onerror="window.hurt = 1">',
  '<iframe srcdoc="<script>parent.hurt = 1</script>"></iframe><svg onload="window.hurt = 1">',
  '![a picture](http://127.0.0.2/y.png "title")',
  '[a page](javascript:window.hurt=1) and [a ref][r] and <http://127.0.0.2/z> ',
  '[r]: javascript:window.hurt=1',
  '\u001b[31mred\u001b[0m \u001b]8;;http://127.0.0.2/\u0007link\u001b]8;;\u0007',
  'evil\u202etxt.exe\u202c and a zero\u0000byte and hid\u200bden',
].join('\n\n')

const files = {
  'hostile.txt': hostile,
  'text.txt': hostile.replaceAll('\u0000', ''),
  'line.txt': 'x'.repeat(5_000_000),
  'lines.txt': 'a line\n'.repeat(200_000),
}

const offline = shareInFile(() => startApp(createWorkplace(files), '--model', 'offline', '--mode', 'auto'))

describe.runIf(isBuilt)('hostile content', () => {
  it('is shown as text in a model answer, loads nothing and runs nothing', async () => {
    const { page, expectCalm } = await beginWith(text(hostile))
    await done(page, 'Answer')
    await page.getByText('window.hurt = 1').first().waitFor()
    await expectHarmless(page)
    const shown = await page.locator('.block-answer').innerText()
    for (const visible of [
      '<script>window.hurt = 1</script>',
      'evil\\u202etxt.exe',
      'zero\\u0000byte',
      'hid\\u200bden',
      '\\u001b[31mred',
    ])
      expect(shown).toContain(visible)
    expect(await page.evaluate("[...document.querySelectorAll('.block-answer a')].map((link) => link.protocol)")).toEqual([
      'http:',
      'http:',
    ])
    expectCalm()
  })

  it('is shown as text in a tool result, loads nothing and runs nothing', async () => {
    const { page, expectCalm } = await openChat(offline())
    await done(page, 'read text.txt; run cat hostile.txt')
    for (const card of await page.locator('.tool-card').all()) await card.locator('summary').first().click()
    await expect.poll(() => page.locator('.tool-card-body pre', { hasText: 'window.hurt = 1' }).count()).toBe(2)
    await expectHarmless(page)
    const shown = (await page.locator('.tool-card-body').allInnerTexts()).join('\n')
    expect(shown).toContain('<img src="http://127.0.0.2/x.png" onerror="window.hurt = 1">')
    expect(shown).toContain('evil\\u202etxt.exe')
    expectCalm()
  })

  it('is shown as text in the session title when a user message contains it', async () => {
    const { page, expectCalm } = await beginWith(text('Well.'))
    await say(page, '<img src="http://127.0.0.2/x.png" onerror="window.hurt = 1"> \u202etxt.exe\u0007')
    await page.getByText('Well.').waitFor()
    const title = '<img src="http://127.0.0.2/x.png" onerror="window.hurt = 1">'
    await page.getByRole('heading', { name: title }).waitFor()
    await page.locator('.session-row-title', { hasText: title }).waitFor()
    await expectHarmless(page)
    await page.getByRole('link', { name: 'Plimsoll' }).click()
    await page.locator('.home-latest').waitFor()
    await expectHarmless(page)
    expectCalm()
  })

  it('is shown as text in the permission dialog when a call contains it', async () => {
    const command = 'echo \u001b[2K\u202e harmless <script>window.hurt = 1</script>'
    const { page, expectCalm } = await beginWith(call('Bash', { command }), text('Well.'))
    await say(page, 'Do it')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText('\\u001b[2K\\u202e harmless <script>window.hurt = 1</script>').first().waitFor()
    await expectHarmless(page)
    expectCalm()
  })
})

describe.runIf(isBuilt)('a session with hostile content in every field', () => {
  const attack =
    '<img src="http://127.0.0.2/x.png" onerror="window.hurt = 1"><script>window.hurt = 1</script> \u202etxt\u001b[31m'

  it('is shown as text in every tab of the inspector, in the list, on the first screen and as a page of its own', async () => {
    const workplace = createWorkplace(files)
    await workplace.task('read text.txt; run cat hostile.txt', '--model', 'offline', '--mode', 'auto')
    const id = onlySession(workplace)
    const session = await openSession(workplace.sessions, id)
    const path = `src/${attack}.ts`
    await session.append([
      { type: 'message', message: { id: `user ${attack}`, role: 'user', parts: [{ type: 'text', text: hostile }] } },
      {
        type: 'message',
        message: {
          id: `asked ${attack}`,
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: hostile },
            {
              type: 'tool-call',
              callId: `call ${attack}`,
              tool: `Tool ${attack}`,
              input: { [attack]: hostile, file_path: path },
            },
            { type: 'tool-call', callId: 'read', tool: 'Read', input: { file_path: path } },
          ],
        },
      },
      ...[`call ${attack}`, 'read'].map((callId, index) => ({
        type: 'message' as const,
        message: {
          id: `result ${index} ${attack}`,
          role: 'tool' as const,
          parts: [
            {
              type: 'tool-result' as const,
              callId,
              tool: index === 0 ? `Tool ${attack}` : 'Read',
              content: { type: 'text' as const, text: hostile },
            },
          ],
        },
      })),
      { type: 'message', message: { id: `answer ${attack}`, role: 'assistant', parts: [{ type: 'text', text: hostile }] } },
    ])
    await session.close()
    const { page, expectCalm } = await openApp(await startApp(workplace, '--model', 'offline'), {}, chatRoute(id))
    await page.getByText('window.hurt = 1').first().waitFor()
    await expectHarmless(page)
    const { tabs } = stringsFor('en').inspector
    for (const tab of inspectorTabs) {
      await page.evaluate(`location.hash = ${JSON.stringify(inspectRoute(id, tab))}`)
      await page.getByRole('tabpanel', { name: tabs[tab], exact: true }).waitFor()
      for (const summary of await page.locator('main details:not([open]) > summary:visible').all()) await summary.click()
      await expectHarmless(page)
    }
    await page.evaluate(`location.hash = ${JSON.stringify(inspectRoute(id, 'messages', 3))}`)
    await page.getByText('window.hurt = 1').first().waitFor()
    await expectHarmless(page)
    await page.evaluate("location.hash = '/'")
    await page.locator('.session-row-title').first().waitFor()
    await expectHarmless(page)
    expectCalm()

    expect((await workplace.run('inspect', id, '--html', 'out.html')).code).toBe(0)
    const { context, strangers } = await openWindow({})
    const report = await context.newPage()
    await report.goto(pathToFileURL(join(workplace.folder, 'out.html')).href)
    for (const name of Object.values(tabs)) {
      await report.getByRole('tab', { name, exact: true }).click()
      await report.getByRole('tabpanel', { name, exact: true }).waitFor()
      expect(await report.evaluate('window.hurt')).toBeUndefined()
      expect(await report.evaluate("document.querySelectorAll('body img, body iframe, body object').length")).toBe(0)
    }
    expect(strangers).toEqual([])
  })
})

describe.runIf(isBuilt)('giant content', () => {
  it.each([
    ['one line of 5 MB', 'line.txt'],
    ['200,000 lines', 'lines.txt'],
  ])('from a tool, %s, is shown in part, and the page keeps working', async (_name, file) => {
    const { page, expectCalm } = await openChat(offline())
    await done(page, `run cat ${file}`)
    const card = page.locator('.tool-card').first()
    await card.locator('summary').first().click()
    await expectBounded(page, 50_000)
    for (const name of [/^Show more/, /^Show more/, /^Show all/]) await card.getByRole('button', { name }).click()
    await expect.poll(() => shownLength(page)).toBeGreaterThan(1_000_000)
    await expectBounded(page, 4_000_000)
    await card.getByRole('button', { name: conversation.showLess }).click()
    await expectBounded(page, 50_000)
    await done(page, 'list')
    expectCalm()
  })

  it('in an answer, as one line or nested marks, is shown as text', async () => {
    const deep = [
      `${'> '.repeat(5000)}quoted`,
      `${'['.repeat(20_000)}brackets`,
      `${'*a '.repeat(5000)}stars`,
      Array.from({ length: 100 }, (_, depth) => `${'  '.repeat(depth)}- item`).join('\n'),
      `|${'a|'.repeat(2000)}\n|${'-|'.repeat(2000)}\n|${'b|'.repeat(2000)}`,
      'y'.repeat(50_000),
    ].join('\n\n')
    const { page, expectCalm } = await beginWith(
      pieces({ content: deep.slice(0, 60_000) }, { content: deep.slice(60_000) }),
      text('Well.'),
    )
    await done(page, 'Answer')
    await page.getByText('quoted').first().waitFor()
    await done(page, 'And now?')
    await page.getByText('Well.').waitFor()
    expectCalm()
  })

  it('in a deeply nested call is shown as text', async () => {
    const input = `${'{"a":['.repeat(5000)}1${']}'.repeat(5000)}`
    const nested = { index: 0, id: 'call-0', type: 'function', function: { name: 'Bash', arguments: input } }
    const { page, expectCalm } = await beginWith(pieces({ tool_calls: [nested] }), text('Well.'))
    await done(page, 'Do it')
    await page.locator('.tool-card').first().waitFor()
    const card = page.locator('.tool-card').first()
    if ((await card.locator('details[open]').count()) === 0) await card.locator('summary').first().click()
    await page.getByText('Well.').waitFor()
    await expectBounded(page, 50_000)
    expectCalm()
  })
})

describe.runIf(isBuilt)('a broken session', () => {
  it('shows its intact part, reports what is broken, and can be continued', async () => {
    const workplace = createWorkplace({
      'tides.txt': 'high water at six\n',
      'big.txt': 'a line of the log\n'.repeat(80_000),
    })
    await workplace.task('read tides.txt', '--model', 'offline')
    await workplace.task('run cat big.txt', '--model', 'offline', '--mode', 'auto', '--resume', 'last')
    const folder = join(workplace.sessions, onlySession(workplace))
    rmSync(join(folder, 'blobs'), { recursive: true })
    appendFileSync(join(folder, 'log.jsonl'), `${'this is not of us\n'.repeat(300)}{"type":"message","id":"torn","mess`)
    const app = await startApp(workplace, '--model', 'offline')
    const { page, expectCalm } = await openApp(app)
    await page.locator('.session-row-link').click()
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    const broken = page.locator('.broken-parts')
    await broken.getByText('299 more').waitFor()
    expect(await broken.locator(':scope > p').allInnerTexts()).toEqual([
      expect.stringMatching(/^Line \d+ /),
      expect.stringMatching(/^Line \d+ /),
    ])
    const card = page.locator('.tool-card').last()
    await card.locator('summary').first().click()
    for (const name of [/^Show more/, /^Show more/, /^Show all/]) await card.getByRole('button', { name }).click()
    await card.locator('.notice-danger').waitFor()
    await done(page, 'read tides.txt')
    expectCalm(/404|Failed to load resource/)
  })
})

describe.runIf(isBuilt)('a screen that cannot be shown', () => {
  it('shows an error in its place, leaves the rest of the app working, and can be retried', async () => {
    const workplace = createWorkplace({ 'tides.txt': 'high water at six\n' })
    await workplace.task('read tides.txt', '--model', 'offline')
    const { page, expectCalm } = await openApp(await startApp(workplace, '--model', 'offline'))
    const session = `**/api/sessions/${onlySession(workplace)}`
    await page.route(session, (route) => route.fulfill({ json: { messages: [{}], live: {}, troubles: 7 } }))
    await page.locator('.session-row-link').click()
    await page.getByText(shell.unexpected).waitFor()
    await page.getByRole('link', { name: shell.title }).click()
    await page.getByRole('textbox', { name: shell.ask }).waitFor()
    await page.goBack()
    await page.getByText(shell.unexpected).waitFor()
    await page.unroute(session)
    await page.getByRole('button', { name: shell.tryAgain }).click()
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    expectCalm(/TypeError|is not a function|Cannot read/)
  })
})

/** No content of a conversation became markup of the page. */
async function expectHarmless(page: Page): Promise<void> {
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  expect(
    await page.evaluate(
      "[...document.querySelectorAll('#app script, #app iframe, #app img, #app object, #app form[action]')].map((element) => element.outerHTML)",
    ),
  ).toEqual([])
  // The page has no direction marks or control characters, not even in a title.
  expect(await page.evaluate('/[\\u202a-\\u202e\\u0000\\u001b\\u200b]/.test(document.documentElement.outerHTML)')).toBe(false)
}

/** At any size, only a part of it is in the page. */
async function expectBounded(page: Page, most: number): Promise<void> {
  expect(await page.locator('*').count()).toBeLessThan(6000)
  expect(await shownLength(page)).toBeLessThan(most)
}

function shownLength(page: Page): Promise<number> {
  return page.evaluate('document.body.textContent.length')
}

async function beginWith(...answers: Parameters<typeof startModel>[0]) {
  const model = await startModel(answers)
  const workplace = createWorkplace({ 'notes.txt': 'a note\n' })
  const { page, expectCalm } = await openChat(await startApp(workplace, ...model.options))
  return { page, model, expectCalm }
}

function onlySession({ sessions }: Workplace): string {
  return readdirSync(sessions)[0] ?? ''
}
