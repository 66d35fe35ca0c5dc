import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'
import { shareInFile } from '../share-in-file.ts'
import { createWorkplace, isBuilt } from '../workplace.ts'
import { everyScreen } from './every-screen.ts'
import { settled } from './settled.ts'
import { openApp, startApp } from './start-app.ts'

/** Names, and texts of the specification, that are the same in every language. */
const names = /economy-keep-alive|历史读取内容已压缩/g

/** Shorter pieces are words that a name or a path may have too. */
const shortest = 9

describe.runIf(isBuilt)('the languages of the web app', () => {
  const shared = shareInFile(everyScreen)

  it.each([
    ['zh-CN', 'zh', 'en'],
    ['en-US', 'en', 'zh'],
  ] as const)('every screen uses only %s', async (locale, own, other) => {
    const { app, screens } = shared()
    const { page } = await openApp(app, { locale })
    const [ours, theirs] = [piecesOf(own), piecesOf(other)]
    const seen = new Set<string>()
    const found: string[] = []
    for (const { name, show } of screens) {
      await show(page, stringsFor(own))
      await settled(page)
      for (const shown of await textsOn(page)) {
        const text = shown.replaceAll(names, '')
        const piece = theirs.find((wanted) => text.includes(wanted))
        if (piece !== undefined) found.push(`${name}: ${text}`)
        for (const wanted of ours) if (text.includes(wanted)) seen.add(wanted)
      }
    }
    expect(found).toEqual([])
    // The screens do contain strings of their own language.
    expect(seen.size).toBeGreaterThan(150)
    expect(await page.locator('html').getAttribute('lang')).toBe(own === 'zh' ? 'zh-CN' : 'en')
  })

  it('can be chosen on the page, and the choice survives a reload', async () => {
    // No model is configured, so the first screen shows the offline notice.
    const app = await startApp(createWorkplace({ 'notes.txt': 'nothing\n' }))
    const { page, expectCalm } = await openApp(app)
    const [english, chinese] = [stringsFor('en').shell, stringsFor('zh').shell]
    await page.getByRole('heading', { name: english.welcome }).waitFor()
    await page.getByText(stringsFor('en').turn.offline).waitFor()
    await page.getByLabel(english.language).selectOption('zh')
    await page.getByRole('heading', { name: chinese.welcome }).waitFor()
    await page.getByText(stringsFor('zh').turn.offline).waitFor()
    expect(await page.getByText(stringsFor('en').turn.offline).count()).toBe(0)
    await page.reload()
    await page.getByRole('heading', { name: chinese.welcome }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('zh-CN')
    await page.getByLabel(chinese.language).selectOption('en')
    await page.getByRole('heading', { name: english.welcome }).waitFor()
    expect(await page.locator('html').getAttribute('lang')).toBe('en')
    expectCalm()
  })
})

/** The texts of one language that the other does not have; templates are split at their arguments. */
function piecesOf(locale: 'en' | 'zh'): readonly string[] {
  const all = pieces(ownStrings(locale))
  const others = pieces(ownStrings(locale === 'en' ? 'zh' : 'en')).join('\n')
  return [...new Set(all)].filter((piece) => !others.includes(piece))
}

/** Without the sentences about a turn: tool results contain some of them in English in every language. */
function ownStrings(locale: string): object {
  const { turn: _results, ...own } = stringsFor(locale)
  return own
}

const mark = '\u0001'

function pieces(value: unknown): readonly string[] {
  if (typeof value === 'string') return splitAt(value)
  if (typeof value === 'function')
    return splitAt(String((value as (...names: readonly string[]) => unknown)(...Array(8).fill(mark))))
  return Object.values((value ?? {}) as object).flatMap(pieces)
}

/** Chinese says as much in fewer characters. */
function splitAt(text: string): readonly string[] {
  return text
    .split(mark)
    .map((piece) => piece.trim())
    .filter((piece) => piece.length >= (/\p{Script=Han}/u.test(piece) ? 3 : shortest))
}

/** All visible text and labels of a page. */
function textsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(`(() => {
    const texts = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      if (node.parentElement.checkVisibility({ visibilityProperty: true }) && node.data.trim() !== '') texts.push(node.data)
    for (const element of document.querySelectorAll('[aria-label], [title], [placeholder], [alt]'))
      if (element.checkVisibility({ visibilityProperty: true }))
        for (const name of ['aria-label', 'title', 'placeholder', 'alt']) texts.push(element.getAttribute(name) ?? '')
    return texts
  })()`)
}
