import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { say } from './use-chat.ts'

const { composer, conversation } = stringsFor('en')

/** Sends a message and waits until the turn has ended. */
export async function done(page: Page, text: string): Promise<void> {
  const before = await endOf(page)
  await say(page, text)
  // The same text may appear earlier, and the rows may be renumbered meanwhile.
  const isNew = ({ said, row }: End) => said === text && (before.said !== text || row > before.row)
  await expect.poll(async () => [await endOf(page)].some((end) => isNew(end) && end.isTurn)).toBe(true)
  await page.getByRole('button', { name: composer.send }).waitFor()
}

/** The end of a conversation: the last user message, the number of its last row, and whether a turn has ended there. */
interface End {
  readonly said: string
  readonly row: number
  readonly isTurn: boolean
}

function endOf(page: Page): Promise<End> {
  return page.evaluate(`(() => {
    const row = [...document.querySelectorAll('.conversation-row')].at(-1)
    const said = [...document.querySelectorAll('.user-message-text > p')].at(-1)?.textContent ?? ''
    return { said, row: Number(row?.dataset.index ?? -1), isTurn: row?.querySelector('.block-turn') != null }
  })()`)
}

/** All visible messages of the user. */
export function said(page: Page): Promise<readonly string[]> {
  return page.locator('.user-message-text > p').allInnerTexts()
}

/** What a conversation shows, block by block, each with its distance from the first one. A row of the list may hold several. */
export function blocks(page: Page): Promise<readonly { readonly text: string; readonly top: number }[]> {
  return page.evaluate(`(() => {
    const all = [...document.querySelectorAll('.conversation-blocks > *')]
    const top = (block) => Math.round(block.getBoundingClientRect().top)
    return all.map((block) => ({ text: block.innerText, top: top(block) - top(all[0]) }))
  })()`)
}

/** Chooses an action in the menu of a message. */
export async function chooseFor(page: Page, text: string, item: string): Promise<void> {
  const message = page.locator('.user-message').filter({ hasText: text })
  await message.getByRole('button', { name: conversation.message.menu }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

/** The id of the session that is open. */
export function sessionIn(page: Page): string {
  return decodeURIComponent(new URL(page.url()).hash.split('/')[2] ?? '')
}
