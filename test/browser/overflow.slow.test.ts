import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { startImageService } from './image-service.ts'
import { pieces, refusal, type ScriptedModel, startModel, text } from './scripted-model.ts'
import { openChat, startApp } from './start-app.ts'
import { configure, say } from './use-chat.ts'

const { conversation, dialogs } = stringsFor('en')
const strings = dialogs.overflow
const task = 'Build the harbour, with a light at its end'

describe.runIf(isBuilt)('a conversation that the provider rejects as too long', () => {
  it('R002-20 R002-32 opens a dialog with the message and numbers of the error and the three largest parts', async () => {
    const { page, expectCalm } = await begin([refusal(9500, 8192)], 'overflow:\n  auto_recover: false\nlocale: zh\n')
    await say(page, task)
    const dialog = page.getByRole('alertdialog')
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(3)
    const shown = await dialog.innerText()
    expect(shown).toContain('对话内容过长，已超出模型上下文限制。')
    expect(shown).toContain('建议新开一个会话继续对话。')
    const { sizes, overBy, newSession } = stringsFor('zh').dialogs.overflow
    expect(shown).toContain(`${sizes('9,500', '8,192')}${overBy('1,308')}`)
    const parts = await dialog.getByRole('listitem').allInnerTexts()
    const sums = parts.map((part) => Number(part.replaceAll(/\D/g, '')))
    expect(sums).toHaveLength(3)
    expect(sums).toEqual(sums.toSorted((one, other) => other - one))
    await expect.poll(() => dialog.getByRole('button', { name: newSession }).isEnabled()).toBe(true)
    expectCalm()
  })

  it('R002-20 R002-32 leads to a new session that continues the task', async () => {
    const { page, model, expectCalm } = await begin(
      [text('The quay stands.'), refusal(9500, 8192), text('The light burns.')],
      'overflow:\n  auto_recover: false\n',
    )
    await answered(page, 'Build a quay', 'The quay stands.')
    await say(page, task)
    const before = page.url()
    await page.getByRole('alertdialog').getByRole('button', { name: strings.newSession }).click()
    await page.getByText('The light burns.').waitFor()
    expect(page.url()).not.toBe(before)
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    await page.getByRole('link', { name: conversation.from.compaction }).waitFor()
    expect(model.turns()).toHaveLength(3)
    expect(saidTo(model)).toContain(task)
    expectCalm()
  })

  it('R002-20 is compacted and retried on request', async () => {
    const { page, model, expectCalm } = await begin(
      [
        text(`A quay.\n\n${filler}`),
        text(`A mole.\n\n${filler}`),
        text(`A crane.\n\n${filler}`),
        refusal(9500, 8192),
        text('The light burns.'),
      ],
      'overflow:\n  auto_recover: false\ncompaction:\n  keep_rounds: 1\n',
    )
    await answered(page, 'Build a quay', 'A quay.')
    await answered(page, 'Build a mole', 'A mole.')
    await answered(page, 'Build a crane', 'A crane.')
    await say(page, task)
    await page.getByRole('alertdialog').getByRole('button', { name: strings.compress }).click()
    await page.getByText('The light burns.').waitFor()
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    const [refused = 0, mended = 0] = model
      .turns()
      .slice(-2)
      .map((request) => request.text.length)
    expect(mended).toBeLessThan(refused)
    expect(saidTo(model)).toContain(task)
    expectCalm()
  })

  it('R002-20 is retried with a larger model, and only larger models are offered', async () => {
    const { page, model, expectCalm } = await begin(
      [refusal(9500, 8192), text('The light burns.')],
      'overflow:\n  auto_recover: false\nmodels:\n  test-model:\n    window: 8192\n  larger-model:\n    window: 64000\n  smaller-model:\n    window: 4000\n',
    )
    await say(page, task)
    const dialog = page.getByRole('alertdialog')
    const models = dialog.getByRole('combobox', { name: strings.largerModel })
    await models.waitFor()
    const offered = await models.getByRole('option').allInnerTexts()
    expect(offered[0]).toBe(strings.windowOf('larger-model', '64k'))
    expect(offered.filter((name) => /smaller-model|test-model/.test(name))).toEqual([])
    await dialog.getByRole('button', { name: strings.largerModel }).click()
    await page.getByText('The light burns.').waitFor()
    expect(model.turns().map(({ body }) => body.model)).toEqual(['test-model', 'larger-model'])
    expectCalm()
  })

  it('R002-19 R002-20 is repaired automatically with the specified banner and no dialog', async () => {
    const repairing = Promise.withResolvers<void>()
    const summary = pieces({ content: '## 📌 Archived' }, () => repairing.promise)
    const { page, expectCalm } = await begin(
      [
        text(`A quay.\n\n${filler}`),
        text(`A mole.\n\n${filler}`),
        text(`A crane.\n\n${filler}`),
        refusal(61_000, 60_000),
        text('The light burns.'),
      ],
      'locale: zh\ncompaction:\n  keep_rounds: 1\n',
      summary,
    )
    await answered(page, 'Build a quay', 'A quay.')
    await answered(page, 'Build a mole', 'A mole.')
    await answered(page, 'Build a crane', 'A crane.')
    await say(page, task)
    await page.getByText(stringsFor('zh').turn.recovering).waitFor()
    repairing.resolve()
    await page.getByText('The light burns.').waitFor()
    await page.getByText(stringsFor('zh').notices.history_compressed).waitFor()
    await expect.poll(() => page.getByText(stringsFor('zh').turn.recovering).count()).toBe(0)
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0)
    expectCalm()
  })

  it('can still be resolved after the dialog is closed, and after a reload', async () => {
    const { page, expectCalm } = await begin([refusal(9500, 8192)], 'overflow:\n  auto_recover: false\n')
    await say(page, task)
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: strings.choose }).click()
    await dialog.waitFor()
    await page.reload()
    await dialog.getByText(strings.sizes('9,500', '8,192')).waitFor()
    expectCalm()
  })
})

