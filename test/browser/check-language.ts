import type { Page } from 'playwright-core'
import { stringsFor } from '../../packages/web/src/strings/strings-for.ts'

/** Reads pages that are in one language. */
export interface LanguageCheck {
  /** Lists the texts of a settled page that are in another language. */
  readonly find: (page: Page) => Promise<readonly string[]>
  /** How many texts of the own language the pages had so far. */
  readonly seen: () => number
}

/** Names, and texts of the specification, that are the same in every language. */
const names = /economy-keep-alive|历史读取内容已压缩/g

/** Shorter pieces are words that a name or a path may have too. */
const shortest = 9

/** Starts to check pages in a language. */
export function checkLanguage(own: 'en' | 'zh'): LanguageCheck {
  const [ours, theirs] = [piecesOf(own), piecesOf(own === 'en' ? 'zh' : 'en')]
  const seen = new Set<string>()
  return {
    async find(page) {
      const found: string[] = []
      for (const shown of await textsOn(page)) {
        const text = shown.replaceAll(names, '')
        if (theirs.some((wanted) => text.includes(wanted))) found.push(`in another language: ${text}`)
        for (const wanted of ours) if (text.includes(wanted)) seen.add(wanted)
      }
      return found
    },
    seen: () => seen.size,
  }
}

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
