import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import type { Workplace } from '../workplace.ts'

/** Writes the user's own settings, as YAML. */
export function configure(workplace: Workplace, yaml: string): void {
  const folder = join(workplace.environment['XDG_CONFIG_HOME'] ?? '', 'plimsoll')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.yaml'), yaml)
}

const newChatName = new RegExp(['en', 'zh'].map((language) => stringsFor(language).sessions.newChat).join('|'))

/** Starts a session through the page, whatever its language. */
export async function newChat(page: Page): Promise<void> {
  await page.getByRole('button', { name: newChatName }).click()
  await page.waitForURL(/#\/chat\//)
}

/** Sends a message on the chat screen. */
export async function say(page: Page, text: string): Promise<void> {
  const field = page.locator('main textarea')
  await field.fill(text)
  await field.press('Enter')
}

/** The natural width of each image on the screen; 0 for one that could not be shown. */
export function imageWidths(page: Page): Promise<readonly number[]> {
  return page.evaluate("[...document.querySelectorAll('main img')].map((image) => image.naturalWidth)")
}

/** The width style of the filled part of the progress bar. */
export function barWidth(page: Page): Promise<string> {
  return page.evaluate("document.querySelector('[role=progressbar] > *').style.width")
}