describe.runIf(isBuilt)('an image', () => {
  it('R002-29 R002-33 shows the friendly text if it takes too long', async () => {
    const service = await startImageService(8, 8)
    const workplace = createWorkplace({ 'notes.txt': 'high water at six\n' })
    configure(
      workplace,
      `strings: specification\nimages:\n  model: flux-schnell\n  url: ${service.url}\n  direct_seconds: 1\n  proxy_seconds: 1\n`,
    )
    const app = await startApp(workplace, '--model', 'offline', '--mode', 'auto')
    const { page, expectCalm } = await openChat(app)
    await say(page, 'draw a lighthouse')
    await page.locator('.tool-card-failed pre').getByText('图片生成超时。').waitFor()
    await page.locator('.tool-card-failed pre').getByText('建议稍后重试，或使用更简单的描述。').waitFor()
    await expect.poll(() => page.getByRole('progressbar').count()).toBe(0)
    expectCalm()
  })
})

const filler = 'with stone from the quarry behind the hill. '.repeat(60)

async function begin(answers: Parameters<typeof startModel>[0], settings: string, summary?: Parameters<typeof startModel>[1]) {
  const model = await startModel(answers, summary)
  const workplace = createWorkplace({ 'notes.txt': 'high water at six\n' })
  configure(workplace, settings)
  const app = await startApp(workplace, ...model.options)
  const { page, expectCalm } = await openChat(app)
  return { page, model, workplace, expectCalm }
}

/** Sends a message and waits for the answer and the end of the turn. */
async function answered(page: Page, said: string, answer: string): Promise<void> {
  await say(page, said)
  await page.getByText(answer, { exact: true }).last().waitFor()
  await page.getByRole('button', { name: /^(?:Send|发送)$/ }).waitFor()
}

/** The user messages in the last request. */
function saidTo(model: ScriptedModel): string {
  const messages = model.turns().at(-1)?.body.messages ?? []
  return JSON.stringify(messages.filter(({ role }) => role === 'user'))
}
