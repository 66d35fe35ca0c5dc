import { peopleStrings } from '@plimsoll/core'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { say } from './use-chat.ts'

const { chat } = peopleStrings('en').web

/** Says something and waits until the agent has done it. */
export async function done(page: Page, text: string): Promise<void> {
  const ended = await page.locator('.block-turn').count()
  await say(page, text)
  await expect.poll(() => page.locator('.block-turn').count()).toBeGreaterThan(ended)
  await page.getByRole('button', { name: chat.composer.send }).waitFor()
}

/** All that the user said, as it is shown. */
export function said(page: Page): Promise<readonly string[]> {
  return page.locator('.user-message-text > p').allInnerTexts()
}

/** What is shown of a conversation, row by row, as its reader sees it. */
export function rows(page: Page): Promise<readonly string[]> {
  return page.locator('.conversation-row').allInnerTexts()
}

/** Chooses something in the menu of what was said. */
export async function chooseFor(page: Page, text: string, item: string): Promise<void> {
  const message = page.locator('.user-message').filter({ hasText: text })
  await message.getByRole('button', { name: chat.conversation.message.menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The id of the session that is open. */
export function sessionIn(page: Page): string {
  return decodeURIComponent(new URL(page.url()).hash.split('/')[2] ?? '')
}
