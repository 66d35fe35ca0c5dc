import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'

const underWay = new WeakMap<Page, Set<Request>>()

/** Tracks the pending requests of a page. Event streams never complete. */
export function watchRequests(page: Page): void {
  const requests = new Set<Request>()
  underWay.set(page, requests)
  page.on('request', (request) => {
    if (!/\/events\?/.test(request.url())) requests.add(request)
  })
  page.on('requestfinished', (request) => requests.delete(request))
  page.on('requestfailed', (request) => requests.delete(request))
}

/** Waits until a page has loaded everything and finite animations have ended. */
export async function settled(page: Page): Promise<void> {
  const requests = underWay.get(page)
  await expect
    .poll(async () => {
      await page.evaluate(drawn)
      return [...(requests ?? [])].map((request) => request.url())
    })
    .toEqual([])
  await page.evaluate(drawn)
}

/** Waits until pending rendering is done and animations have ended, except endless ones. */
const drawn = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  await frame()
  await frame()
  const ending = document.getAnimations().filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
  await Promise.allSettled(ending.map((one) => one.finished))
  await frame()
})()`
