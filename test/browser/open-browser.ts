import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from 'playwright-core'
import { inject, onTestFinished } from 'vitest'
import { watchRequests } from './settled.ts'

let browser: Promise<Browser> | null = null

/**
 * A browser window of its own, with nothing stored in it, until the test is over. Whatever a page would load from elsewhere is
 * refused and told by `strangers`.
 */
export async function openWindow(
  options: BrowserContextOptions = {},
): Promise<{ readonly context: BrowserContext; readonly strangers: readonly string[] }> {
  browser ??= chromium.connect(inject('chromium'))
  const context = await (await browser).newContext({ viewport: { width: 1280, height: 800 }, locale: 'en-US', ...options })
  onTestFinished(() => context.close())
  // However busy the machine is: what never comes ends the test by the test's own limit.
  context.setDefaultTimeout(120_000)
  context.on('page', watchRequests)
  const strangers: string[] = []
  await context.route(
    (url) => url.protocol !== 'blob:' && url.protocol !== 'data:' && url.protocol !== 'file:' && url.hostname !== '127.0.0.1',
    (route) => {
      strangers.push(route.request().url())
      return route.abort()
    },
  )
  return { context, strangers }
}
