import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The focused element. */
export interface Focus {
  /** Its accessible name. */
  readonly name: string
  readonly tag: string
  /** Whether the focused element is within the window and visibly marked. */
  readonly isVisible: boolean
}

/** Reads the focused element. */
export function focusOf(page: Page): Promise<Focus> {
  return page.evaluate(`(() => {
    const element = document.activeElement ?? document.body
    const name = element.getAttribute('aria-label') || element.labels?.[0]?.innerText || element.innerText || element.title || ''
    const { top, left, bottom, right, width, height } = element.getBoundingClientRect()
    const isInside = width > 0 && height > 0 && bottom > 0 && right > 0 && top < innerHeight && left < innerWidth
    const isMarked = (one) => {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
      return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none'
    }
    // A field may be marked by its frame.
    const frames = [element, element.parentElement, element.parentElement?.parentElement].filter(Boolean)
    return { name: name.trim(), tag: element.tagName.toLowerCase(), isVisible: isInside && frames.some(isMarked) }
  })()`)
}

/** Presses a key and returns the focused element, which must exist and be visible. */
export async function press(page: Page, key: string): Promise<Focus> {
  await page.keyboard.press(key)
  await expect
    .poll(() => focusOf(page), { message: `after ${key}` })
    .toMatchObject({ tag: expect.not.stringMatching(/^body$/), isVisible: true })
  return focusOf(page)
}

/** Presses Tab, or Shift+Tab, until an element with this name has the focus. */
export async function goTo(page: Page, name: RegExp, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = []
  for (let step = 0; step < 60; step += 1) {
    const focus = await press(page, key)
    if (name.test(focus.name)) return
    passed.push(focus.name)
  }
  throw new Error(`${String(name)} is not reached by ${key}: ${passed.join(' | ')}`)
}
