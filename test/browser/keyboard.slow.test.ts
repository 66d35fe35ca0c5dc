import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { focusOf, goTo, press } from './keyboard.ts'
import { openApp, startApp } from './start-app.ts'

const { composer, dialogs, inspector, sessions, shell } = stringsFor('en')

describe.runIf(isBuilt)('the keyboard alone', () => {
  it('leads from the address to a chat, an allowed command and its result, the inspector, back, and another theme', async () => {
    const workplace = createWorkplace({ 'tides.txt': 'high water at six\n' })
    const { page, expectCalm } = await openApp(await startApp(workplace, '--model', 'offline'), { colorScheme: 'light' })

    expect((await press(page, 'Tab')).name).toBe(shell.skip)
    await goTo(page, exactly(sessions.newChat))
    await page.keyboard.press('Enter')
    await expect.poll(() => focusOf(page)).toMatchObject({ name: composer.field, isVisible: true })

    await page.keyboard.type('run echo ahoy')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('alertdialog')
    await dialog.waitFor()
    await expect.poll(() => dialog.getByRole('button', { name: dialogs.permission.once }).isEnabled()).toBe(true)
    await goTo(page, new RegExp(`^${dialogs.permission.once}`))
    await page.keyboard.press('Enter')
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.block-turn').waitFor()
    // The focus is back in the field.
    await expect.poll(() => focusOf(page)).toMatchObject({ name: composer.field, isVisible: true })

    await goTo(page, /^Bash/, 'Shift+Tab')
    await press(page, 'Enter')
    await page.locator('.tool-card-body pre', { hasText: 'ahoy' }).last().waitFor()

    await goTo(page, /usable/, 'Shift+Tab')
    await press(page, 'Enter')
    await page.getByRole('tab', { name: inspector.tabs.overview }).waitFor()
    await goTo(page, exactly(inspector.tabs.overview))
    await press(page, 'ArrowRight')
    await press(page, 'Enter')
    await page.getByRole('tab', { name: inspector.tabs.timeline, selected: true }).waitFor()
    await expect.poll(async () => (await focusOf(page)).name).toBe(inspector.tabs.timeline)

    await goTo(page, exactly(inspector.openChat), 'Shift+Tab')
    await press(page, 'Enter')
    await page.locator('.user-message').waitFor()
    await expect.poll(() => focusOf(page)).toMatchObject({ name: composer.field, isVisible: true })

    await goTo(page, exactly(shell.theme), 'Shift+Tab')
    await press(page, 'End')
    await expect.poll(() => page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
    expectCalm()
  })

  it('opens and leaves menus and dialogs, and is back where it was', async () => {
    const workplace = createWorkplace({ 'tides.txt': 'high water at six\n' })
    await workplace.task('read tides.txt', '--model', 'offline')
    const { page, expectCalm } = await openApp(await startApp(workplace, '--model', 'offline'))
    // Waits for the sessions, which replace the first content of the page.
    await page.locator('a, button', { hasText: 'read tides.txt' }).first().waitFor()
    await goTo(page, /^read tides.txt/)
    await press(page, 'Enter')
    await page.locator('.user-message').waitFor()

    for (const [name, item, title] of [
      [exactly(composer.menu), composer.commands.compact, dialogs.compact.title],
      [exactly(composer.menu), composer.commands.goBack, dialogs.goBack.title],
      [exactly(composer.menu), composer.commands.undoFiles, dialogs.undoFiles.title],
      [exactly(composer.menu), composer.commands.export, sessions.exporting.title],
    ] as const) {
      await page.locator('main textarea').focus()
      await goTo(page, name)
      await press(page, 'Enter')
      await expect.poll(() => page.getByRole('menu', { name: composer.menu }).isVisible()).toBe(true)
      while (!(await focusOf(page)).name.startsWith(item)) await press(page, 'ArrowDown')
      await press(page, 'Enter')
      const dialog = page.getByRole('dialog', { name: title })
      await dialog.waitFor()
      await press(page, 'Escape')
      await dialog.waitFor({ state: 'detached' })
      await expect.poll(() => focusOf(page)).toMatchObject({ name: composer.menu, isVisible: true })
    }
    await press(page, 'Enter')
    await page.getByRole('menu', { name: composer.menu }).waitFor()
    await press(page, 'Escape')
    await expect.poll(async () => (await focusOf(page)).name).toBe(composer.menu)
    // There are no file changes to undo.
    expectCalm(/409/)
  })
})

function exactly(name: string): RegExp {
  return new RegExp(`^${name}$`)
}
