import { existsSync, writeFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { done, said } from './follow-chat.ts'
import { pieces, startModel, text } from './scripted-model.ts'
import { settled } from './settled.ts'
import { openChat, startApp } from './start-app.ts'
import { say } from './use-chat.ts'

const { conversation, composer, dialogs, shell, turn } = stringsFor('en')
const { permission } = dialogs

/** Most tests share one app and use separate sessions. */
const shared = shareInFile(() => start())

describe.runIf(isBuilt)('a call that needs permission', () => {
  it('runs once it is allowed and asks again the next time, until it is allowed for the session', async () => {
    const { page, expectCalm } = await begin()
    await say(page, 'run echo ahoy')
    const dialog = page.getByRole('alertdialog', { name: permission.title.run('Bash') })
    await dialog.getByText('echo ahoy').first().waitFor()
    await dialog.getByRole('button', { name: permission.once }).click()
    await page.locator('.tool-card-done').waitFor()
    await dialog.waitFor({ state: 'detached' })
    await say(page, 'run echo ahoy')
    await dialog.getByRole('button', { name: permission.session }).click()
    await expect.poll(() => page.locator('.block-turn').count()).toBe(2)
    await done(page, 'run echo ahoy')
    expect(await page.locator('.tool-card-done').count()).toBe(3)
    await say(page, 'run echo another')
    await dialog.getByText('echo another').first().waitFor()
    expectCalm()
  })

  it('does not run if denied, and the model gets the reason', async () => {
    const { page, workplace, expectCalm } = await begin()
    await say(page, 'run touch made.txt')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByRole('button', { name: permission.more }).click()
    await page.getByRole('menuitem', { name: permission.noWithWords }).click()
    await dialog.getByRole('textbox', { name: permission.reason }).fill('not on this ship')
    await page.keyboard.press('Enter')
    const card = page.locator('.tool-card-refused')
    await card.getByText(conversation.tool.status.refused).waitFor()
    await card.locator('summary').first().click()
    await card.locator('pre', { hasText: 'not on this ship' }).waitFor()
    expect(existsSync(join(workplace.folder, 'made.txt'))).toBe(false)
    expectCalm()
  })

  it('says in the language of the page that a change would fail, above the error for the model', async () => {
    const { page, expectCalm } = await begin()
    await say(page, 'write .git/config "x"')
    const dialog = page.getByRole('alertdialog')
    await dialog.getByText(turn.wouldFail).waitFor()
    await dialog.getByText("Error: .git/config is git's own").first().waitFor()
    expectCalm()
  })

  it('waits while the question is hidden, and nothing runs until it is answered', async () => {
    const { page, workplace, expectCalm } = await begin()
    await say(page, 'run touch later.txt')
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(permission.waiting('Bash')).waitFor()
    await page.reload()
    await dialog.getByText('touch later.txt').first().waitFor()
    expect(existsSync(join(workplace.folder, 'later.txt'))).toBe(false)
    await dialog.getByRole('button', { name: permission.once }).click()
    await page.locator('.tool-card-done').waitFor()
    expect(existsSync(join(workplace.folder, 'later.txt'))).toBe(true)
    expectCalm()
  })
})

describe.runIf(isBuilt)('a running turn', () => {
  it('is stopped together with its command', async () => {
    const { page, workplace, expectCalm } = await begin('--mode', 'auto')
    await say(page, 'run `echo $$ > pid; echo going; exec sleep 60`')
    await page.locator('.tool-card-output').getByText('going').waitFor()
    const pid = Number(await readFile(join(workplace.folder, 'pid'), 'utf8'))
    await page.getByRole('button', { name: composer.stop }).click()
    await page.getByRole('button', { name: composer.send }).waitFor()
    await page.locator('.block-turn', { hasText: stringsFor('en').turn.turnOutcome.cancelled }).waitFor()
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
    await done(page, 'run echo under way again')
    expectCalm()
  })

  it('is followed by messages queued meanwhile', async () => {
    const rest = Promise.withResolvers<void>()
    const model = await startModel([pieces(() => rest.promise, { content: 'First done.' }), text('Second done.')])
    const { page, expectCalm } = await begin(...model.options)
    await say(page, 'First this')
    await page.getByRole('button', { name: composer.stop }).waitFor()
    await say(page, 'Then that')
    await page.getByText(composer.queued(1)).waitFor()
    await expect
      .poll(async () => [await page.locator('.composer-queue li').allInnerTexts(), await said(page)])
      .toEqual([['Then that'], ['First this']])
    rest.resolve()
    await page.getByText('Second done.').waitFor()
    await expect
      .poll(async () => [await page.locator('.composer-queue').count(), await said(page)])
      .toEqual([0, ['First this', 'Then that']])
    expectCalm()
  })

  it('reads with its next step what is said meanwhile, and with Alt+Enter after it', async () => {
    const { page, workplace, expectCalm } = await begin('--mode', 'auto')
    await say(page, 'run `echo at sea; until [ -e landed ]; do sleep 0.1; done`')
    await page.locator('.tool-card-output').getByText('at sea').waitFor()
    await say(page, 'Stay in port.')
    await page.getByText(composer.queued(1), { exact: true }).waitFor()
    await page.locator('main textarea').fill('run echo later')
    await page.locator('main textarea').press('Alt+Enter')
    await page.getByText(composer.queued(2), { exact: true }).waitFor()
    writeFileSync(join(workplace.folder, 'landed'), '')
    // Three messages, two turns: the second message is part of the first turn.
    await expect.poll(async () => [(await said(page)).length, await page.locator('.block-turn').count()]).toEqual([3, 2])
    await page.getByRole('button', { name: composer.send }).waitFor()
    expect(await page.locator('.block-turn').count()).toBe(2)
    expectCalm()
  })

  it('returns queued text to the field when Esc stops it', async () => {
    const model = await startModel([{ kind: 'hang', text: 'I begin' }])
    const { page, expectCalm } = await begin(...model.options)
    await say(page, 'First this')
    await page.getByText('I begin').waitFor()
    await say(page, 'Then that')
    await page.getByText(composer.queued(1)).waitFor()
    await page.locator('main textarea').fill('typed since')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: composer.send }).waitFor()
    await expect.poll(() => page.locator('main textarea').inputValue()).toBe('Then that\n\ntyped since')
    expect(await said(page)).toEqual(['First this'])
    expectCalm()
  })
})

describe.runIf(isBuilt)('the keyboard', () => {
  it('lists its keys, completes a command, and undoes file changes after a preview', async () => {
    const { page, workplace, expectCalm } = await begin()
    const path = join(workplace.folder, 'title.txt')
    await page.locator('main textarea').press('?')
    await page.getByRole('dialog', { name: shell.keys.title }).getByText(shell.keys.all.newLine).waitFor()
    await page.keyboard.press('Escape')
    await done(page, 'read title.txt')
    await say(page, 'edit title.txt: "Foam" -> "Spray"')
    await page.getByRole('alertdialog').getByRole('button', { name: permission.once }).click()
    await expect.poll(() => page.locator('.block-turn').count()).toBe(2)
    expect(await readFile(path, 'utf8')).toBe('Log of the Spray\n')

    await page.locator('main textarea').pressSequentially('/und')
    await page.keyboard.press('Tab')
    await expect.poll(async () => (await page.locator('main textarea').inputValue()).trim()).toBe('/undo-files')
    // An unfinished command is one, and no message to the model.
    await page.locator('main textarea').fill('/und')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: dialogs.undoFiles.title })
    await dialog.getByText('+Log of the Foam').waitFor()
    await dialog.getByRole('button', { name: dialogs.undoFiles.start(1) }).press('Enter')
    await page.locator('.block-notice', { hasText: 'title.txt' }).waitFor()
    expect(await readFile(path, 'utf8')).toBe('Log of the Foam\n')
    await page.reload()
    await page.locator('.block-notice', { hasText: 'title.txt' }).waitFor()

    // By the menu of the message, the change is made again.
    await page.getByRole('button', { name: conversation.message.menu }).last().click()
    await page.getByRole('menuitem', { name: conversation.message.undoFiles }).click()
    await dialog.getByRole('checkbox').check()
    await dialog.getByRole('button', { name: dialogs.undoFiles.start(1) }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await readFile(path, 'utf8')).toBe('Log of the Spray\n')
    expectCalm()
  })
})

describe.runIf(isBuilt)('a mentioned file', () => {
  it('is completed with the keyboard alone', async () => {
    const { page, expectCalm } = await begin()
    const field = page.getByRole('textbox', { name: composer.field })
    const found = page.waitForResponse(/search=ti$/)
    await field.pressSequentially('read @ti')
    await found
    await settled(page)
    const list = page.getByRole('listbox', { name: composer.files })
    const options = await list.getByRole('option').allInnerTexts()
    const wanted = options.findIndex((option) => option.startsWith('tides.txt'))
    for (let step = 0; step < wanted; step += 1) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await list.waitFor({ state: 'detached' })
    expect(await field.inputValue()).toBe('read @tides.txt ')
    expect(await said(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByText('tides.txt lines 1-1 of 1').waitFor()
    expectCalm()
  })
})

async function start(...options: readonly string[]) {
  const workplace = createWorkplace({ 'tides.txt': 'high water at six\n', 'title.txt': 'Log of the Foam\n' })
  const app = await startApp(workplace, ...(options.includes('--model') ? [] : ['--model', 'offline']), ...options)
  return { workplace, app }
}

async function begin(...options: readonly string[]) {
  const { workplace, app } = options.length === 0 ? shared() : await start(...options)
  const { page, expectCalm } = await openChat(app)
  return { page, workplace, expectCalm }
}
